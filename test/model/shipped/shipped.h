// The algorithms that ship, by their very files, for other engines than the one that they ship
// with: the model of it, and the engine itself with views that check.
//
// The build compiles each file of engine/algorithms after this header, once for each engine:
// EDGEMILL_SHIPPED_FOR is a word for it, and EDGEMILL_ENGINE the header of one that takes the
// Engine's place.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "common/check.h"
#include "common/status.h"
#include "engine/state/state.h"

namespace edgemill {

class LoadedGraph;
struct Answer;
struct RunContext;
struct RunSetup;

namespace model {

/// What a file declares, as compiled for an engine of type E.
template <typename E>
struct Shipped {
  std::string_view file;  // "bfs"
  std::unique_ptr<State> (*make_state)(const RunSetup& setup);
  Status (*run)(E& engine, State& state, const RunContext& context, Answer* answer);
  std::unique_ptr<State> (*make_check)(const RunSetup& setup);
  Status (*verify)(LoadedGraph& graph, State& state, State& check, const RunContext& context);
};

/// What returns each. The declarations are initialised once main() runs.
template <typename E>
std::vector<Shipped<E> (*)()>& ShippedFiles() {
  static std::vector<Shipped<E> (*)()> files;
  return files;
}
template <typename E>
Shipped<E> FindShipped(std::string_view file) {
  for (const auto describe : ShippedFiles<E>()) {
    const Shipped<E> shipped = describe();
    if (shipped.file == file) return shipped;
  }
  internal::AuthorMistake("no such file of engine/algorithms is compiled for this engine");
}

template <typename E>
struct ShippedRegistration {
  explicit ShippedRegistration(Shipped<E> (*describe)()) { ShippedFiles<E>().push_back(describe); }
};

}  // namespace model
}  // namespace edgemill

#if defined(EDGEMILL_SHIPPED_FOR)
#define EDGEMILL_SHIPPED_NAME(target, file) target##_##file
#define EDGEMILL_SHIPPED(target, file)                                                  \
  extern const Algorithm EDGEMILL_SHIPPED_NAME(target, file);                           \
  static const model::ShippedRegistration<Engine> shipped_##file([] {                   \
    const Algorithm& shipped = EDGEMILL_SHIPPED_NAME(target, file);                     \
    return model::Shipped<Engine>{#file, shipped.driver.make_state, shipped.driver.run, \
                                  shipped.verifier.make_state, shipped.verifier.run};   \
  });                                                                                   \
  const Algorithm EDGEMILL_SHIPPED_NAME(target, file)
#define EDGEMILL_ALGORITHM(file) EDGEMILL_SHIPPED(EDGEMILL_SHIPPED_FOR, file)
#endif

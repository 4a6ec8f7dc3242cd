// The source files of the shipped algorithms, compiled for two other engines: the model, and the
// engine with checked views.
//
// The build compiles each file of engine/algorithms after this header, once for each engine.
// EDGEMILL_SHIPPED_FOR is a name for the engine. EDGEMILL_ENGINE is the header of an engine that
// replaces Engine.
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

/// What a file declares when it is compiled for an engine of type E.
template <typename E>
struct Shipped {
  std::string_view file;  // "bfs"
  std::unique_ptr<State> (*make_state)(const RunSetup& setup);
  Status (*run)(E& engine, State& state, const RunContext& context, Answer* answer);
  std::unique_ptr<State> (*make_check)(const RunSetup& setup);
  Status (*verify)(LoadedGraph& graph, State& state, State& check, const RunContext& context);
};

/// Functions that return the declarations. The declarations are initialised before main() runs.
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

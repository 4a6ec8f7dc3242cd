// What a file that declares an algorithm includes in place of engine/api/engine.h where it is
// compiled for the model: the build names this header by EDGEMILL_ENGINE. The algorithm is then not
// in the registry of algorithms, but in that of on_model.h.
#pragma once

#define EDGEMILL_COMPILED_TWICE  // into one program
#include "engine/model/model_engine.h"
#include "engine/model/on_model.h"

namespace edgemill::model {

/// Calls `run(engine, state, context, answer)`, the algorithm's driver, with the model of a graph.
template <typename Run>
Status RunOnModel(Run run, const ModelCall& call, State& state, const RunContext& context,
                  Answer* answer) {
  Engine engine(call.graph, call.mode, state.max_sets() + kSetsOfPasses, &call.loaded);
  call.trace.Follow(state);
  engine.Keep(call.trace);
  RETURN_IF_ERROR(run(engine, state, context, answer));
  return violation.empty() ? OkStatus() : InternalError(violation);
}

}  // namespace edgemill::model

#define EDGEMILL_ALGORITHM(file)                                                                  \
  extern const Algorithm on_model_##file;                                                         \
  static const model::RegisteredOnModel registered_on_model_##file({                              \
      #file,                                                                                      \
      [](const RunSetup& setup) { return on_model_##file.driver.make_state(setup); },             \
      [](const model::ModelCall& call, State& state, const RunContext& context, Answer* answer) { \
        return model::RunOnModel(on_model_##file.driver.run, call, state, context, answer);       \
      },                                                                                          \
      [](const RunSetup& setup) { return on_model_##file.verifier.make_state(setup); },           \
      [](LoadedGraph& graph, State& state, State& check, const RunContext& context) {             \
        return on_model_##file.verifier.run(graph, state, check, context);                        \
      },                                                                                          \
  });                                                                                             \
  const Algorithm on_model_##file

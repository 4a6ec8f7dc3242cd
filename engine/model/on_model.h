// Runs of algorithms on the model, in place of the engine. A file that declares an algorithm is
// compiled a second time, for the model (compiled_for_model.h). The program that has both runs the
// algorithm both ways, and compares the answers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "common/status.h"
#include "engine/model/model_chance.h"
#include "engine/model/model_graph.h"
#include "engine/model/model_trace.h"
#include "engine/state/state.h"

namespace edgemill {

class LoadedGraph;
struct Answer;
struct RunContext;
struct RunSetup;

namespace model {

/// A graph, how the model runs a driver on it, and what is kept of that.
struct ModelCall {
  const Graph& graph;   // GraphOf(loaded)
  LoadedGraph& loaded;  // the same, for drivers that read lists themselves
  const Mode& mode;
  Trace& trace;
};

/// The functions of an algorithm that were compiled for the model. Other files see no type of
/// theirs, since views in them have other types.
struct OnModel {
  std::string_view file;  // "bfs"
  std::unique_ptr<State> (*make_state)(const RunSetup& setup);
  /// Runs the driver on the model. InternalError with the rule that a function broke.
  Status (*run)(const ModelCall& call, State& state, const RunContext& context, Answer* answer);
  std::unique_ptr<State> (*make_check)(const RunSetup& setup);
  Status (*verify)(LoadedGraph& graph, State& state, State& check, const RunContext& context);
};

/// Puts a file's functions into the registry, before main() runs.
struct RegisteredOnModel {
  explicit RegisteredOnModel(const OnModel& functions);
};
/// The functions of a file; null where it was not compiled for the model.
const OnModel* FindOnModel(std::string_view file);

/// The same graph for the model, with the ids as they are stored. The graph is small, and has
/// neighbours of one direction at least. The errors of PlainVisit.
StatusOr<Graph> GraphOf(LoadedGraph& graph);

}  // namespace model
}  // namespace edgemill

// What an algorithm's file gives to the registry. A new algorithm is one file in algorithms/ and
// its line in registry.cc.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/buffer.h"
#include "common/status.h"
#include "engine/api/run.h"
#include "engine/graph/loaded_graph.h"
#include "engine/plan/gpu_memory.h"
#include "engine/plan/gpu_run.h"
#include "engine/report/recorder.h"

namespace edgemill {

/// What a run will take, computed from counts before anything is read.
struct RunNeeds {
  GraphNeeds graph;
  bool weights = false;    // are read with the neighbours
  bool block_ids = false;  // LoadedGraph::KeepBlockIds, on the CPU
  GpuNeeds gpu;            // on a card, where one is used
  /// Bytes beside the indexes while iterating: state, frontiers, partial results, all at once.
  uint64_t state_bytes = 0;
  /// Bytes beside the indexes while verifying: the answer and what the check needs.
  uint64_t verify_bytes = 0;
  /// Bytes of the answer, kept until it is written.
  uint64_t answer_bytes = 0;
  bool answers_vertices = false;  // the answer's values are vertices
  /// Mode::kAuto may become push or pull alone where memory is short: the answer is the same.
  bool any_mode_will_do = false;
};

/// The values a run leaves, by internal vertex; the array that `kind` calls for.
struct Answer {
  ResultKind kind = ResultKind::kLevel;
  /// Levels, parents (internal ids; kInvalidVertex: unreached), components (the least internal id
  /// of their members).
  Array<uint32_t> small;
  Array<uint64_t> distances;  // ~0: unreached; empty where they fit `small`
  Array<double> reals;        // distances (infinity: unreached), ranks
  MemoryReservation reservation;
  std::vector<ResultFact> facts;
  /// Passes over all edges that the method takes by definition, for edges/s; 0 counts as 1.
  uint64_t passes = 0;
};

/// A run's surroundings, as an algorithm sees them.
struct RunEnvironment {
  LoadedGraph& graph;
  const RunOptions& options;
  VertexId source;  // internal; kInvalidVertex for algorithms without one
  Recorder& recorder;
  bool fits_in_cache;           // whether blocks stay in memory, or each iteration reads them again
  bool fits_on_card = false;    // they stay on the GPU
  const GpuRun* gpu = nullptr;  // the GPU that vertex programs run on; null: the CPU
};

/// An algorithm: its description, and plain functions.
struct Algorithm {
  AlgorithmHelp help;
  bool has_source = false;
  /// Checks options that are the algorithm's own and counts memory. UsageError.
  StatusOr<RunNeeds> (*plan)(const GraphStore& store, const RunOptions& options);
  StatusOr<Answer> (*run)(const RunEnvironment& environment);
  /// Adds the facts that take a pass over the answer, once the run's time has been taken; null:
  /// none do.
  Status (*describe)(const RunEnvironment& environment, Answer* answer) = nullptr;
  /// Checks the answer by the definition, edge by edge. InternalError that says what is wrong,
  /// where.
  Status (*verify)(const RunEnvironment& environment, const Answer& answer);
};

/// The registry; nullptr when there is no such algorithm.
const Algorithm* FindAlgorithm(std::string_view name);
const std::vector<const Algorithm*>& AllAlgorithms();

/// UsageError unless `value`, when set, is one of the algorithm's methods. Returns it, or the
/// default.
StatusOr<std::string> ChosenMethod(const Algorithm& algorithm, const RunOptions& options);

extern const Algorithm kBfs;
extern const Algorithm kCc;
extern const Algorithm kPageRank;
extern const Algorithm kSssp;

}  // namespace edgemill

// How the algorithms run with a GPU: by programs of the old form, until the GPU runs those of
// engine/program. They fill the arrays of the new states.
#pragma once

#include "common/status.h"
#include "engine/api/algorithm.h"
#include "engine/old/plan/gpu_memory.h"
#include "engine/plan/gpu_run.h"

namespace edgemill {

/// What such a run takes.
struct GpuAlgorithmNeeds {
  GraphNeeds graph;
  bool weights = false;
  bool block_ids = false;
  GpuNeeds gpu;
  /// Host memory beside indexes and the state's arrays.
  uint64_t work_bytes = 0;
};

struct RunEnvironment {
  LoadedGraph& graph;
  const RunOptions& options;
  VertexId source;
  Recorder& recorder;
  bool fits_in_cache;
  bool fits_on_card = false;  // edges stay on the GPU
  const GpuRun* gpu = nullptr;
};

struct GpuAlgorithm {
  StatusOr<GpuAlgorithmNeeds> (*plan)(const GraphStore& store, const RunOptions& options);
  Status (*run)(const RunEnvironment& environment, State& state, const RunContext& context,
                Answer* answer);
};

/// That of the algorithm called `name`; null: it runs on the CPU alone.
#if defined(EDGEMILL_WITH_CUDA)
extern const GpuAlgorithm kGpuBfs, kGpuCc, kGpuPageRank, kGpuSssp;
inline const GpuAlgorithm* GpuFormOf(std::string_view name) {
  if (name == "bfs") return &kGpuBfs;
  if (name == "cc") return &kGpuCc;
  if (name == "pagerank") return &kGpuPageRank;
  return name == "sssp" ? &kGpuSssp : nullptr;
}
#else
inline const GpuAlgorithm* GpuFormOf(std::string_view) { return nullptr; }
#endif

}  // namespace edgemill

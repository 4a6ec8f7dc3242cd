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

#if defined(EDGEMILL_WITH_CUDA)
extern const GpuAlgorithm kGpuBfs, kGpuCc, kGpuPageRank, kGpuSssp;
inline constexpr const GpuAlgorithm* kBfsOnGpu = &kGpuBfs;
inline constexpr const GpuAlgorithm* kCcOnGpu = &kGpuCc;
inline constexpr const GpuAlgorithm* kPageRankOnGpu = &kGpuPageRank;
inline constexpr const GpuAlgorithm* kSsspOnGpu = &kGpuSssp;
#else
inline constexpr const GpuAlgorithm* kBfsOnGpu = nullptr;
inline constexpr const GpuAlgorithm* kCcOnGpu = nullptr;
inline constexpr const GpuAlgorithm* kPageRankOnGpu = nullptr;
inline constexpr const GpuAlgorithm* kSsspOnGpu = nullptr;
#endif

}  // namespace edgemill

// Whose executor runs a program: the GPU's where the run has one, both where they share it, else
// the CPU's.
#pragma once

#include <memory>

#include "engine/old/algorithms/gpu_algorithm.h"
#include "engine/old/cpu/executor.h"
#include "engine/old/gpu/gpu_executor.h"
#include "engine/old/hybrid/hybrid_executor.h"

namespace edgemill {

/// What is known of a run of `P` before its first iteration.
template <VertexProgram P>
Dispatcher::Setting SettingOf(const RunEnvironment& environment) {
  const LoadedGraph& graph = environment.graph;
  uint64_t edge_bytes = graph.store().column(ColumnKind::kOutNeighbors).payload_bytes;
  if constexpr (!std::is_same_v<typename P::Weight, NoWeight>) {
    edge_bytes += graph.store().column(ColumnKind::kOutWeights).payload_bytes;
  }
  return {.num_vertices = graph.num_vertices(),
          .num_edges = graph.num_edges(),
          .num_blocks = graph.num_blocks(),
          .edge_bytes = edge_bytes,
          .threads = graph.threads(),
          .in_memory = environment.fits_in_cache,
          .on_card = environment.fits_on_card,
          .loops_on_card = environment.fits_on_card && kLoopsOnCard<P>};
}

/// An executor for `P` on the run's processor. Its errors are those of Executor::Create or
/// MakeGpuExecutor.
template <VertexProgram P>
StatusOr<std::unique_ptr<ProgramExecutor<P>>> MakeExecutor(const RunEnvironment& environment,
                                                           Mode mode) {
#if defined(EDGEMILL_WITH_CUDA)
  if (environment.gpu != nullptr) {
    ASSIGN_OR_RETURN(auto leader, MakeGpuExecutor<P>(*environment.gpu, environment.graph, mode,
                                                     environment.recorder));
    if (!environment.gpu->shared) return std::unique_ptr<ProgramExecutor<P>>(std::move(leader));
    ASSIGN_OR_RETURN(auto hybrid,
                     HybridExecutor<P>::Create(
                         std::move(leader), environment.graph, mode, environment.recorder,
                         Dispatcher(SettingOf<P>(environment), environment.gpu->options.calibration,
                                    environment.options.hybrid),
                         environment.options.async_passes));
    return std::unique_ptr<ProgramExecutor<P>>(std::move(hybrid));
  }
#endif
  ASSIGN_OR_RETURN(auto executor, Executor<P>::Create(environment.graph, mode, environment.recorder,
                                                      environment.options.async_passes));
  return std::unique_ptr<ProgramExecutor<P>>(std::move(executor));
}

}  // namespace edgemill

// Whose executor runs a program: the GPU's where the run has one, both where they share it, else
// the CPU's.
#pragma once

#include <memory>

#include "engine/algorithm.h"
#include "engine/executor.h"
#include "engine/gpu/gpu_executor.h"
#include "engine/hybrid_executor.h"

namespace edgemill {

/// What is known of a run's processors before its first iteration. `loops`: the program may loop on
/// a card.
inline Dispatcher::Machine MachineOf(const RunEnvironment& environment, bool loops) {
  // From memory to card at the speed of the link or so; what is on the card is visited faster.
  constexpr double kStreamedEdgesPerSecond = 15e9;
  constexpr double kResidentEdgesPerSecond = 40e9;
  // Random reads of single blocks by sequential ones (PERFORMANCE.md: 64 KiB by 1 MiB).
  constexpr double kRandomReadCost = 2.5;
  return {.num_edges = environment.graph.num_edges(),
          .threads = environment.graph.threads(),
          .random_read_cost = environment.fits_in_cache ? 1 : kRandomReadCost,
          .gpu_edges_per_second =
              environment.fits_on_card ? kResidentEdgesPerSecond : kStreamedEdgesPerSecond,
          .loops_on_card = environment.fits_on_card && loops};
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
    ASSIGN_OR_RETURN(
        auto hybrid,
        HybridExecutor<P>::Create(std::move(leader), environment.graph, mode, environment.recorder,
                                  MachineOf(environment, kLoopsOnCard<P>),
                                  environment.options.hybrid, environment.options.async_passes));
    return std::unique_ptr<ProgramExecutor<P>>(std::move(hybrid));
  }
#endif
  ASSIGN_OR_RETURN(auto executor, Executor<P>::Create(environment.graph, mode, environment.recorder,
                                                      environment.options.async_passes));
  return std::unique_ptr<ProgramExecutor<P>>(std::move(executor));
}

}  // namespace edgemill

// Whose executor runs a program: the GPU's where the run has one, else the CPU's.
#pragma once

#include <memory>

#include "engine/algorithm.h"
#include "engine/executor.h"
#include "engine/gpu/gpu_executor.h"

namespace edgemill {

/// An executor for `P` on the run's processor. Its errors are those of Executor::Create or
/// MakeGpuExecutor.
template <VertexProgram P>
StatusOr<std::unique_ptr<ProgramExecutor<P>>> MakeExecutor(const RunEnvironment& environment,
                                                           Mode mode) {
#if defined(EDGEMILL_WITH_CUDA)
  if (environment.gpu != nullptr) {
    return MakeGpuExecutor<P>(*environment.gpu, environment.graph, mode, environment.recorder);
  }
#endif
  ASSIGN_OR_RETURN(auto executor,
                   Executor<P>::Create(environment.graph, mode, environment.recorder));
  return std::unique_ptr<ProgramExecutor<P>>(std::move(executor));
}

}  // namespace edgemill

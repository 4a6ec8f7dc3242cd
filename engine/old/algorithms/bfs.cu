// The executors on a GPU of bfs.cc's programs.
#include "engine/old/algorithms/bfs_program.h"
#include "engine/old/gpu/gpu_executor.cuh"

namespace edgemill {

template StatusOr<std::unique_ptr<LeadingExecutor<BfsProgram<false>>>> MakeGpuExecutor(
    const GpuRun&, LoadedGraph&, Mode, Recorder&);
template StatusOr<std::unique_ptr<LeadingExecutor<BfsProgram<true>>>> MakeGpuExecutor(const GpuRun&,
                                                                                      LoadedGraph&,
                                                                                      Mode,
                                                                                      Recorder&);

}  // namespace edgemill

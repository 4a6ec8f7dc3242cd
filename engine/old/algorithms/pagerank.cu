// The executors on a GPU of pagerank.cc's programs.
#include "engine/old/algorithms/pagerank_program.h"
#include "engine/old/gpu/gpu_executor.cuh"

namespace edgemill {

template StatusOr<std::unique_ptr<LeadingExecutor<JacobiProgram>>> MakeGpuExecutor(const GpuRun&,
                                                                                   LoadedGraph&,
                                                                                   Mode, Recorder&);
template StatusOr<std::unique_ptr<LeadingExecutor<DeltaProgram>>> MakeGpuExecutor(const GpuRun&,
                                                                                  LoadedGraph&,
                                                                                  Mode, Recorder&);

}  // namespace edgemill

// The executors on a GPU of cc.cc's programs.
#include "engine/old/algorithms/label_program.h"
#include "engine/old/gpu/gpu_executor.cuh"

namespace edgemill {

template StatusOr<std::unique_ptr<LeadingExecutor<LabelProgram>>> MakeGpuExecutor(const GpuRun&,
                                                                                  LoadedGraph&,
                                                                                  Mode, Recorder&);

}  // namespace edgemill

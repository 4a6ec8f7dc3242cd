// The executors on a GPU of sssp.cc's programs.
#include "engine/old/algorithms/sssp_program.h"
#include "engine/old/gpu/gpu_executor.cuh"

namespace edgemill {

template StatusOr<std::unique_ptr<LeadingExecutor<SsspProgram<NoWeight, uint32_t>>>>
MakeGpuExecutor(const GpuRun&, LoadedGraph&, Mode, Recorder&);
template StatusOr<std::unique_ptr<LeadingExecutor<SsspProgram<int32_t, uint32_t>>>> MakeGpuExecutor(
    const GpuRun&, LoadedGraph&, Mode, Recorder&);
template StatusOr<std::unique_ptr<LeadingExecutor<SsspProgram<int32_t, uint64_t>>>> MakeGpuExecutor(
    const GpuRun&, LoadedGraph&, Mode, Recorder&);
template StatusOr<std::unique_ptr<LeadingExecutor<SsspProgram<float, double>>>> MakeGpuExecutor(
    const GpuRun&, LoadedGraph&, Mode, Recorder&);
template StatusOr<std::unique_ptr<LeadingExecutor<SsspProgram<double, double>>>> MakeGpuExecutor(
    const GpuRun&, LoadedGraph&, Mode, Recorder&);

}  // namespace edgemill

// Runs vertex programs on a GPU: how a driver gets an executor. The code is in gpu_executor.cuh,
// made for one program at a time in algorithms/*.cu.
#pragma once

#include <memory>

#include "engine/graph/loaded_graph.h"
#include "engine/plan/gpu_run.h"
#include "engine/old/program/leading_executor.h"
#include "engine/report/recorder.h"

namespace edgemill {

/// An executor for `P` on `run`'s GPU. UsageError when the graph lacks the columns for `mode`.
/// Memory on the card is taken by Initialise: BudgetError with the least workable --gpu-memory. All
/// errors of the device end the run.
template <VertexProgram P>
StatusOr<std::unique_ptr<LeadingExecutor<P>>> MakeGpuExecutor(const GpuRun& run, LoadedGraph& graph,
                                                              Mode mode, Recorder& recorder);

}  // namespace edgemill

// Engines on the CPU, on a GPU, and on both.
#pragma once

#include <memory>
#include <string_view>

#include "common/status.h"
#include "engine/api/engine.h"
#include "engine/plan/dispatcher.h"
#include "engine/plan/gpu_run.h"
#include "engine/plan/pass_options.h"
#include "engine/report/recorder.h"

namespace edgemill {

struct DeviceNeeds;

/// For drivers of `state`, allocated. All arguments must outlive it. BudgetError.
StatusOr<std::unique_ptr<Engine>> MakeCpuEngine(LoadedGraph& graph, const State& state,
                                                const PassOptions& options, Recorder& recorder);

/// What a run on a GPU has of it.
struct GpuSetup {
  const GpuRun& gpu;
  const DeviceNeeds& needs;
  std::string_view file;  // of the algorithm: by which kernels are found
  /// The dispatcher of a run whose passes the CPU shares; null: the GPU does all.
  const Dispatcher* dispatcher = nullptr;
};
/// The same on a GPU. BudgetError; GpuError.
StatusOr<std::unique_ptr<Engine>> MakeGpuEngine(LoadedGraph& graph, State& state,
                                                const PassOptions& options, const GpuSetup& setup,
                                                Recorder& recorder);

}  // namespace edgemill

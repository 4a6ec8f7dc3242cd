// Engines on the CPU, on a GPU, and on both.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "common/status.h"
#include "engine/api/engine.h"
#include "engine/plan/dispatcher.h"
#include "engine/plan/gpu_run.h"
#include "engine/plan/pass_options.h"
#include "engine/report/recorder.h"

namespace edgemill {

struct DeviceNeeds;

/// Makes an engine on the CPU for drivers of `state`, which is allocated. All arguments must
/// outlive the engine. BudgetError.
StatusOr<std::unique_ptr<Engine>> MakeCpuEngine(LoadedGraph& graph, const State& state,
                                                const PassOptions& options, Recorder& recorder);

/// What a run uses of a GPU.
struct GpuSetup {
  const GpuRun& gpu;
  const DeviceNeeds& needs;
  std::string_view file;  // the algorithm's; kernels are found by it
  /// The dispatcher of a run whose passes the CPU shares, or other GPUs; null: the GPU does all.
  const Dispatcher* dispatcher = nullptr;
  /// The other GPUs. Where there are none, the CPU shares passes.
  std::span<const GpuRun> helpers = {};
  std::optional<uint64_t> seed = {};  // for tests: shares of GPUs are random
};
/// GpuError where the algorithm's file `file` was not compiled for GPUs.
Status CheckGpuCode(std::string_view file);
/// Makes an engine on a GPU, or on a GPU and the CPU. BudgetError; GpuError.
StatusOr<std::unique_ptr<Engine>> MakeGpuEngine(LoadedGraph& graph, State& state,
                                                const PassOptions& options, const GpuSetup& setup,
                                                Recorder& recorder);

}  // namespace edgemill

// Which processor a run uses.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "common/progress.h"
#include "common/status.h"
#include "engine/device/gpu.h"
#include "engine/run/run_options.h"

namespace edgemill {

/// Takes the GPU of `options` into use; GpuError when there is none that can be used, or this build
/// has no code for GPUs.
StatusOr<std::unique_ptr<Gpu>> OpenGpu(const GpuOptions& options);

/// The GPUs that --gpus TEXT names: a number of them, their numbers ("0,2"), or "auto": all of this
/// machine for a graph of many edges. Sets the GPU and the helpers of `options`. UsageError.
Status ChooseGpus(std::string_view text, GpuRunOptions* options);

/// Adds to a GpuError the advice to run on the CPU. Returns any other status as it is.
Status OrOnCpu(const Status& status);

/// The GPU that `options.device` calls for: null for kCpu. For kAuto, null when no GPU can be used:
/// then sets `*fallback` to the reason, and notes it if MissesGpu. Has the errors of OpenGpu.
StatusOr<std::unique_ptr<Gpu>> ChooseGpu(const RunOptions& options, Progress& progress,
                                         std::string* fallback);
/// Whether the user should know why Device::kAuto found no GPU: the options expect one, or the
/// machine has a driver for one.
bool MissesGpu(const RunOptions& options);

}  // namespace edgemill

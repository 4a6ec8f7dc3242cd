// Which processor a run uses.
#pragma once

#include <memory>
#include <string>

#include "common/progress.h"
#include "common/status.h"
#include "engine/device/gpu.h"
#include "engine/run/run_options.h"

namespace edgemill {

/// Takes the GPU of `options` into use; GpuError when there is none that can be used, or this build
/// has no code for GPUs.
StatusOr<std::unique_ptr<Gpu>> OpenGpu(const RunOptions& options);

/// A GpuError with what helps against each of them: the CPU. Any other status as it is.
Status OrOnCpu(const Status& status);

/// The GPU that `options.device` calls for: null for cpu; for auto, null when there is none to use,
/// with why in `*fallback`, and a note where one might expect to use it: a driver is there. Errors
/// as OpenGpu.
StatusOr<std::unique_ptr<Gpu>> ChooseGpu(const RunOptions& options, Progress& progress,
                                         std::string* fallback);
/// Whether the user wants to know why Device::kAuto found none: the options want one, or the
/// machine has one.
bool MissesGpu(const RunOptions& options);

}  // namespace edgemill

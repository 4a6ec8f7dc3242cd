#include "engine/run/gpu_choice.h"

namespace edgemill {

StatusOr<std::unique_ptr<Gpu>> OpenGpu(const RunOptions& options) {
#if defined(EDGEMILL_WITH_CUDA)
  return Gpu::Open(options.gpu.gpu);
#else
  (void)options;
  return GpuError("this build has no code for GPUs: build where CMake finds a CUDA toolkit");
#endif
}

Status OrOnCpu(const Status& status) {
  if (status.code() != Code::kGpu) return status;
  return GpuError(StrCat(status.message(), ", or run with --device cpu"));
}

StatusOr<std::unique_ptr<Gpu>> ChooseGpu(const RunOptions& options, Progress& progress,
                                         std::string* fallback) {
  switch (options.device) {
    case Device::kCpu:
      return std::unique_ptr<Gpu>();
    case Device::kGpu:
    case Device::kHybrid:
      return OpenGpu(options);
    case Device::kAuto:
      break;
  }
#if defined(EDGEMILL_WITH_CUDA)
  auto gpu = OpenGpu(options);
  if (gpu.ok()) return gpu;
  *fallback = gpu.status().message();
#else
  *fallback = "this build has no code for GPUs";
#endif
  if (MissesGpu(options)) progress.Note(StrCat("running on the CPU: ", *fallback));
  return std::unique_ptr<Gpu>();
}

bool MissesGpu(const RunOptions& options) {
#if defined(EDGEMILL_WITH_CUDA)
  if (Gpu::HasDriver()) return true;
#endif
  return options.gpu.expected;
}

}  // namespace edgemill

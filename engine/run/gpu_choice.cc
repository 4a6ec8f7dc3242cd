#include "engine/run/gpu_choice.h"

#include <algorithm>
#include <vector>

#include "common/strings.h"
#include "engine/program/arrays/array_copy.h"

namespace edgemill {
namespace {

/// The most GPUs of one run: a memory each for the State's arrays, beside the host's.
constexpr int kMostGpus = static_cast<int>(MemorySet::kMaxMemories) - 1;
/// A pass over fewer edges takes about as long as the GPUs take to share it.
constexpr EdgeIndex kLeastSharedEdges = EdgeIndex{1} << 27;

int CountGpus() {
#if defined(EDGEMILL_WITH_CUDA)
  return Gpu::Count();
#else
  return 0;
#endif
}

std::vector<int> FirstGpus(int count) {
  std::vector<int> gpus(static_cast<size_t>(std::max(1, count)));
  for (size_t i = 0; i < gpus.size(); ++i) gpus[i] = static_cast<int>(i);
  return gpus;
}

StatusOr<std::vector<int>> ParseGpus(std::string_view text) {
  const auto wrong = [text](std::string_view why) {
    return UsageError(StrCat("--gpus ", text, ": ", why,
                             ": give auto, a number of GPUs, or their numbers, such as 0,2"));
  };
  if (text.find(',') == std::string_view::npos) {
    int count = 0;
    if (!ParseNumber(text, &count)) return wrong("not a number");
    if (count < 1 || count > kMostGpus) {
      return wrong(StrCat("a run takes 1 to ", kMostGpus, " GPUs"));
    }
    return FirstGpus(count);
  }
  std::vector<int> gpus;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    int gpu = 0;
    if (!ParseNumber(text.substr(begin, end - begin), &gpu) || gpu < 0) {
      return wrong(StrCat("'", text.substr(begin, end - begin), "' is not the number of a GPU"));
    }
    if (std::find(gpus.begin(), gpus.end(), gpu) != gpus.end()) {
      return wrong(StrCat("GPU ", gpu, " is named twice"));
    }
    gpus.push_back(gpu);
    begin = end + 1;
  }
  if (static_cast<int>(gpus.size()) > kMostGpus) {
    return wrong(StrCat("a run takes 1 to ", kMostGpus, " GPUs"));
  }
  return gpus;
}

}  // namespace

Status ChooseGpus(std::string_view text, GpuRunOptions* options) {
  std::vector<int> gpus;
  if (text == "auto") {
    gpus = FirstGpus(std::min(CountGpus(), kMostGpus));
    options->helpers.least_edges = kLeastSharedEdges;
  } else {
    ASSIGN_OR_RETURN(gpus, ParseGpus(text));
  }
  options->gpu.ordinal = gpus.front();
  options->helpers.ordinals.assign(gpus.begin() + 1, gpus.end());
  return OkStatus();
}

StatusOr<std::unique_ptr<Gpu>> OpenGpu(const GpuOptions& options) {
#if defined(EDGEMILL_WITH_CUDA)
  return Gpu::Open(options);
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
      return OpenGpu(options.gpu.gpu);
    case Device::kAuto:
      break;
  }
#if defined(EDGEMILL_WITH_CUDA)
  auto gpu = OpenGpu(options.gpu.gpu);
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

#include "engine/gpu_choice.h"

#include <algorithm>

#include "engine/gpu/block_slots.h"

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
  if (Gpu::HasDriver()) progress.Note(StrCat("running on the CPU: ", *fallback));
#else
  (void)progress;
  *fallback = "this build has no code for GPUs";
#endif
  return std::unique_ptr<Gpu>();
}

uint64_t MostBlockBytes(const GraphInfo& info, bool with_weights) {
  const uint64_t edges = info.block_edges;
  const uint64_t packed = BlockSlots::Aligned(MaxPackedBytes(info.block_edges));
  if (!with_weights) return packed;
  switch (info.weights) {
    case WeightType::kNone:
      return packed;
    case WeightType::kInt32:
      return 2 * packed;
    case WeightType::kFloat32:
      return packed + BlockSlots::Aligned(edges * 4);
    case WeightType::kFloat64:
      return packed + BlockSlots::Aligned(edges * 8);
  }
  return packed;
}

uint64_t ControlBytes(const GraphInfo& info) {
  return 2 * kCountersBytes + info.num_blocks() * sizeof(uint32_t) +
         info.num_edges / kGroupSize / 8;
}

uint64_t ChoiceBytes(const GraphInfo& info) { return info.num_blocks() * kChoiceBytesABlock; }

uint64_t BookkeepingBytes(const GraphInfo& info) { return ControlBytes(info) + ChoiceBytes(info); }

std::unique_ptr<MemoryRegistrar> MakeRegistrar(Gpu& gpu, int threads) {
#if defined(EDGEMILL_WITH_CUDA)
  return std::make_unique<PinningRegistrar>(gpu, threads);
#else
  (void)gpu, (void)threads;
  return nullptr;
#endif
}

bool PinsCache(const Gpu& gpu, const RunOptions& options, uint64_t swept_bytes) {
#if defined(EDGEMILL_WITH_CUDA)
  const Transfer transfer = options.gpu.transfer;
  return transfer != Transfer::kResident && transfer != Transfer::kManaged &&
         (transfer != Transfer::kAuto || gpu.memory_bytes() <= 2 * swept_bytes);
#else
  (void)gpu, (void)options, (void)swept_bytes;
  return false;
#endif
}

uint64_t LeastStagingBytes(const GraphStore& store, bool with_weights) {
  return BlockSlots::HostBytes(MostBlockBytes(store.info(), with_weights) +
                               4 * BlockSlots::kAlignment) +
         BookkeepingBytes(store.info());
}

uint64_t AmpleStagingBytes(const GraphStore& store, bool with_weights,
                           const GpuRunOptions& options) {
  const uint64_t slot = std::max(options.batch_bytes, MostBlockBytes(store.info(), with_weights));
  return options.streams * BlockSlots::HostBytes(slot) + BookkeepingBytes(store.info());
}

}  // namespace edgemill

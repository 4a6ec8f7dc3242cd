#include "engine/gpu/workspace/gpu_control.h"

#include <algorithm>
#include <cstring>

#include "common/check.h"
#include "engine/plan/staging_memory.h"
#include "kernels/gpu/edge_kernels.h"

namespace edgemill {

static_assert(GpuControl::kPageBytes == kCountersBytes);

Status GpuControl::Create(Gpu& gpu, GpuStream& stream, const GraphInfo& info, Transfer transfer,
                          MemoryBudget& budget) {
  CHECK(gpu_ == nullptr);
  gpu_ = &gpu;
  stream_ = &stream;
  const uint64_t bytes = ControlBytes(info, transfer);
  ASSIGN_OR_RETURN(reservation_, budget.Reserve(bytes, "counters for the GPU"));
  ASSIGN_OR_RETURN(memory_, PinnedBuffer::Allocate(gpu, bytes, 1));
  num_blocks_ = info.num_blocks();
  bits_at_ = bytes - ControlBitsBytes(info, transfer);
  return OkStatus();
}

StatusOr<const std::byte*> GpuControl::Stage(std::span<const std::byte> bytes) {
  CHECK_LE(bytes.size(), kPageBytes);
  RETURN_IF_ERROR(stream_->Synchronize());
  std::memcpy(memory_.data(), bytes.data(), bytes.size());
  return memory_.data();
}

Status GpuControl::Write(void* device, std::span<const std::byte> bytes) {
  ASSIGN_OR_RETURN(const std::byte* const staged, Stage(bytes));
  return stream_->CopyToDevice(device, staged, bytes.size());
}

Status GpuControl::Read(std::span<std::byte> bytes, const void* device) {
  CHECK(stream_ != nullptr);
  const auto* from = static_cast<const std::byte*>(device);
  while (!bytes.empty()) {
    const std::span<std::byte> some = bytes.first(std::min<size_t>(kPageBytes, bytes.size()));
    RETURN_IF_ERROR(stream_->CopyToHost(memory_.data(), from, some.size()));
    RETURN_IF_ERROR(stream_->Synchronize());
    std::memcpy(some.data(), memory_.data(), some.size());
    from += some.size();
    bytes = bytes.subspan(some.size());
  }
  return OkStatus();
}

StatusOr<std::optional<std::span<const VertexId>>> GpuControl::ListMembers(const uint32_t* words,
                                                                           uint64_t num_vertices,
                                                                           uint32_t* counter) {
  CHECK(counter != nullptr);
  auto* const list = reinterpret_cast<VertexId*>(memory_.data());
  RETURN_IF_ERROR(stream_->Fill(counter, 0, sizeof(*counter)));
  LaunchListMembers(words, num_vertices, list, kMaxMembers, counter, stream_->handle());
  RETURN_IF_ERROR(gpu_->AfterLaunch("list members"));
  RETURN_IF_ERROR(stream_->CopyToHost(list + kMaxMembers, counter, sizeof(*counter)));
  RETURN_IF_ERROR(stream_->Synchronize());
  const uint64_t count = list[kMaxMembers];
  std::optional<std::span<const VertexId>> members;
  if (count <= kMaxMembers) members.emplace(list, count);
  return members;
}

}  // namespace edgemill

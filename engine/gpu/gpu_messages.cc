#include "engine/gpu/gpu_messages.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "common/check.h"

namespace edgemill {

StatusOr<std::unique_ptr<GpuMessages>> GpuMessages::Create(Gpu& gpu, uint64_t max_sum_bytes,
                                                           MemoryBudget& budget) {
  std::unique_ptr<GpuMessages> messages(new GpuMessages(gpu));
  const uint64_t bytes = SizeBytes(max_sum_bytes);
  ASSIGN_OR_RETURN(messages->reservation_, budget.Reserve(bytes, "messages for the GPU"));
  ASSIGN_OR_RETURN(messages->memory_, PinnedBuffer::Allocate(gpu, bytes, 1));
  ASSIGN_OR_RETURN(messages->main_event_, GpuEvent::Create(gpu));
  ASSIGN_OR_RETURN(messages->stream_, GpuStream::Create(gpu));
  MutexLock lock(messages->mutex_);
  std::byte* at = messages->memory_.data();
  for (Half& half : messages->halves_) {
    half.sums = at;
    half.vertices = reinterpret_cast<VertexId*>(at + kMaxMessages * max_sum_bytes);
    at += bytes / 2;
    ASSIGN_OR_RETURN(half.read, GpuEvent::Create(gpu));
  }
  return messages;
}

Status GpuMessages::Begin(uint32_t sum_bytes, Launch launch, GpuStream& main) {
  CHECK(launch != nullptr);
  sum_bytes_ = sum_bytes;
  launch_ = std::move(launch);
  {
    MutexLock lock(mutex_);
    size_ = 0;
  }
  RETURN_IF_ERROR(main.Record(main_event_));
  return stream_.WaitFor(main_event_);
}

Status GpuMessages::Add(std::span<const VertexId> vertices, const void* sums) {
  MutexLock lock(mutex_);
  const auto* from = static_cast<const std::byte*>(sums);
  while (!vertices.empty()) {
    Half& half = halves_[filled_];
    if (size_ == 0 && std::exchange(half.in_use, false)) RETURN_IF_ERROR(half.read.Synchronize());
    const size_t count = std::min<size_t>(vertices.size(), kMaxMessages - size_);
    std::copy_n(vertices.begin(), count, half.vertices + size_);
    std::memcpy(half.sums + uint64_t{size_} * sum_bytes_, from, count * sum_bytes_);
    from += count * sum_bytes_;
    vertices = vertices.subspan(count);
    size_ += static_cast<uint32_t>(count);
    if (size_ == kMaxMessages) RETURN_IF_ERROR(Send());
  }
  return OkStatus();
}

Status GpuMessages::Give(const std::function<Status(GpuStream& on)>& launch) {
  MutexLock lock(mutex_);
  const GpuScope scope(gpu_);
  return launch(stream_);
}

Status GpuMessages::Send() {
  const GpuScope scope(gpu_);
  Half& half = halves_[filled_];
  filled_ = 1 - filled_;
  const uint32_t count = std::exchange(size_, 0);
  CHECK(count > 0 && count <= kMaxMessages);
  RETURN_IF_ERROR(launch_(half.vertices, half.sums, count, stream_));
  half.in_use = true;
  gpu_.CountCopied(count * (sum_bytes_ + sizeof(VertexId)));
  return stream_.Record(half.read);
}

Status GpuMessages::End(GpuStream& main) {
  MutexLock lock(mutex_);
  if (size_ > 0) RETURN_IF_ERROR(Send());
  RETURN_IF_ERROR(stream_.Record(main_event_));
  return main.WaitFor(main_event_);
}

}  // namespace edgemill

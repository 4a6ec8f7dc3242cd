#include "engine/gpu/block_slots.h"

#include <cstring>

#include "common/check.h"

namespace edgemill {
namespace {

/// Payloads start at multiples of this in a slot, so that copies and lines stay aligned.
constexpr uint64_t kPayloadAlignment = 128;

uint64_t Aligned(uint64_t bytes) {
  return (bytes + kPayloadAlignment - 1) / kPayloadAlignment * kPayloadAlignment;
}

}  // namespace

StatusOr<std::unique_ptr<BlockSlots>> BlockSlots::Create(Gpu& gpu, uint32_t count, uint64_t bytes,
                                                         int threads, MemoryBudget& budget) {
  std::unique_ptr<BlockSlots> slots(new BlockSlots);
  slots->slot_bytes_ = bytes;
  ASSIGN_OR_RETURN(slots->reservation_,
                   budget.Reserve(count * HostBytes(bytes), "buffers for the GPU"));
  slots->slots_.resize(count);
  MutexLock lock(slots->mutex_);
  for (BlockSlot& slot : slots->slots_) {
    ASSIGN_OR_RETURN(slot.memory, PinnedBuffer::Allocate(gpu, HostBytes(bytes), threads));
    ASSIGN_OR_RETURN(slot.stream, GpuStream::Create(gpu));
    ASSIGN_OR_RETURN(slot.done, GpuEvent::Create(gpu));
    slots->free_.push_back(&slot);
  }
  return slots;
}

void BlockSlots::Seal() {
  if (filling_ == nullptr) return;
  filling_->sealed = true;
  if (filling_->writers == 0) {
    full_.push_back(filling_);
  } else {
    ++sealed_unfinished_;
  }
  filling_ = nullptr;
  changed_.NotifyAll();
}

Status BlockSlots::Put(uint64_t block, std::span<const std::byte> neighbors,
                       std::span<const std::byte> weights) {
  const uint64_t bytes = Aligned(neighbors.size()) + Aligned(weights.size());
  CHECK_LE(bytes, slot_bytes_);
  BlockSlot* slot = nullptr;
  std::byte* to = nullptr;
  {
    MutexLock lock(mutex_);
    while (true) {
      if (failed_) return InternalError("the GPU's feeder has ended");
      if (filling_ != nullptr && (filling_->used_bytes + bytes > slot_bytes_ ||
                                  filling_->num_blocks == BlockSlot::kMostBlocks)) {
        Seal();
      }
      if (filling_ == nullptr && !free_.empty()) {
        filling_ = free_.front();
        free_.pop_front();
        filling_->used_bytes = 0;
        filling_->num_blocks = 0;
        filling_->sealed = false;
      }
      if (filling_ != nullptr) break;
      changed_.Wait(mutex_);
    }
    slot = filling_;
    ++slot->writers;
    to = slot->bytes() + slot->used_bytes;
    slot->places()[slot->num_blocks++] = {
        block,
        {reinterpret_cast<const uint64_t*>(to),
         weights.empty() ? nullptr : to + Aligned(neighbors.size())}};
    slot->used_bytes += bytes;
  }
  std::memcpy(to, neighbors.data(), neighbors.size());
  if (!weights.empty()) {
    std::memcpy(to + Aligned(neighbors.size()), weights.data(), weights.size());
  }
  MutexLock lock(mutex_);
  if (--slot->writers == 0 && slot->sealed) {
    --sealed_unfinished_;
    full_.push_back(slot);
    changed_.NotifyAll();
  }
  return OkStatus();
}

void BlockSlots::EndFilling() {
  MutexLock lock(mutex_);
  Seal();
  ended_ = true;
  changed_.NotifyAll();
}

BlockSlot* BlockSlots::NextFull(BlockSlot** oldest) {
  *oldest = nullptr;
  MutexLock lock(mutex_);
  while (true) {
    if (!full_.empty()) {
      BlockSlot* const slot = full_.front();
      full_.pop_front();
      return slot;
    }
    if (!submitted_.empty()) {
      *oldest = submitted_.front();
      return nullptr;
    }
    if (ended_ && sealed_unfinished_ == 0) return nullptr;
    changed_.Wait(mutex_);
  }
}

void BlockSlots::Submitted(BlockSlot& slot) {
  MutexLock lock(mutex_);
  submitted_.push_back(&slot);
}

void BlockSlots::Free(BlockSlot& slot) {
  MutexLock lock(mutex_);
  CHECK(!submitted_.empty() && submitted_.front() == &slot);
  submitted_.pop_front();
  free_.push_back(&slot);
  changed_.NotifyAll();
}

void BlockSlots::Fail() {
  MutexLock lock(mutex_);
  failed_ = true;
  changed_.NotifyAll();
}

void BlockSlots::Reset() {
  MutexLock lock(mutex_);
  CHECK_EQ(free_.size(), slots_.size());
  ended_ = false;
}

}  // namespace edgemill

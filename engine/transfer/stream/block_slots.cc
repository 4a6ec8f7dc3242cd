#include "engine/transfer/stream/block_slots.h"

#include <cstring>

#include "common/check.h"
#include "kernels/group_gathering.h"

namespace edgemill {
namespace {

/// What of a block's groups is on the card when it got there by `transfer`.
HeldGroups HeldAfter(Transfer transfer) {
  return transfer == Transfer::kCompaction ? HeldGroups::kWanted
         : transfer == Transfer::kZeroCopy ? HeldGroups::kNone
                                           : HeldGroups::kAll;
}

}  // namespace

StatusOr<std::unique_ptr<BlockSlots>> BlockSlots::Create(Gpu& gpu, const Sizes& sizes, int threads,
                                                         MemoryBudget& budget) {
  std::unique_ptr<BlockSlots> slots(new BlockSlots);
  slots->slot_bytes_ = sizes.slot_bytes;
  slots->slot_reach_bytes_ = static_cast<uint64_t>(sizes.reach_bytes / sizes.count);
  const uint64_t host_bytes = StagingLayout::HostBytes(sizes.slot_bytes);
  ASSIGN_OR_RETURN(slots->reservation_,
                   budget.Reserve(sizes.count * host_bytes, "buffers for the GPU"));
  slots->slots_.resize(sizes.count);
  MutexLock lock(slots->mutex_);
  slots->room_bytes_ = sizes.room_bytes;
  for (BlockSlot& slot : slots->slots_) {
    ASSIGN_OR_RETURN(slot.memory, PinnedBuffer::Allocate(gpu, host_bytes, threads));
    // Ahead of what is visited on the card meanwhile: a slot that waits for that holds up copies.
    ASSIGN_OR_RETURN(slot.stream, GpuStream::Create(gpu, true));
    for (GpuEvent* const event : {&slot.begun, &slot.copied, &slot.done}) {
      ASSIGN_OR_RETURN(*event, GpuEvent::Create(gpu, true));
    }
    slot.pieces.reserve(StagingLayout::kMostPieces);
    slots->free_.push_back(&slot);
  }
  return slots;
}

void BlockSlots::Seal() {
  if (filling_ == nullptr) return;
  filling_->sealed = true;
  if (filling_->writers == 0) {
    Fill(*filling_);
  } else {
    ++sealed_unfinished_;
  }
  filling_ = nullptr;
  changed_.NotifyAll();
}

void BlockSlots::Fill(BlockSlot& slot) {
  slot.ready = Now();
  full_.push_back(&slot);
}

bool BlockSlots::HasRoom(const BlockSlot& slot, const Share& share) const {
  return slot.num_blocks == 0 || (slot.host_bytes + share.host_bytes <= slot_bytes_ &&
                                  slot.device_bytes + share.device_bytes <= slot_bytes_ &&
                                  slot.across_bytes + share.across_bytes <= slot_reach_bytes_ &&
                                  slot.num_blocks < StagingLayout::kMostBlocks);
}

BlockSlots::Share BlockSlots::ShareOf(const BlockEdges& edges, Transfer transfer,
                                      const uint32_t* groups) {
  const Stopwatch watch;
  Share share;
  share.transfer = transfer;
  share.in_place = edges.lease != nullptr && edges.lease->registered();
  const uint64_t neighbors = edges.payload.size();
  const uint64_t weights = edges.weights_payload.size();
  if (transfer == Transfer::kManaged) {
    share.in_place = false;
    return share;
  }
  if (transfer == Transfer::kCompaction) {
    const uint64_t first = edges.begin / kGroupSize;
    const bool packed = edges.packed_weights.num_values() > 0;
    share.host_bytes = StagingLayout::Aligned(GatheredBytes(edges.neighbors, groups, first));
    // Raw weights have no groups to gather: they are read where they are, if that can be.
    share.copy_weights = packed || !share.in_place;
    share.gathered = share.copy_weights;
    if (packed) {
      share.host_bytes +=
          StagingLayout::Aligned(GatheredBytes(edges.packed_weights, groups, first));
    } else if (!share.in_place) {
      share.host_bytes += StagingLayout::Aligned(weights);
    }
    share.device_bytes = share.host_bytes + 2 * StagingLayout::kAlignment;
    share.seconds = watch.seconds();
    return share;
  }
  if (!share.in_place)
    share.host_bytes = StagingLayout::Aligned(neighbors) + StagingLayout::Aligned(weights);
  if (transfer == Transfer::kZeroCopy) {
    share.across_bytes = neighbors + weights;
  } else {
    share.device_bytes =
        StagingLayout::DeviceBytes(neighbors) + StagingLayout::DeviceBytes(weights);
  }
  return share;
}

void BlockSlots::Clear(BlockSlot& slot) const {
  slot.host_bytes = slot.device_bytes = slot.across_bytes = 0;
  slot.num_blocks = 0;
  slot.pieces.clear();
  slot.work = {};
  slot.filling = Now();
  slot.ready = 0;
  slot.fill_seconds = 0;
  slot.sealed = false;
}

Transfer BlockSlots::TakeRoom(Transfer transfer, uint64_t bytes) {
  if (room_bytes_ < bytes) {
    CHECK(transfer == Transfer::kResident);  // unified memory was checked to hold all
    return Transfer::kFilter;
  }
  room_bytes_ -= bytes;
  return transfer;
}

BlockSlot* BlockSlots::TakeFree() {
  MutexLock lock(mutex_);
  const size_t for_readers = ended_ || slots_.size() == 1 ? 0 : 1;
  if (free_.size() <= for_readers) return nullptr;
  BlockSlot* const slot = free_.front();
  free_.pop_front();
  Clear(*slot);
  return slot;
}

bool BlockSlots::PutInPlace(BlockSlot& slot, uint64_t block, const BlockLease& lease,
                            Transfer transfer, uint32_t num_groups, uint32_t wanted_groups) {
  const std::span<const std::byte> neighbors = lease.payload(0);
  const std::span<const std::byte> weights = lease.payload(1);
  const uint64_t size = neighbors.size() + weights.size();
  const uint64_t bytes =
      StagingLayout::DeviceBytes(neighbors.size()) + StagingLayout::DeviceBytes(weights.size());
  const bool in_place = transfer == Transfer::kZeroCopy;
  const Share share{.device_bytes = in_place ? 0 : bytes, .across_bytes = in_place ? size : 0};
  if (!HasRoom(slot, share) || (slot.num_blocks > 0 && in_place != slot.pieces.empty())) {
    return false;
  }
  if (transfer == Transfer::kResident) {
    MutexLock lock(mutex_);
    transfer = TakeRoom(transfer, bytes);
  }
  const uint32_t index = slot.num_blocks++;
  slot.transfers[index] = transfer;
  slot.places()[index] = {block, PlaceOf(lease), HeldAfter(transfer)};
  slot.work[static_cast<size_t>(transfer)].Add(
      {.blocks = 1,
       .groups = num_groups,
       .wanted_groups = wanted_groups,
       .bytes = size,
       .moved_bytes = in_place ? size * wanted_groups / num_groups : size});
  slot.device_bytes += share.device_bytes;
  slot.across_bytes += share.across_bytes;
  if (in_place) return true;
  slot.pieces.push_back(
      {neighbors.data(), static_cast<uint32_t>(neighbors.size()), index, false, transfer});
  if (!weights.empty()) {
    slot.pieces.push_back(
        {weights.data(), static_cast<uint32_t>(weights.size()), index, true, transfer});
  }
  return true;
}

StatusOr<BlockSlot*> BlockSlots::Claim(const Share& share, uint32_t* index, std::byte** to) {
  CHECK_LE(share.host_bytes, slot_bytes_);
  MutexLock lock(mutex_);
  while (true) {
    if (failed_) return InternalError("the GPU's feeder has ended");
    if (filling_ != nullptr && !HasRoom(*filling_, share)) Seal();
    if (filling_ == nullptr && !free_.empty()) {
      filling_ = free_.front();
      free_.pop_front();
      Clear(*filling_);
    }
    if (filling_ != nullptr) break;
    changed_.Wait(mutex_, WaitCause::kDevice);
  }
  BlockSlot& slot = *filling_;
  ++slot.writers;
  *index = slot.num_blocks++;
  *to = slot.bytes() + slot.host_bytes;
  slot.host_bytes += share.host_bytes;
  // Blocks that stay do not need the slot's memory on the card, but copies are to be of its size.
  slot.device_bytes += share.device_bytes;
  slot.across_bytes += share.across_bytes;
  slot.transfers[*index] = share.transfer;
  return &slot;
}

Status BlockSlots::Put(const BlockEdges& edges, Transfer transfer, const uint32_t* groups,
                       uint32_t wanted_groups, bool keeps_cached) {
  Share share = ShareOf(edges, transfer, groups);
  share.wanted_groups = wanted_groups;
  share.takes_lease = share.in_place && !share.gathered && !(keeps_cached && edges.lease->cached());
  if (transfer == Transfer::kResident || transfer == Transfer::kManaged) {
    const uint64_t bytes = StagingLayout::DeviceBytes(edges.payload.size()) +
                           StagingLayout::DeviceBytes(edges.weights_payload.size());
    MutexLock lock(mutex_);
    share.transfer = TakeRoom(transfer, bytes);
  }
  uint32_t index = 0;
  std::byte* to = nullptr;
  ASSIGN_OR_RETURN(BlockSlot* const slot, Claim(share, &index, &to));
  Describe(edges, share, groups, *slot, index, to);
  MutexLock lock(mutex_);
  if (--slot->writers == 0 && slot->sealed) {
    --sealed_unfinished_;
    Fill(*slot);
    changed_.NotifyAll();
  }
  return OkStatus();
}

/// Brings the block's bytes where the slot needs them, and says where that is.
void BlockSlots::Describe(const BlockEdges& edges, const Share& share, const uint32_t* groups,
                          BlockSlot& slot, uint32_t index, std::byte* to) {
  const Stopwatch watch;
  const std::byte* neighbors = edges.payload.data();
  const std::byte* weights = edges.weights_payload.data();
  uint64_t neighbors_bytes = edges.payload.size();
  uint64_t weights_bytes = edges.weights_payload.size();
  if (share.transfer == Transfer::kManaged) {
    MutexLock lock(mutex_);
    to = managed_ + managed_used_;
    managed_used_ +=
        StagingLayout::Aligned(neighbors_bytes) + StagingLayout::Aligned(weights_bytes);
  }
  if (share.transfer == Transfer::kCompaction) {
    const uint64_t first = edges.begin / kGroupSize;
    neighbors_bytes = GatherGroups(edges.neighbors, groups, first, to);
    neighbors = to;
    to += StagingLayout::Aligned(neighbors_bytes);
    if (edges.packed_weights.num_values() > 0) {
      weights_bytes = GatherGroups(edges.packed_weights, groups, first, to);
      weights = to;
    } else if (weights_bytes > 0 && !share.in_place) {
      std::memcpy(to, weights, weights_bytes);
      weights = to;
    }
  } else if (!share.in_place) {
    std::memcpy(to, neighbors, neighbors_bytes);
    neighbors = to;
    to += StagingLayout::Aligned(neighbors_bytes);
    if (weights_bytes > 0) {
      std::memcpy(to, weights, weights_bytes);
      weights = to;
    }
  }
  MutexLock lock(mutex_);
  slot.places()[index] = {edges.block,
                          {reinterpret_cast<const uint64_t*>(neighbors),
                           weights_bytes > 0 ? static_cast<const void*>(weights) : nullptr},
                          HeldAfter(share.transfer)};
  BatchWork work{.blocks = 1,
                 .groups = edges.neighbors.num_groups(),
                 .wanted_groups = share.wanted_groups,
                 .bytes = edges.payload.size() + edges.weights_payload.size()};
  if (share.transfer == Transfer::kZeroCopy) {
    work.moved_bytes = work.bytes * work.wanted_groups / work.groups;
  } else if (share.transfer == Transfer::kManaged) {
    work.moved_bytes = work.bytes;
  } else {
    work.moved_bytes =
        neighbors_bytes +
        (share.copy_weights ? weights_bytes : weights_bytes * work.wanted_groups / work.groups);
    slot.pieces.push_back(
        {neighbors, static_cast<uint32_t>(neighbors_bytes), index, false, share.transfer});
    if (weights_bytes > 0 && share.copy_weights) {
      slot.pieces.push_back(
          {weights, static_cast<uint32_t>(weights_bytes), index, true, share.transfer});
    }
  }
  if (!share.in_place || share.transfer == Transfer::kCompaction) {
    work.host_bytes = neighbors_bytes + weights_bytes;
    slot.fill_seconds += share.seconds + watch.seconds();
  }
  slot.work[static_cast<size_t>(share.transfer)].Add(work);
  if (share.takes_lease) slot.leases.push_back(std::move(*edges.lease));
}

void BlockSlots::FreeRoom(uint64_t bytes) {
  MutexLock lock(mutex_);
  room_bytes_ = bytes;
}

void BlockSlots::EndFilling() {
  MutexLock lock(mutex_);
  Seal();
  ended_ = true;
  changed_.NotifyAll();
}

BlockSlot* BlockSlots::NextFull(bool may_wait, BlockSlot** oldest) {
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
    if (!may_wait || (ended_ && sealed_unfinished_ == 0)) return nullptr;
    AwaitReaders();
  }
}

void BlockSlots::AwaitReaders() {
  // In that time the disk reads as much as is worth a batch.
  constexpr double kPatienceSeconds = 0.5e-3;
  const BlockSlot* const filling = filling_;
  if (filling == nullptr || filling->leases.empty()) {
    changed_.WaitFor(mutex_, kPatienceSeconds);
  } else if (!changed_.WaitFor(mutex_, kPatienceSeconds) && filling_ == filling) {
    Seal();
  }
}

void BlockSlots::Submitted(BlockSlot& slot) {
  MutexLock lock(mutex_);
  submitted_.push_back(&slot);
}

void BlockSlots::Free(BlockSlot& slot) {
  slot.leases.clear();
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

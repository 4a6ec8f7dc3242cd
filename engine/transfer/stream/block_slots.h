// Buffers between the threads that read blocks and the one that feeds the GPU.
//
// A slot is a batch of blocks with a pinned buffer of the host and a stream of its own. Readers
// fill one together; when it is full, or the sweep ends, the feeder submits it, and gets it back
// when its stream has passed a mark. With several slots, reading and checking, copies and kernels
// overlap, and readers wait when the GPU does not keep up.
//
// Blocks in pinned memory are used where they are. Leases on the block cache's are kept by whoever
// asked for them; those on buffers that the disk waits for by the slot, until it is free again. So
// that these do not wait for each other, a slot that has some is submitted as it is as soon as the
// card has nothing to do. Blocks in other memory are copied into the slot.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "common/clock.h"
#include "common/memory_budget.h"
#include "common/status.h"
#include "common/thread_annotations.h"
#include "engine/cost/cost_model.h"
#include "engine/device/gpu.h"
#include "engine/graph/block_edges.h"
#include "engine/plan/staging_layout.h"
#include "engine/report/transfer.h"
#include "kernels/edge_kernels.h"
#include "storage/format/group_codec.h"
#include "storage/read/block_cache.h"

namespace edgemill {

/// A batch of blocks on its way.
struct BlockSlot {
  /// Bytes to be copied to the card for block number `index` of the slot.
  struct Piece {
    const std::byte* from;
    uint32_t bytes;
    uint32_t index;
    bool is_weights;
    Transfer transfer;
  };

  PinnedBuffer memory;                 // BlockPlaces, CopyPieces, then bytes: StagingLayout
  std::byte* device = nullptr;         // of the card, as many bytes; null when all blocks stay
  uint32_t* device_numbers = nullptr;  // of the blocks
  GpuStream stream;
  GpuEvent begun;  // its copies; this and the next two are timed
  GpuEvent copied;
  GpuEvent done;

  // The batch. A place's pointers are final, or come from its pieces when the slot is submitted.
  uint64_t host_bytes = 0;    // of memory
  uint64_t device_bytes = 0;  // of device
  uint64_t across_bytes = 0;  // of blocks that kernels read across the link
  uint32_t num_blocks = 0;
  std::array<Transfer, StagingLayout::kMostBlocks>
      transfers;  // by block; kResident: stays on the card
  std::vector<Piece> pieces;
  std::vector<BlockLease> leases;             // of blocks that are used where the reader has them
  std::array<BatchWork, kNumTransfers> work;  // by engine
  double filling = 0;                         // when it began to be filled, by the slots' clock
  double ready = 0;                           // when readers had filled it; 0: others do
  double fill_seconds = 0;                    // of all threads together
  size_t record = 0;                          // its number in the feeder's SweepRecord
  uint32_t writers = 0;
  bool sealed = false;

  BlockPlace* places() { return reinterpret_cast<BlockPlace*>(memory.data()); }
  CopyPiece* copies() {
    return reinterpret_cast<CopyPiece*>(places() + StagingLayout::kMostBlocks);
  }
  std::byte* bytes() { return memory.data() + StagingLayout::kListsBytes; }
};

/// The slots of one feeder, and where each is. Thread-safe.
class BlockSlots {
 public:
  struct Sizes {
    uint32_t count = 1;
    uint64_t slot_bytes = 0;
    uint64_t room_bytes = 0;  // of the card, for blocks to stay in
    double reach_bytes = 0;   // of the host, whose addresses the GPU translates without delay
  };
  /// Makes slots, reserved in `budget` and pinned with `threads` threads. Kernels of all slots
  /// together read across the link no farther than the reach, but for one block each.
  static StatusOr<std::unique_ptr<BlockSlots>> Create(Gpu& gpu, const Sizes& sizes, int threads,
                                                      MemoryBudget& budget);

  std::vector<BlockSlot>& slots() { return slots_; }
  void SetManaged(std::byte* memory) { managed_ = memory; }
  /// Seconds since the slots were made, or RestartClock.
  double Now() const { return clock_.seconds(); }
  const Stopwatch& clock() const { return clock_; }
  void RestartClock() { clock_.Restart(); }

  /// Where kernels read a checked block in registered memory.
  static DeviceBlock PlaceOf(const BlockLease& lease) {
    return {reinterpret_cast<const uint64_t*>(lease.payload(0).data()), lease.payload(1).data()};
  }
  /// Adds a checked block in registered memory to `slot`, which is TakeFree's, to be sent by
  /// `transfer`: kResident, kFilter or kZeroCopy. `wanted_groups` of its `num_groups` will be
  /// visited. False when the slot is full, or holds blocks that are sent otherwise: copied blocks
  /// and those read in place go apart.
  bool PutInPlace(BlockSlot& slot, uint64_t block, const BlockLease& lease, Transfer transfer,
                  uint32_t num_groups, uint32_t wanted_groups);
  /// A free slot for PutInPlace; null without one, or when it is the last for readers.
  BlockSlot* TakeFree();

  /// Adds a block to the slot being filled, to be sent by `transfer`; waits while no slot is free.
  /// kResident: stays on the card where there is room, else as kFilter. kCompaction: only its
  /// groups that are set in `groups` (null: all; of the host, a bit a group of the direction).
  /// `wanted_groups` will be visited. A registered block is used where it is, and its lease taken,
  /// but with `keeps_cached` that of a cached one, which the caller keeps until the sweep has
  /// ended. The error of Fail after it was called.
  Status Put(const BlockEdges& edges, Transfer transfer, const uint32_t* groups,
             uint32_t wanted_groups, bool keeps_cached);
  /// Blocks of `bytes` in all may stay on the card: those that stayed are forgotten.
  void FreeRoom(uint64_t bytes);
  /// No more blocks come in this sweep.
  void EndFilling();

  /// The next slot to submit; or, when none is full yet, `*oldest` to wait for; neither when all
  /// is done. Waits for the readers, unless `may_wait` is false: then neither may mean "not yet".
  BlockSlot* NextFull(bool may_wait, BlockSlot** oldest);
  /// A slot from NextFull has its work queued.
  void Submitted(BlockSlot& slot);
  /// The oldest submitted slot's work is done.
  void Free(BlockSlot& slot);
  /// The feeder gave up: readers end.
  void Fail();
  /// Ready for the next sweep. All slots must be free.
  void Reset();

 private:
  /// What a block takes of a slot.
  struct Share {
    uint64_t host_bytes = 0;
    uint64_t device_bytes = 0;
    uint64_t across_bytes = 0;
    Transfer transfer = Transfer::kFilter;
    bool in_place = false;     // the payloads are used where they are
    bool copy_weights = true;  // else kernels read them where they are
    bool gathered = false;     // so that the payloads are not needed any more
    bool takes_lease = false;
    uint32_t wanted_groups = 0;
    double seconds = 0;  // that it took to find out
  };

  BlockSlots() = default;
  /// Whether a block that takes so much goes into `slot` too.
  bool HasRoom(const BlockSlot& slot, const Share& share) const;
  Share ShareOf(const BlockEdges& edges, Transfer transfer, const uint32_t* groups);
  /// A slot with room for `share`, one more writer; the place and memory in it.
  StatusOr<BlockSlot*> Claim(const Share& share, uint32_t* index, std::byte** to);
  void Describe(const BlockEdges& edges, const Share& share, const uint32_t* groups,
                BlockSlot& slot, uint32_t index, std::byte* to);
  void Seal() REQUIRES(mutex_);
  /// Waits for readers; has what they have filled so far submitted, if they wait for its leases.
  void AwaitReaders() REQUIRES(mutex_);
  /// The readers are done with `slot`.
  void Fill(BlockSlot& slot) REQUIRES(mutex_);
  void Clear(BlockSlot& slot) const;
  /// kResident (kManaged) where there is room for `bytes` more to stay, which is then taken; else
  /// kFilter.
  Transfer TakeRoom(Transfer transfer, uint64_t bytes) REQUIRES(mutex_);

  std::vector<BlockSlot> slots_;
  uint64_t slot_bytes_ = 0;
  uint64_t slot_reach_bytes_ = 0;
  Stopwatch clock_;
  std::byte* managed_ = nullptr;
  MemoryReservation reservation_;
  Mutex mutex_;
  CondVar changed_;
  std::deque<BlockSlot*> free_ GUARDED_BY(mutex_);
  BlockSlot* filling_ GUARDED_BY(mutex_) = nullptr;
  std::deque<BlockSlot*> full_ GUARDED_BY(mutex_);
  std::deque<BlockSlot*> submitted_ GUARDED_BY(mutex_);
  uint32_t sealed_unfinished_ GUARDED_BY(mutex_) = 0;  // sealed, with writers
  uint64_t room_bytes_ GUARDED_BY(mutex_) = 0;         // left on the card
  uint64_t managed_used_ GUARDED_BY(mutex_) = 0;
  bool ended_ GUARDED_BY(mutex_) = false;
  bool failed_ GUARDED_BY(mutex_) = false;
};

}  // namespace edgemill

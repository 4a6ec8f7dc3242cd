// Buffers between the threads that read blocks and the one that feeds the GPU.
//
// A slot is a pinned buffer of the host with a stream of its own. Readers fill one together; when
// it is full, or the sweep ends, the feeder submits it, and gets it back when its stream has passed
// a mark. With several slots, reading and checking, copies and kernels overlap, and readers wait
// when the GPU does not keep up.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "common/memory_budget.h"
#include "common/status.h"
#include "common/thread_annotations.h"
#include "engine/gpu/gpu.h"
#include "kernels/edge_kernels.h"

namespace edgemill {

/// A batch of blocks on its way.
struct BlockSlot {
  static constexpr uint32_t kMostBlocks = 1024;

  PinnedBuffer memory;                 // kMostBlocks BlockPlaces, then bytes
  std::byte* device = nullptr;         // as many bytes on the card, unless blocks go elsewhere
  uint32_t* device_numbers = nullptr;  // of the blocks
  GpuStream stream;
  GpuEvent done;

  // Of the batch in it. Places point into bytes() until the slot is submitted.
  uint64_t used_bytes = 0;
  uint32_t num_blocks = 0;
  uint32_t writers = 0;
  bool sealed = false;

  BlockPlace* places() { return reinterpret_cast<BlockPlace*>(memory.data()); }
  std::byte* bytes() { return memory.data() + kMostBlocks * sizeof(BlockPlace); }
};

/// The slots of one feeder, and where each is. Thread-safe.
class BlockSlots {
 public:
  /// Pinned memory that a slot of `bytes` takes.
  static uint64_t HostBytes(uint64_t bytes) {
    return bytes + BlockSlot::kMostBlocks * sizeof(BlockPlace);
  }
  /// Makes `count` slots of `bytes`, reserved in `budget` and pinned with `threads` threads.
  static StatusOr<std::unique_ptr<BlockSlots>> Create(Gpu& gpu, uint32_t count, uint64_t bytes,
                                                      int threads, MemoryBudget& budget);

  std::vector<BlockSlot>& slots() { return slots_; }
  uint64_t slot_bytes() const { return slot_bytes_; }

  /// Copies a block's payloads into the slot being filled; waits while none is free. The error of
  /// Fail after it was called.
  Status Put(uint64_t block, std::span<const std::byte> neighbors,
             std::span<const std::byte> weights);
  /// No more blocks come in this sweep.
  void EndFilling();

  /// The next slot to submit; or, when none is full yet, `*oldest` to wait for; neither when all
  /// is done. Waits for the readers.
  BlockSlot* NextFull(BlockSlot** oldest);
  /// A slot from NextFull has its work queued.
  void Submitted(BlockSlot& slot);
  /// The oldest submitted slot's work is done.
  void Free(BlockSlot& slot);
  /// The feeder gave up: readers end.
  void Fail();
  /// Ready for the next sweep. All slots must be free.
  void Reset();

 private:
  BlockSlots() = default;
  void Seal() REQUIRES(mutex_);

  std::vector<BlockSlot> slots_;
  uint64_t slot_bytes_ = 0;
  MemoryReservation reservation_;
  Mutex mutex_;
  CondVar changed_;
  std::deque<BlockSlot*> free_ GUARDED_BY(mutex_);
  BlockSlot* filling_ GUARDED_BY(mutex_) = nullptr;
  std::deque<BlockSlot*> full_ GUARDED_BY(mutex_);
  std::deque<BlockSlot*> submitted_ GUARDED_BY(mutex_);
  uint32_t sealed_unfinished_ GUARDED_BY(mutex_) = 0;  // sealed, with writers
  bool ended_ GUARDED_BY(mutex_) = false;
  bool failed_ GUARDED_BY(mutex_) = false;
};

}  // namespace edgemill

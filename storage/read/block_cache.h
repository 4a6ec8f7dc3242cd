// Decompressed blocks kept from one pass to the next, under a byte budget, so that passes do not
// thrash.
//
// If a pass is larger than a cache that evicts the least recently used block, the pass reads
// everything: each block is evicted just before its next use. This cache keeps a resident set
// instead. Cached blocks stay while they are wanted. If the cache holds c N of the N bytes of a
// pass, the pass reads (1 - c) N. Only blocks that two streams over their column have not wanted
// are evicted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/status.h"
#include "storage/format/group_codec.h"
#include "storage/read/graph_store.h"
#include "storage/read/memory_registrar.h"
#include "storage/read/range_arena.h"

namespace edgemill {

/// Blocks by (column, number). Not thread-safe: its owner's lock guards it. For a pinned block,
/// three things need no lock: getting the payload, reading it (writing it, after Admit), and taking
/// one's own pin back. A pinned block stays where it is. Pins are added only under the lock, so a
/// thread that holds the lock and finds no pin may evict the block.
class BlockCache {
 public:
  /// Payloads start at multiples of this, a cache line of a GPU. A cached block takes RoundUp of
  /// its bytes.
  static constexpr uint32_t kUnitBytes = 128;

  /// The bytes that a payload of `bytes` takes, with bytes behind it that decoders may read.
  static constexpr uint64_t RoundUp(uint64_t bytes) {
    return (bytes + kDecodeSlackBytes + kUnitBytes - 1) / kUnitBytes * kUnitBytes;
  }

  BlockCache() = default;
  /// A cache of up to `bytes` of payloads (no more than the store has). BudgetError when the kernel
  /// refuses the memory, or the registrar's error. `store` and `registrar` must outlive the cache.
  static StatusOr<BlockCache> Create(const GraphStore& store, uint64_t bytes,
                                     MemoryRegistrar* registrar = nullptr);
  /// Payload memory that a cache of `bytes` takes for `store`; at most what all of its blocks take.
  static uint64_t PayloadBytes(const GraphStore& store, uint64_t bytes);
  /// Memory of the index beside the payloads, for a cache that is not empty.
  static uint64_t IndexBytes(const GraphStore& store);

  /// Whether payloads are in memory that a device reads by itself.
  bool registered() const { return registered_.registered(); }
  bool enabled() const { return arena_.size_bytes() > 0; }
  /// Begins a stream over `column`. Blocks that the stream before it did not want are stale until
  /// the new one wants them.
  void BeginStream(ColumnKind column);
  /// Whether the block is cached. If so, the block counts as wanted by the latest stream and is
  /// pinned until Unpin.
  bool Want(ColumnKind column, uint64_t block);
  /// Whether the block is cached.
  bool Has(ColumnKind column, uint64_t block) const {
    return enabled() && entries_[static_cast<size_t>(column)][block].filled();
  }
  /// As Want, for a look-up that is not a stream.
  bool Pin(ColumnKind column, uint64_t block);
  /// Makes room for a block that is not cached, by evicting stale ones if need be. The block is
  /// then pinned, but counts as cached only after Filled. False when no memory can be freed, or
  /// when another stream is bringing the block in.
  bool Admit(ColumnKind column, uint64_t block);
  /// Marks the admitted block as cached: its payload has been written.
  void Filled(ColumnKind column, uint64_t block);
  /// Takes back an admission for which the payload never came.
  void Drop(ColumnKind column, uint64_t block);
  /// Takes one pin back. Thread-safe.
  void Unpin(ColumnKind column, uint64_t block);
  /// Memory of a pinned block's payload. Thread-safe.
  std::span<std::byte> payload(ColumnKind column, uint64_t block);

  uint64_t used_bytes() const { return arena_.size_bytes() - arena_.free_bytes(); }

 private:
  static constexpr uint32_t kNowhere = ~uint32_t{0};
  /// The most admissions that may fail in one stream before the cache stops trying. Later small
  /// blocks that still fit into gaps would split the pass into reads of one block.
  static constexpr uint32_t kMaxFailures = 8;

  struct Entry {
    uint32_t place = kNowhere;  // in units of the arena
    uint32_t wanted = 0;        // number of the last stream over the column that wanted it
    uint32_t state = 0;         // kFilled, and kPin for each pin; atomic

    static constexpr uint32_t kFilled = 1, kPin = 2;
    bool filled() const { return (Load() & kFilled) != 0; }
    bool pinned() const { return Load() >= kPin; }
    void Add(uint32_t value) { __atomic_fetch_add(&state, value, __ATOMIC_RELAXED); }
    /// Returns the state before. A thread that sees no pin may overwrite what the pin's thread has
    /// read.
    uint32_t ReleasePin() { return __atomic_fetch_sub(&state, kPin, __ATOMIC_RELEASE); }

   private:
    uint32_t Load() const { return __atomic_load_n(&state, __ATOMIC_ACQUIRE); }
  };

  Entry& entry(ColumnKind column, uint64_t block) {
    return entries_[static_cast<size_t>(column)][block];
  }
  std::span<std::byte> BytesOf(ColumnKind column, uint64_t block);
  /// Evicts the next stale block of the scan. False when the scan has passed all blocks since
  /// BeginStream.
  bool EvictOne();

  const GraphStore* store_ = nullptr;
  RangeArena arena_;
  RegisteredMemory registered_;  // the registration of the arena's memory
  std::array<std::vector<Entry>, kNumColumns> entries_;
  std::array<uint32_t, kNumColumns> streams_{};  // number of streams begun, by column
  uint64_t num_entries_ = 0;
  uint64_t scan_left_ = 0;
  size_t scan_column_ = 0;
  uint64_t scan_block_ = 0;
  uint32_t failures_ = 0;
};

}  // namespace edgemill

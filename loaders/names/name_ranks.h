// From names' hashes to their ranks, a share of the names at a time.
#pragma once

#include <cstdint>

#include "common/buffer.h"
#include "common/os/memory_budget.h"
#include "common/status.h"
#include "loaders/names/name_run.h"
#include "loaders/source/name_hash.h"

namespace edgemill {

/// One of `count` equal parts of the range of all hashes.
struct HashSlice {
  uint64_t index = 0;
  uint64_t count = 1;
  bool Holds(uint64_t id) const {
    return static_cast<uint64_t>((static_cast<unsigned __int128>(id) * count) >> 63) == index;
  }
};

/// The ranks of those names whose hashes lie in a slice. For other names it may return anything.
/// Immutable; thread-safe.
class NameRanks {
 public:
  /// Into how many slices `num_names` names are divided, so that each slice fits `bytes`.
  static uint64_t NumSlices(uint64_t num_names, uint64_t bytes);

  /// Reads `names` on `threads` threads. BadDataError, which says what to do, when two names have
  /// the same hash; BudgetError when memory is too small.
  static StatusOr<NameRanks> Create(const NameRun& names, uint64_t seed, const HashSlice& slice,
                                    int threads, MemoryBudget& budget);

  /// The rank of the name with this hash; kInvalidVertex or any rank when no name has this hash.
  uint32_t Find(uint64_t id) const {
    const Place place = PlaceOf(id);
    for (size_t at = place.slot;; at = at + 1 == slots_.size() ? 0 : at + 1) {
      const uint64_t slot = slots_[at];
      if (slot == kEmpty || slot >> 32 == place.tag) return static_cast<uint32_t>(slot);
    }
  }
  /// Prefetches the memory that Find(id) reads.
  void Prefetch(uint64_t id) const { __builtin_prefetch(&slots_[PlaceOf(id).slot]); }

 private:
  /// A slot is a tag of 32 bits and a rank; ranks are below kInvalidVertex.
  static constexpr uint64_t kEmpty = ~uint64_t{0};
  struct Place {
    size_t slot;
    uint64_t tag;
  };

  Place PlaceOf(uint64_t id) const {
    const uint64_t mixed = id * multiplier_;
    return {static_cast<size_t>((static_cast<unsigned __int128>(mixed) * slots_.size()) >> 64),
            (mixed ^ id >> 31) & 0xffffffff};
  }
  /// Puts a rank into a free slot. False when no slot is free, or when a slot on the way has the
  /// same tag: Find could not tell the two names apart. Thread-safe.
  bool Insert(uint64_t id, uint32_t rank);
  StatusOr<bool> InsertAll(const NameRun& names, uint64_t seed, const HashSlice& slice,
                           int threads);

  uint64_t multiplier_ = 0;
  MemoryReservation reservation_;
  Array<uint64_t> slots_;  // linear probing
};

}  // namespace edgemill

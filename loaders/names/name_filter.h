// Which names have been gathered already, as far as memory allows.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "common/buffer.h"
#include "common/check.h"
#include "common/os/memory_budget.h"
#include "loaders/source/name_hash.h"

namespace edgemill {

/// A set of names that may forget some: a cache with lines of eight. A new name may replace another
/// one in its line.
class NameFilter {
 public:
  static constexpr uint64_t kMinBytes = uint64_t{64} << 10;

  /// Reserves `bytes`, at least kMinBytes.
  static StatusOr<NameFilter> Create(uint64_t bytes, MemoryBudget& budget) {
    CHECK_GE(bytes, kMinBytes);
    NameFilter filter;
    filter.num_lines_ = bytes / (kLine * sizeof(uint64_t));
    ASSIGN_OR_RETURN(filter.reservation_, budget.Reserve(bytes, "the filter of names"));
    ASSIGN_OR_RETURN(filter.marks_, Array<uint64_t>::Allocate(filter.num_lines_ * kLine));
    return filter;
  }

  /// Returns whether `name`, whose hash is `id`, is in the set, and adds the name. May return false
  /// for a name that was added before. Returns true for a new name only if its line has a name with
  /// the same second hash of 64 bits. The seed of that hash is drawn for this set, so that no input
  /// can be made with such names. Thread-safe.
  bool Add(uint64_t id, std::string_view name) {
    uint64_t* const line = &marks_[LineOf(id) * kLine];
    const uint64_t mark = MarkOfName(name, seed_);
    size_t place = mark % kLine;
    for (size_t i = 0; i < kLine; ++i) {
      const uint64_t found = std::atomic_ref<uint64_t>(line[i]).load(std::memory_order_relaxed);
      if (found == mark && mark != 0) return true;
      if (found != 0) continue;
      place = i;
      break;
    }
    std::atomic_ref<uint64_t>(line[place]).store(mark, std::memory_order_relaxed);
    return false;
  }
  /// Prefetches the memory that Add of a name with this hash reads.
  void Prefetch(uint64_t id) const { __builtin_prefetch(&marks_[LineOf(id) * kLine]); }

 private:
  static constexpr size_t kLine = 8;
  size_t LineOf(uint64_t id) const {
    return static_cast<size_t>((static_cast<unsigned __int128>(id) * num_lines_) >> 63);
  }

  uint64_t seed_ = DrawNameSeed();
  MemoryReservation reservation_;
  uint64_t num_lines_ = 0;
  Array<uint64_t> marks_;
};

}  // namespace edgemill

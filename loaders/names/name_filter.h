// Which names have been gathered already, as far as memory allows.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>

#include "common/buffer.h"
#include "common/memory_budget.h"
#include "loaders/source/name_hash.h"

namespace edgemill {

/// A lossy set of names: a cache of lines of eight, of which a new name takes one's place.
class NameFilter {
 public:
  static constexpr uint64_t kLeastBytes = uint64_t{64} << 10;

  /// Reserves `bytes`, at least kLeastBytes.
  static StatusOr<NameFilter> Create(uint64_t bytes, MemoryBudget& budget) {
    NameFilter filter;
    filter.num_lines_ = bytes / (kLine * sizeof(uint64_t));
    ASSIGN_OR_RETURN(filter.reservation_, budget.Reserve(bytes, "the filter of names"));
    ASSIGN_OR_RETURN(filter.marks_, Array<uint64_t>::Allocate(filter.num_lines_ * kLine));
    return filter;
  }

  /// Whether `name` is in the set; puts it there. Of names that are in it this may be false. It is
  /// true of another only where 64 bits of their hashes and the line agree: once in 10^16 names.
  /// Thread-safe.
  bool Add(const NameHash& name) {
    uint64_t* const line = &marks_[LineOf(name) * kLine];
    const uint64_t mark = name.check ^ std::rotl(name.id, 32);
    size_t place = name.check % kLine;
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
  /// Brings the memory that Add(name) looks at nearer.
  void Prefetch(const NameHash& name) const { __builtin_prefetch(&marks_[LineOf(name) * kLine]); }

 private:
  static constexpr size_t kLine = 8;
  size_t LineOf(const NameHash& name) const {
    return static_cast<size_t>((static_cast<unsigned __int128>(name.id) * num_lines_) >> 63);
  }

  MemoryReservation reservation_;
  uint64_t num_lines_ = 0;
  Array<uint64_t> marks_;
};

}  // namespace edgemill

// One vertex's list, marked so that other lists can be tested against it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include "common/buffer.h"
#include "common/status.h"
#include "kernels/cpu/members.h"

namespace edgemill {

/// Belongs to one thread. Three structures, all small enough for its caches:
///   - A bitmap of the hubs in the list, to intersect with HubRows.
///   - A bitmap of all neighbours by the low bits of their ranks. A vector of other ranks is tested
///     at a time. Most neighbours have low ranks, so that few ranks collide.
///   - A hash table from rank to place in the list, for those that the second bitmap lets pass.
class MarkedRanks {
 public:
  /// Lists have at most `longest` neighbours. BudgetError.
  static StatusOr<MarkedRanks> Create(uint64_t longest, uint32_t num_hubs) {
    MarkedRanks marked;
    marked.num_hubs_ = num_hubs;
    ASSIGN_OR_RETURN(marked.low_bits_, Array<uint64_t>::Allocate(kLowBits / 64));
    ASSIGN_OR_RETURN(marked.hubs_, Array<uint64_t>::Allocate(num_hubs / 64 + 1));
    ASSIGN_OR_RETURN(marked.slots_, Array<Slot>::Allocate(SlotsFor(longest)));
    ASSIGN_OR_RETURN(marked.found_, Array<uint32_t>::Allocate(longest + kMoreFound));
    return marked;
  }

  /// Is called before `size` ranks are marked.
  void Begin(uint64_t size) {
    num_slots_ = SlotsFor(size);
    shift_ = 32 - static_cast<uint32_t>(std::countr_zero(num_slots_));
  }
  bool is_hub(uint32_t rank) const { return rank < num_hubs_; }
  /// Marks a rank that stands at `place` of the list.
  void Mark(uint32_t rank, uint32_t place) {
    low_bits_[rank % kLowBits / 64] |= uint64_t{1} << rank % 64;
    if (is_hub(rank)) {
      hubs_[rank / 64] |= uint64_t{1} << rank % 64;
    } else {
      SlotOf(rank) = {rank, place + 1};
    }
  }
  /// Removes a mark. Those around it may go too: Unmark all, and then call End.
  void Unmark(uint32_t rank) {
    low_bits_[rank % kLowBits / 64] = 0;
    if (is_hub(rank)) hubs_[rank / 64] = 0;
  }
  void End() { std::fill_n(slots_.begin(), num_slots_, Slot{}); }

  /// The marked hubs, a bit each.
  const uint64_t* hubs() const { return hubs_.data(); }
  /// Calls visit_hub(rank, place in `other`) or visit(rank, place in `other`, place in the list)
  /// for each marked rank that is in `other`.
  template <typename VisitHub, typename Visit>
  void Intersect(std::span<const uint32_t> other, VisitHub visit_hub, Visit visit) {
    const uint32_t num_found = FindPlaces(other.data(), static_cast<uint32_t>(other.size()),
                                          low_bits_.data(), kLowBits - 1, found_.data());
    for (uint32_t i = 0; i < num_found; ++i) {
      const uint32_t place = found_[i], rank = other[place];
      if (is_hub(rank)) {
        if ((hubs_[rank / 64] >> rank % 64 & 1) != 0) visit_hub(rank, place);
        continue;
      }
      const Slot slot = SlotOf(rank);
      if (slot.place != 0) visit(rank, place, slot.place - 1);
    }
  }

 private:
  static constexpr uint32_t kLowBits = 1u << 18;  // 32 KiB: a first-level cache
  static constexpr uint64_t kMoreFound = 16;      // as FindPlaces asks
  struct Slot {
    uint32_t rank = 0, place = 0;  // place: in the list, from 1 on; 0: the slot is free
  };

  /// A power of two, at least twice the number of neighbours.
  static uint64_t SlotsFor(uint64_t size) { return std::bit_ceil(2 * size + 2); }
  /// The slot of `rank`; the free slot for it where it has none.
  Slot& SlotOf(uint32_t rank) {
    uint32_t at = rank * 0x9E3779B1u >> shift_;
    while (slots_[at].place != 0 && slots_[at].rank != rank)
      at = (at + 1) & (~uint32_t{0} >> shift_);
    return slots_[at];
  }

  uint32_t num_hubs_ = 0;
  uint32_t shift_ = 0;      // 32 less the logarithm of the slots in use
  uint64_t num_slots_ = 0;  // in use
  Array<uint64_t> low_bits_;
  Array<uint64_t> hubs_;  // by rank
  Array<Slot> slots_;     // for ranks that are no hubs
  Array<uint32_t> found_;
};

}  // namespace edgemill

// One vertex's list, marked so that other lists can be tested against it, with a sum for each of
// its neighbours.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include "common/buffer.h"
#include "common/status.h"
#include "engine/cpu/intersect/hub_rows.h"
#include "engine/cpu/intersect/oriented_lists.h"
#include "kernels/cpu/members.h"

namespace edgemill {

/// The most bytes that a MarkedList takes, for lists of at most `longest` neighbours.
inline uint64_t MarkedListBytes(uint64_t longest, uint32_t num_hubs) {
  constexpr uint64_t kValueBytes = 16;  // at most
  return (uint64_t{32} << 10) + num_hubs * (kValueBytes + 1) +
         (longest + 1) * (kValueBytes + sizeof(uint32_t) + 4 * 2 * sizeof(uint32_t));
}

/// Belongs to one thread. Three structures, all small enough for its caches:
///   - A bitmap of the hubs in the list, to intersect with HubRows.
///   - A bitmap of all neighbours by the low bits of their ranks. A vector of other ranks is tested
///     at a time. Most neighbours have low ranks, so that few ranks collide.
///   - A hash table from rank to place in the list, for those that the second bitmap lets pass.
template <typename M>
class MarkedList {
 public:
  using Value = typename M::Value;

  /// Lists have at most `longest` neighbours. With `arcs`, lists have arcs. BudgetError.
  static StatusOr<MarkedList> Create(uint64_t longest, uint32_t num_hubs, bool arcs) {
    MarkedList marked;
    marked.num_hubs_ = num_hubs;
    ASSIGN_OR_RETURN(marked.low_bits_, Array<uint64_t>::Allocate(kLowBits / 64));
    ASSIGN_OR_RETURN(marked.hubs_, Array<uint64_t>::Allocate(num_hubs / 64 + 1));
    ASSIGN_OR_RETURN(marked.hub_sums_, Array<Value>::Allocate(num_hubs));
    ASSIGN_OR_RETURN(marked.slots_, Array<Slot>::Allocate(SlotsFor(longest)));
    ASSIGN_OR_RETURN(marked.sums_, Array<Value>::Allocate(longest));
    ASSIGN_OR_RETURN(marked.found_, Array<uint32_t>::Allocate(longest + kMoreFound));
    ASSIGN_OR_RETURN(marked.twice_, Array<uint64_t>::Allocate(arcs ? num_hubs / 64 + 1 : 0));
    return marked;
  }

  /// Marks `list`, with sums that are identities.
  void Set(const OrientedLists::List& list) {
    list_ = list;
    const auto size = static_cast<uint32_t>(list.ranks.size());
    shift_ = 32 - static_cast<uint32_t>(std::countr_zero(SlotsFor(size)));
    for (uint32_t i = 0; i < size; ++i) {
      const uint32_t rank = list.ranks[i];
      SetBit(low_bits_, rank % kLowBits);
      if (rank < num_hubs_) {
        SetBit(hubs_, rank);
        hub_sums_[rank] = M::identity();
        if (list.arcs != nullptr && list.arcs[i] == 2) SetBit(twice_, rank);
      } else {
        SlotOf(rank) = {rank, i + 1};
        sums_[i] = M::identity();
      }
    }
  }
  /// Removes all marks.
  void Clear() {
    for (const uint32_t rank : list_.ranks) {
      low_bits_[rank % kLowBits / 64] = 0;
      if (rank < num_hubs_) {
        hubs_[rank / 64] = 0;
        if (!twice_.empty()) twice_[rank / 64] = 0;
      }
    }
    std::fill_n(slots_.begin(), SlotsFor(list_.ranks.size()), Slot{});
  }
  /// The sum of neighbour `i` of the list.
  Value sum(uint32_t i) const {
    const uint32_t rank = list_.ranks[i];
    return rank < num_hubs_ ? hub_sums_[rank] : sums_[i];
  }

  /// Calls `visit(rank, arcs here, arcs there, sum)` for each neighbour that the list shares with
  /// the hub of `rank`, which has a row. Arcs are 2 where lists have none.
  template <typename Visit>
  void Intersect(const HubRows& rows, uint32_t hub, Visit visit) {
    const uint64_t* const row = rows.row(hub);
    const uint64_t* const twice = twice_.empty() ? nullptr : rows.twice(hub);
    const uint32_t num_words = HubRows::WordsOf(hub);
    for (uint32_t word = 0; word < num_words; ++word) {
      for (uint64_t both = row[word] & hubs_[word]; both != 0; both &= both - 1) {
        const auto bit = static_cast<uint32_t>(std::countr_zero(both));
        const uint32_t rank = word * 64 + bit;
        if (twice == nullptr) {
          visit(rank, 2, 2, hub_sums_[rank]);
        } else {
          visit(rank, 1 + (twice_[word] >> bit & 1), 1 + (twice[word] >> bit & 1), hub_sums_[rank]);
        }
      }
    }
  }
  /// The same for another list.
  template <typename Visit>
  void Intersect(const OrientedLists::List& other, Visit visit) {
    const uint32_t num_found =
        FindPlaces(other.ranks.data(), static_cast<uint32_t>(other.ranks.size()), low_bits_.data(),
                   kLowBits - 1, found_.data());
    const bool arcs = other.arcs != nullptr;
    for (uint32_t i = 0; i < num_found; ++i) {
      const uint32_t place = found_[i], rank = other.ranks[place];
      const uint32_t there = arcs ? other.arcs[place] : 2;
      if (rank < num_hubs_) {
        if (!TestBit(hubs_.data(), rank)) continue;
        visit(rank, arcs ? 1 + TestBit(twice_.data(), rank) : 2, there, hub_sums_[rank]);
        continue;
      }
      const Slot slot = SlotOf(rank);
      if (slot.place == 0) continue;
      visit(rank, arcs ? list_.arcs[slot.place - 1] : 2, there, sums_[slot.place - 1]);
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
  static void SetBit(Array<uint64_t>& bits, uint32_t bit) {
    bits[bit / 64] |= uint64_t{1} << bit % 64;
  }
  /// The slot of `rank`; the free slot for it where it has none.
  Slot& SlotOf(uint32_t rank) {
    uint32_t at = rank * 0x9E3779B1u >> shift_;
    while (slots_[at].place != 0 && slots_[at].rank != rank)
      at = (at + 1) & (~uint32_t{0} >> shift_);
    return slots_[at];
  }

  uint32_t num_hubs_ = 0;
  uint32_t shift_ = 0;  // 32 less the logarithm of the slots in use
  OrientedLists::List list_;
  Array<uint64_t> low_bits_;
  Array<uint64_t> hubs_, twice_;  // by rank
  Array<Value> hub_sums_;         // by rank
  Array<Slot> slots_;             // for ranks that are no hubs
  Array<Value> sums_;             // likewise, by place in the list
  Array<uint32_t> found_;
};

}  // namespace edgemill

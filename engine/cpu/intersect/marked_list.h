// One vertex's list, marked so that other lists can be tested against it, with a sum for each of
// its neighbours.
#pragma once

#include <bit>
#include <cstdint>

#include "common/buffer.h"
#include "common/status.h"
#include "engine/cpu/intersect/hub_rows.h"
#include "engine/cpu/intersect/marked_ranks.h"
#include "engine/cpu/intersect/oriented_lists.h"
#include "kernels/portable_atomics.h"

namespace edgemill {

/// The most bytes that a MarkedList takes, for lists of at most `longest` neighbours.
inline uint64_t MarkedListBytes(uint64_t longest, uint32_t num_hubs) {
  constexpr uint64_t kValueBytes = 16;  // at most
  return (uint64_t{32} << 10) + num_hubs * (kValueBytes + 1) +
         (longest + 1) * (kValueBytes + sizeof(uint32_t) + 4 * 2 * sizeof(uint32_t));
}

/// Belongs to one thread.
template <typename M>
class MarkedList {
 public:
  using Value = typename M::Value;

  /// Lists have at most `longest` neighbours. With `arcs`, lists have arcs. BudgetError.
  static StatusOr<MarkedList> Create(uint64_t longest, uint32_t num_hubs, bool arcs) {
    MarkedList marked;
    ASSIGN_OR_RETURN(marked.marks_, MarkedRanks::Create(longest, num_hubs));
    ASSIGN_OR_RETURN(marked.hub_sums_, Array<Value>::Allocate(num_hubs));
    ASSIGN_OR_RETURN(marked.sums_, Array<Value>::Allocate(longest));
    ASSIGN_OR_RETURN(marked.twice_, Array<uint64_t>::Allocate(arcs ? num_hubs / 64 + 1 : 0));
    return marked;
  }

  /// Marks `list`, with sums that are identities.
  void Set(const OrientedLists::List& list) {
    list_ = list;
    const auto size = static_cast<uint32_t>(list.ranks.size());
    marks_.Begin(size);
    for (uint32_t i = 0; i < size; ++i) {
      const uint32_t rank = list.ranks[i];
      marks_.Mark(rank, i);
      if (marks_.is_hub(rank)) {
        hub_sums_[rank] = M::identity();
        if (list.arcs != nullptr && list.arcs[i] == 2) {
          twice_[rank / 64] |= uint64_t{1} << rank % 64;
        }
      } else {
        sums_[i] = M::identity();
      }
    }
  }
  /// Removes all marks.
  void Clear() {
    for (const uint32_t rank : list_.ranks) {
      marks_.Unmark(rank);
      if (marks_.is_hub(rank) && !twice_.empty()) twice_[rank / 64] = 0;
    }
    marks_.End();
  }
  /// The sum of neighbour `i` of the list.
  Value sum(uint32_t i) const {
    const uint32_t rank = list_.ranks[i];
    return marks_.is_hub(rank) ? hub_sums_[rank] : sums_[i];
  }

  /// Calls `visit(rank, arcs here, arcs there, sum)` for each neighbour that the list shares with
  /// the hub of `rank`, which has a row. Arcs are 2 where lists have none.
  template <typename Visit>
  void Intersect(const HubRows& rows, uint32_t hub, Visit visit) {
    const uint64_t* const row = rows.row(hub);
    const uint64_t* const twice = twice_.empty() ? nullptr : rows.twice(hub);
    const uint32_t num_words = HubRows::WordsOf(hub);
    for (uint32_t word = 0; word < num_words; ++word) {
      for (uint64_t both = row[word] & marks_.hubs()[word]; both != 0; both &= both - 1) {
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
    const bool arcs = other.arcs != nullptr;
    const auto there = [&](uint32_t place) -> uint32_t { return arcs ? other.arcs[place] : 2; };
    marks_.Intersect(
        other.ranks,
        [&](uint32_t rank, uint32_t place) {
          visit(rank, arcs ? 1 + TestBit(twice_.data(), rank) : 2, there(place), hub_sums_[rank]);
        },
        [&](uint32_t rank, uint32_t place, uint32_t own) {
          visit(rank, arcs ? list_.arcs[own] : 2, there(place), sums_[own]);
        });
  }

 private:
  OrientedLists::List list_;
  MarkedRanks marks_;
  Array<uint64_t> twice_;  // by rank
  Array<Value> hub_sums_;  // by rank
  Array<Value> sums_;      // of ranks that are no hubs, by place in the list
};

}  // namespace edgemill

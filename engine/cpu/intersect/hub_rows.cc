#include "engine/cpu/intersect/hub_rows.h"

namespace edgemill {
namespace {

/// Words of the rows of all ranks below `num_hubs`.
uint64_t AllWords(uint32_t num_hubs) {
  const uint64_t whole = num_hubs / 64;  // 64 rows each of 1, 2, ... words
  return 32 * whole * (whole + 1) + num_hubs % 64 * (whole + 1);
}

void SetBit(uint64_t* words, uint32_t bit) { words[bit / 64] |= uint64_t{1} << bit % 64; }

}  // namespace

uint64_t HubRows::SizeBytes(uint32_t num_hubs, bool arcs) {
  return AllWords(num_hubs) * sizeof(uint64_t) * (arcs ? 2 : 1) + num_hubs * sizeof(uint32_t);
}

StatusOr<HubRows> HubRows::Create(uint32_t num_hubs, bool arcs, MemoryBudget& budget) {
  HubRows rows;
  ASSIGN_OR_RETURN(rows.reservation_,
                   budget.Reserve(SizeBytes(num_hubs, arcs), "bitmaps of lists to intersect"));
  rows.places_.resize(num_hubs, kNone);
  ASSIGN_OR_RETURN(rows.words_, Array<uint64_t>::Allocate(AllWords(num_hubs)));
  ASSIGN_OR_RETURN(rows.twice_, Array<uint64_t>::Allocate(arcs ? AllWords(num_hubs) : 0));
  return rows;
}

void HubRows::Build(const OrientedLists& lists, const VertexOrder& order) {
  uint32_t used = 0;
  for (uint32_t rank = 0; rank < num_hubs(); ++rank) {
    places_[rank] = kNone;
    const VertexId vertex = order.VertexAt(rank);
    if (!lists.has(vertex)) continue;
    const OrientedLists::List list = lists.of(vertex);
    const uint32_t num_words = WordsOf(rank);
    // A word takes as long as one and a half neighbours.
    if (2 * list.ranks.size() <= 3 * (uint64_t{num_words} + 4)) continue;
    places_[rank] = used;
    uint64_t* const words = words_.data() + used;
    std::fill_n(words, num_words, 0);
    for (const uint32_t other : list.ranks) SetBit(words, other);
    if (!twice_.empty()) {
      uint64_t* const twice = twice_.data() + used;
      std::fill_n(twice, num_words, 0);
      for (size_t i = 0; i < list.ranks.size(); ++i) {
        if (list.arcs[i] == 2) SetBit(twice, list.ranks[i]);
      }
    }
    used += num_words;
  }
}

}  // namespace edgemill

#include "engine/truss/edge_supports.h"

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "common/cancel.h"
#include "common/threads/parallel.h"
#include "engine/cpu/intersect/list_pairs.h"
#include "engine/cpu/intersect/marked_list.h"
#include "kernels/cpu/members.h"

namespace edgemill {
namespace {

constexpr size_t kSupportWordsAtOnce = 1 << 12;  // of bits
constexpr size_t kSourcesAtOnce = 64;            // vertices whose lists a thread takes

/// The list of one vertex, marked so that the places of its neighbours are found, with a count for
/// each of them. Belongs to one thread.
class MarkedPlaces {
 public:
  static StatusOr<MarkedPlaces> Create(uint64_t longest, uint32_t num_hubs) {
    MarkedPlaces marked;
    marked.num_hubs_ = num_hubs;
    ASSIGN_OR_RETURN(marked.hubs_, Array<uint64_t>::Allocate(num_hubs / 64 + 1));
    ASSIGN_OR_RETURN(marked.hub_places_, Array<uint32_t>::Allocate(num_hubs));
    ASSIGN_OR_RETURN(marked.low_bits_, Array<uint64_t>::Allocate(kLowBits / 64));
    ASSIGN_OR_RETURN(marked.slots_, Array<Slot>::Allocate(SlotsFor(longest)));
    ASSIGN_OR_RETURN(marked.counts_, Array<uint32_t>::Allocate(longest));
    ASSIGN_OR_RETURN(marked.places_, Array<uint32_t>::Allocate(longest));
    constexpr uint64_t kMoreFound = 16;  // as FindPlaces asks
    ASSIGN_OR_RETURN(marked.found_, Array<uint32_t>::Allocate(longest + kMoreFound));
    return marked;
  }

  /// Marks those of `ranks` for which is_left(place) is true, with counts of 0.
  template <typename IsLeft>
  void Set(std::span<const uint32_t> ranks, IsLeft is_left) {
    ranks_ = ranks;
    num_places_ = 0;
    for (uint32_t place = 0; place < ranks.size(); ++place) {
      if (is_left(place)) places_[num_places_++] = place;
    }
    shift_ = 32 - static_cast<uint32_t>(std::countr_zero(SlotsFor(num_places_)));
    for (const uint32_t place : places()) {
      const uint32_t rank = ranks[place];
      low_bits_[rank % kLowBits / 64] |= uint64_t{1} << rank % 64;
      counts_[place] = 0;
      if (rank < num_hubs_) {
        hubs_[rank / 64] |= uint64_t{1} << rank % 64;
        hub_places_[rank] = place;
      } else {
        SlotOf(rank) = {rank, place + 1};
      }
    }
  }
  void Clear() {
    for (const uint32_t place : places()) {
      const uint32_t rank = ranks_[place];
      low_bits_[rank % kLowBits / 64] = 0;
      if (rank < num_hubs_) hubs_[rank / 64] = 0;
    }
    std::fill_n(slots_.begin(), SlotsFor(num_places_), Slot{});
  }
  /// The places that are marked.
  std::span<const uint32_t> places() const { return {places_.data(), num_places_}; }
  uint32_t& count(uint32_t place) { return counts_[place]; }

  /// Calls visit(place here, place there) for each marked rank that is also in `other`.
  template <typename Visit>
  void Intersect(std::span<const uint32_t> other, Visit visit) {
    const uint32_t num_found = FindPlaces(other.data(), static_cast<uint32_t>(other.size()),
                                          low_bits_.data(), kLowBits - 1, found_.data());
    for (uint32_t i = 0; i < num_found; ++i) {
      const uint32_t rank = other[found_[i]];
      if (rank < num_hubs_) {
        if ((hubs_[rank / 64] >> rank % 64 & 1) != 0) visit(hub_places_[rank], found_[i]);
        continue;
      }
      const Slot slot = SlotOf(rank);
      if (slot.place != 0) visit(slot.place - 1, found_[i]);
    }
  }
  /// The same for the list of a hub that has a row: its list is the row's bits, in order.
  template <typename Visit>
  void Intersect(const uint64_t* row, uint32_t num_words, Visit visit) {
    uint32_t before = 0;  // bits of the words before
    for (uint32_t word = 0; word < num_words; ++word) {
      for (uint64_t both = row[word] & hubs_[word]; both != 0; both &= both - 1) {
        const auto bit = static_cast<uint32_t>(std::countr_zero(both));
        const uint64_t lower = row[word] & ((uint64_t{1} << bit) - 1);
        visit(hub_places_[word * 64 + bit], before + static_cast<uint32_t>(std::popcount(lower)));
      }
      before += static_cast<uint32_t>(std::popcount(row[word]));
    }
  }

 private:
  static constexpr uint32_t kLowBits = 1u << 18;  // 32 KiB: a first-level cache
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

  std::span<const uint32_t> ranks_;
  uint32_t shift_ = 0;  // 32 less the logarithm of the slots in use
  uint32_t num_places_ = 0;
  uint32_t num_hubs_ = 0;
  Array<uint64_t> low_bits_;
  Array<uint64_t> hubs_;        // by rank, of the first ones
  Array<uint32_t> hub_places_;  // likewise
  Array<Slot> slots_;           // for ranks that are no hubs
  Array<uint32_t> counts_, places_, found_;
};

/// What the threads that count triangles share.
struct Counting {
  const VertexOrder& order;
  const EdgeNumbers& numbers;
  std::span<const uint64_t> removed;
  std::span<uint32_t> supports;

  bool IsLeft(uint64_t edge) const { return (removed[edge / 64] >> edge % 64 & 1) == 0; }
};

/// Adds the triangles of u, v and w, where u is in `pair.from` and v in `pair.to`, to the supports
/// of their edges.
void AddTriangles(const Counting& counting, const ListPair& pair, VertexId u,
                  MarkedPlaces& marked) {
  const std::span<const uint32_t> list = pair.from.of(u).ranks;
  if (list.size() < 2) return;
  const uint64_t first_u = counting.numbers.first(u);
  marked.Set(list, [&](uint32_t place) { return counting.IsLeft(first_u + place); });
  for (const uint32_t place_v : marked.places()) {
    const VertexId v = counting.order.VertexAt(list[place_v]);
    if (!pair.to.has(v)) continue;
    const uint64_t first_v = counting.numbers.first(v);
    uint32_t found = 0;
    const auto visit = [&](uint32_t place_u, uint32_t place) {
      if (!counting.IsLeft(first_v + place)) return;
      ++found;
      ++marked.count(place_u);
      AtomicAdd(&counting.supports[first_v + place], uint32_t{1});
    };
    if (const uint64_t* const row = pair.rows.row(list[place_v])) {
      marked.Intersect(row, HubRows::WordsOf(list[place_v]), visit);
    } else {
      marked.Intersect(pair.to.of(v).ranks, visit);
    }
    marked.count(place_v) += found;
  }
  for (const uint32_t place : marked.places()) {
    const uint32_t count = marked.count(place);
    if (count > 0) AtomicAdd(&counting.supports[first_u + place], count);
  }
  marked.Clear();
}

}  // namespace

StatusOr<EdgeSupports> EdgeSupports::Create(uint64_t num_edges, MemoryBudget& budget) {
  EdgeSupports supports;
  ASSIGN_OR_RETURN(supports.reservation_,
                   budget.Reserve(SizeBytes(num_edges), "a support for each edge"));
  ASSIGN_OR_RETURN(supports.values_, Array<uint32_t>::Allocate(num_edges));
  ASSIGN_OR_RETURN(supports.removed_, Array<uint64_t>::Allocate((num_edges + 63) / 64));
  return supports;
}

Status EdgeSupports::Count(LoadedGraph& graph, const EdgeNumbers& numbers, uint64_t bytes) {
  const int threads = graph.threads();
  ForEachChunk(removed_.size(), kSupportWordsAtOnce, threads, [&](size_t begin, size_t end) {
    for (size_t word = begin; word < end; ++word) {
      for (uint64_t left = LeftOf(word); left != 0; left &= left - 1) {
        values_[word * 64 + static_cast<uint64_t>(std::countr_zero(left))] = 0;
      }
    }
  });
  ASSIGN_OR_RETURN(ListPairs pairs, ListPairs::Create(graph, bytes, /*arcs=*/false));
  ASSIGN_OR_RETURN(const MemoryReservation reservation,
                   graph.budget().Reserve(static_cast<uint64_t>(threads) *
                                              MarkedListBytes(pairs.longest(), pairs.num_hubs()),
                                          "marks of lists to intersect"));
  std::vector<MarkedPlaces> marked;
  for (int thread = 0; thread < threads; ++thread) {
    ASSIGN_OR_RETURN(marked.emplace_back(),
                     MarkedPlaces::Create(pairs.longest(), pairs.num_hubs()));
  }
  const Counting counting{pairs.order(), numbers, removed_.span(), values_.span()};
  Recorder recorder(graph);
  return pairs.ForEach(recorder, [&](const ListPair& pair) {
    std::atomic<size_t> next{pair.from.begin()};
    return ShareWork(threads, [&](int thread) -> Status {
      while (true) {
        RETURN_IF_ERROR(CheckCancelled());
        const size_t begin = next.fetch_add(kSourcesAtOnce, std::memory_order_relaxed);
        if (begin >= pair.from.end()) return OkStatus();
        const size_t end = std::min<size_t>(begin + kSourcesAtOnce, pair.from.end());
        uint64_t entries = 0;
        for (auto u = static_cast<VertexId>(begin); u < end; ++u) {
          AddTriangles(counting, pair, u, marked[static_cast<size_t>(thread)]);
          entries += pair.from.of(u).ranks.size();
        }
        graph.progress().Advance(entries);
      }
    });
  });
}

EdgeSupports::Totals EdgeSupports::Count(uint32_t bound, int threads) const {
  Totals totals;
  ForEachChunk(removed_.size(), kSupportWordsAtOnce, threads, [&](size_t begin, size_t end) {
    Totals own;
    for (size_t word = begin; word < end; ++word) {
      for (uint64_t left = LeftOf(word); left != 0; left &= left - 1) {
        const uint32_t support = values_[word * 64 + static_cast<uint64_t>(std::countr_zero(left))];
        ++own.left;
        own.in_triangles += support > 0 ? 1 : 0;
        own.within += support <= bound ? 1 : 0;
        if (support > bound) own.least_above = std::min(own.least_above, support);
      }
    }
    AtomicAdd(&totals.left, own.left);
    AtomicAdd(&totals.in_triangles, own.in_triangles);
    AtomicAdd(&totals.within, own.within);
    AtomicMin(&totals.least_above, own.least_above);
  });
  return totals;
}

void EdgeSupports::RemoveWithin(uint32_t bound, uint32_t truss, int threads) {
  ForEachChunk(removed_.size(), kSupportWordsAtOnce, threads, [&](size_t begin, size_t end) {
    for (size_t word = begin; word < end; ++word) {
      for (uint64_t left = LeftOf(word); left != 0; left &= left - 1) {
        const auto bit = static_cast<uint64_t>(std::countr_zero(left));
        uint32_t& value = values_[word * 64 + bit];
        if (value > bound) continue;
        value = truss;
        removed_[word] |= uint64_t{1} << bit;
      }
    }
  });
}

}  // namespace edgemill

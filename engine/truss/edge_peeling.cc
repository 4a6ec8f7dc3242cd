#include "engine/truss/edge_peeling.h"

#include <algorithm>
#include <utility>

#include "common/check.h"
#include "common/threads/parallel.h"
#include "kernels/portable_atomics.h"

namespace edgemill {
namespace {

using Entry = LiveLists::Entry;

constexpr size_t kRanksAtOnce = 1024;
/// So much longer a list is searched, not read.
constexpr size_t kLongerToSearch = 64;
/// So much longer a list is read by a few entries at a time.
constexpr size_t kLongerToSkip = 3;
constexpr ptrdiff_t kSkipped = 8;

/// Calls visit(rank, edge in `few`, edge in `many`) for the ranks that two lists share.
template <typename Visit>
void VisitSharedEntries(std::span<const Entry> few, std::span<const Entry> many, Visit visit) {
  if (few.empty() || many.empty()) return;
  if (few.size() * kLongerToSearch < many.size()) {
    const Entry* from = many.data();
    const Entry* const end = from + many.size();
    for (const Entry& entry : few) {
      ptrdiff_t step = 1;
      while (end - from > step && from[step].rank < entry.rank) from += step, step *= 2;
      from = std::lower_bound(from, std::min(from + step + 1, end), entry.rank,
                              [](const Entry& a, uint32_t rank) { return a.rank < rank; });
      if (from == end) return;
      if (from->rank == entry.rank) visit(entry.rank, entry.edge, from->edge);
    }
    return;
  }
  const Entry *a = few.data(), *b = many.data();
  const Entry *const a_end = a + few.size(), *const b_end = b + many.size();
  if (few.size() * kLongerToSkip < many.size()) {
    for (; a != a_end; ++a) {
      while (b_end - b > kSkipped && b[kSkipped].rank <= a->rank) b += kSkipped;
      while (b != b_end && b->rank < a->rank) ++b;
      if (b == b_end) return;
      if (b->rank == a->rank) visit(a->rank, a->edge, b->edge);
    }
    return;
  }
  while (a != a_end && b != b_end) {
    const uint32_t rank_a = a->rank, rank_b = b->rank;
    if (rank_a == rank_b) visit(rank_a, a->edge, b->edge);
    a += rank_a <= rank_b ? 1 : 0;
    b += rank_b <= rank_a ? 1 : 0;
  }
}

}  // namespace

class EdgePeeling::Adder {
 public:
  explicit Adder(List* list) : list_(list) {}
  ~Adder() { Flush(); }
  Adder(const Adder&) = delete;
  Adder& operator=(const Adder&) = delete;

  void Add(const Listed& edge) {
    edges_[size_++] = edge;
    if (size_ == edges_.size()) Flush();
  }

 private:
  void Flush() {
    if (size_ == 0) return;
    const uint64_t capacity = list_->edges.size();
    // The size may pass the capacity; the end of the round puts it right.
    const uint64_t at = AtomicAdd(&list_->size, uint64_t{size_});
    if (at < capacity) {
      const auto count = static_cast<ptrdiff_t>(std::min<uint64_t>(size_, capacity - at));
      std::copy(edges_.begin(), edges_.begin() + count, list_->edges.begin() + at);
    }
    size_ = 0;
  }

  List* const list_;
  size_t size_ = 0;
  std::array<Listed, 128> edges_;
};

StatusOr<EdgePeeling> EdgePeeling::Allocate(LiveLists& lists, int threads, MemoryBudget& budget) {
  EdgePeeling peeling(lists, threads);
  const uint64_t num_edges = lists.num_edges();
  ASSIGN_OR_RETURN(peeling.reservation_,
                   budget.Reserve(SizeBytes(num_edges), "supports of the edges that are left"));
  ASSIGN_OR_RETURN(peeling.words_, Array<uint32_t>::Allocate(num_edges));
  for (List& list : peeling.lists_of_rounds_) {
    ASSIGN_OR_RETURN(list.edges, Array<Listed>::Allocate(ListedFor(num_edges)));
  }
  peeling.left_ = peeling.in_lists_ = num_edges;
  return peeling;
}

uint32_t EdgePeeling::FindWithin(uint32_t level, List* list) {
  list->size = 0;
  uint32_t least_above = kListed;
  ForEachChunk(lists_.num_vertices(), kRanksAtOnce, threads_, [&](size_t begin, size_t end) {
    Adder adder(list);
    uint32_t least = kListed;
    for (auto u = static_cast<uint32_t>(begin); u < end; ++u) {
      for (const Entry& entry : lists_.of(u)) {
        if (entry.rank > u) break;  // the other end lists it
        const uint32_t support = words_[entry.edge];
        if (!IsSupport(support)) continue;
        if (support <= level) {
          adder.Add({u, entry.rank, entry.edge});
        } else {
          least = std::min(least, support);
        }
      }
    }
    AtomicMin(&least_above, least);
  });
  Close(list);
  return least_above;
}

void EdgePeeling::Close(List* list) {
  const uint64_t capacity = list->edges.size();
  left_out_ |= list->size > capacity;
  list->size = std::min(list->size, capacity);
}

bool EdgePeeling::LowerTo(uint32_t level, uint32_t edge) {
  uint32_t* const word = &words_[edge];
  while (true) {
    const uint32_t support = LoadRelaxed(word);
    if (support <= level) return false;
    if (AtomicReplace(word, support, support - 1)) return support - 1 == level;
  }
}

void EdgePeeling::RemoveTriangles(const Listed& edge, uint32_t level, Adder& next) {
  const auto visit = [&](uint32_t w, uint32_t u, uint32_t v, uint32_t uw, uint32_t vw) {
    const uint32_t word_uw = LoadRelaxed(&words_[uw]), word_vw = LoadRelaxed(&words_[vw]);
    const bool uw_stays = IsSupport(word_uw), vw_stays = IsSupport(word_vw);
    // A triangle is gone if an edge was removed before. If two edges are in the list, the one with
    // the lesser number lowers the third edge.
    if (!uw_stays && (word_uw != kListed || uw < edge.edge)) return;
    if (!vw_stays && (word_vw != kListed || vw < edge.edge)) return;
    if (uw_stays && LowerTo(level, uw)) next.Add({u, w, uw});
    if (vw_stays && LowerTo(level, vw)) next.Add({v, w, vw});
  };
  const std::span<const Entry> of_u = lists_.of(edge.u), of_v = lists_.of(edge.v);
  if (of_u.size() <= of_v.size()) {
    VisitSharedEntries(of_u, of_v, [&](uint32_t w, uint32_t uw, uint32_t vw) {
      visit(w, edge.u, edge.v, uw, vw);
    });
  } else {
    VisitSharedEntries(of_v, of_u, [&](uint32_t w, uint32_t vw, uint32_t uw) {
      visit(w, edge.u, edge.v, uw, vw);
    });
  }
}

Status EdgePeeling::RemoveListed(const List& list, uint32_t level, List* next) {
  const std::span<const Listed> edges = list.edges.span().first(list.size);
  next->size = 0;
  constexpr size_t kWordsAtOnce = size_t{1} << 14;
  ForEachChunk(edges.size(), kWordsAtOnce, threads_, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) words_[edges[i].edge] = kListed;
  });
  RETURN_IF_ERROR(ParallelFor(edges.size(), kEdgesAtOnce, threads_, [&](size_t begin, size_t end) {
    Adder adder(next);
    for (size_t i = begin; i < end; ++i) RemoveTriangles(edges[i], level, adder);
    return OkStatus();
  }));
  ForEachChunk(edges.size(), kWordsAtOnce, threads_, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) words_[edges[i].edge] = kRemoved | (level + 2);
  });
  Close(next);
  left_ -= edges.size();
  return OkStatus();
}

Status EdgePeeling::Run(uint32_t first_level, Progress& progress) {
  for (uint32_t level = first_level; left_ > 0;) {
    left_out_ = false;
    const uint32_t least_above = FindWithin(level, lists_of_rounds_.data());
    if (lists_of_rounds_[0].size == 0) {
      CHECK_NE(least_above, kListed);  // some edge is left
      level = least_above;
      continue;
    }
    for (size_t round = 0; lists_of_rounds_[round % 2].size > 0; ++round) {
      const List& list = lists_of_rounds_[round % 2];
      RETURN_IF_ERROR(RemoveListed(list, level, &lists_of_rounds_[(round + 1) % 2]));
      ++rounds_;
      progress.Advance(list.size);
      if (left_ < in_lists_ - in_lists_ / 8) {
        lists_.Compact(threads_, [&](uint32_t edge) { return IsSupport(words_[edge]); });
        in_lists_ = left_;
      }
    }
    if (!left_out_) ++level;
  }
  return OkStatus();
}

}  // namespace edgemill

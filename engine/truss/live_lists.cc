#include "engine/truss/live_lists.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "common/check.h"
#include "kernels/portable_atomics.h"

namespace edgemill {
namespace {

constexpr size_t kVerticesOfList = 256;
/// Words of EdgeSupports::removed() with one count of the edges before them.
constexpr uint64_t kWordsACount = 64;

/// Counts the edges that are left before each kWordsACount words.
void CountLeftBefore(const EdgeSupports& supports, std::span<uint32_t> left_before) {
  uint32_t count = 0;
  for (uint64_t word = 0; word < supports.removed().size(); ++word) {
    if (word % kWordsACount == 0) left_before[word / kWordsACount] = count;
    count += static_cast<uint32_t>(std::popcount(supports.LeftOf(word)));
  }
}

/// How many edges that are left are before `edge`.
uint32_t LeftBefore(const EdgeSupports& supports, std::span<const uint32_t> left_before,
                    uint64_t edge) {
  const uint64_t last = edge / 64;
  if (last == supports.removed().size()) return 0;  // no edge follows
  uint32_t count = left_before[last / kWordsACount];
  for (uint64_t word = last / kWordsACount * kWordsACount; word < last; ++word) {
    count += static_cast<uint32_t>(std::popcount(supports.LeftOf(word)));
  }
  const uint64_t before = supports.LeftOf(last) & ((uint64_t{1} << edge % 64) - 1);
  return count + static_cast<uint32_t>(std::popcount(before));
}

}  // namespace

Status LiveLists::CountDegrees(const OrientedLists& lists, const EdgeNumbers& numbers,
                               const EdgeSupports& supports, int threads) {
  return ParallelFor(lists.end() - lists.begin(), kVerticesOfList, threads,
                     [&](size_t begin, size_t end) {
                       for (size_t i = begin; i < end; ++i) {
                         const auto vertex = static_cast<VertexId>(lists.begin() + i);
                         uint64_t edge = numbers.first(vertex);
                         uint32_t own = 0;
                         for (const uint32_t rank : lists.of(vertex).ranks) {
                           if (supports.is_removed(edge++)) continue;
                           ++own;
                           AtomicAdd(&sizes_[rank], uint32_t{1});
                         }
                         AtomicAdd(&sizes_[numbers.order().RankOf(vertex)], own);
                       }
                       return OkStatus();
                     });
}

Status LiveLists::Fill(const OrientedLists& lists, const EdgeNumbers& numbers,
                       const EdgeSupports& supports, std::span<const uint32_t> left_before,
                       int threads) {
  return ParallelFor(lists.end() - lists.begin(), kVerticesOfList, threads,
                     [&](size_t begin, size_t end) {
                       for (size_t i = begin; i < end; ++i) {
                         const auto vertex = static_cast<VertexId>(lists.begin() + i);
                         const uint32_t own_rank = numbers.order().RankOf(vertex);
                         uint64_t edge = numbers.first(vertex);
                         uint32_t number = LeftBefore(supports, left_before, edge);
                         uint64_t at = firsts_[own_rank];
                         for (const uint32_t rank : lists.of(vertex).ranks) {
                           if (supports.is_removed(edge++)) continue;
                           entries_[at++] = {rank, number};
                           // Ends of higher rank come from the end of the list on, in any order.
                           const uint32_t from_end = AtomicAdd(&sizes_[rank], uint32_t{1});
                           entries_[firsts_[rank + 1] - 1 - from_end] = {own_rank, number++};
                         }
                       }
                       return OkStatus();
                     });
}

StatusOr<LiveLists> LiveLists::Make(LoadedGraph& graph, const EdgeNumbers& numbers,
                                    const EdgeSupports& supports, uint64_t num_edges) {
  CHECK_LE(num_edges, kMostEdges);
  const uint64_t num_vertices = graph.num_vertices();
  const int threads = graph.threads();
  LiveLists made;
  made.num_edges_ = num_edges;
  ASSIGN_OR_RETURN(made.reservation_, graph.budget().Reserve(SizeBytes(num_vertices, num_edges),
                                                             "lists of the edges that are left"));
  ASSIGN_OR_RETURN(made.firsts_, Array<uint64_t>::Allocate(num_vertices + 1));
  ASSIGN_OR_RETURN(made.sizes_, Array<uint32_t>::Allocate(num_vertices));
  ASSIGN_OR_RETURN(made.entries_, Array<Entry>::Allocate(2 * num_edges));
  std::vector<uint32_t> left_before(supports.removed().size() / kWordsACount + 1);
  CountLeftBefore(supports, left_before);
  ASSIGN_OR_RETURN(ListParts parts,
                   ListParts::Create(graph, numbers.order(), graph.budget().available_bytes()));
  RETURN_IF_ERROR(parts.ForEach([&](const OrientedLists& lists) {
    return made.CountDegrees(lists, numbers, supports, threads);
  }));
  for (uint64_t rank = 0; rank < num_vertices; ++rank) {
    made.firsts_[rank + 1] = made.firsts_[rank] + made.sizes_[rank];
    made.sizes_[rank] = 0;
  }
  CHECK_EQ(made.firsts_[num_vertices], 2 * num_edges);
  RETURN_IF_ERROR(parts.ForEach([&](const OrientedLists& lists) {
    return made.Fill(lists, numbers, supports, left_before, threads);
  }));
  ForEachChunk(num_vertices, kVerticesOfList, threads, [&](size_t begin, size_t end) {
    for (size_t rank = begin; rank < end; ++rank) {
      Entry* const last = made.entries_.data() + made.firsts_[rank + 1];
      std::sort(last - made.sizes_[rank], last,
                [](const Entry& a, const Entry& b) { return a.rank < b.rank; });
      made.sizes_[rank] = static_cast<uint32_t>(made.firsts_[rank + 1] - made.firsts_[rank]);
    }
  });
  return made;
}

}  // namespace edgemill

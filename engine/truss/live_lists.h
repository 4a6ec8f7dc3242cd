// The lists of the edges that are left, in memory, each edge in the lists of both of its ends.
#pragma once

#include <cstdint>
#include <span>

#include "common/buffer.h"
#include "common/os/memory_budget.h"
#include "common/status.h"
#include "common/threads/parallel.h"
#include "engine/graph/loaded_graph.h"
#include "engine/truss/edge_numbers.h"
#include "engine/truss/edge_supports.h"

namespace edgemill {

/// Vertices are known by their ranks here (VertexOrder). Edges have numbers of their own: 0, 1, ...
/// in the order of EdgeNumbers, of those that are not removed.
class LiveLists {
 public:
  struct Entry {
    uint32_t rank;  // of the neighbour
    uint32_t edge;
  };
  /// More edges have no numbers here.
  static constexpr uint64_t kMostEdges = (uint64_t{1} << 32) - 2;
  static uint64_t SizeBytes(uint64_t num_vertices, uint64_t num_edges) {
    return (num_vertices + 1) * sizeof(uint64_t) + num_vertices * sizeof(uint32_t) +
           2 * num_edges * sizeof(Entry);
  }

  /// Makes the lists of the edges of `supports` that are not removed, `num_edges` of them. Reads
  /// the graph once or twice, with the memory that is left. The errors of reading; BudgetError.
  static StatusOr<LiveLists> Make(LoadedGraph& graph, const EdgeNumbers& numbers,
                                  const EdgeSupports& supports, uint64_t num_edges);

  uint64_t num_vertices() const { return sizes_.size(); }
  uint64_t num_edges() const { return num_edges_; }
  /// The neighbours of a rank, by rising ranks.
  std::span<const Entry> of(uint32_t rank) const {
    return {entries_.data() + firsts_[rank], sizes_[rank]};
  }
  /// Drops all entries for which is_left(edge) is false, on all threads.
  template <typename IsLeft>
  void Compact(int threads, IsLeft is_left);

 private:
  Status CountDegrees(const OrientedLists& lists, const EdgeNumbers& numbers,
                      const EdgeSupports& supports, int threads);
  Status Fill(const OrientedLists& lists, const EdgeNumbers& numbers, const EdgeSupports& supports,
              std::span<const uint32_t> left_before, int threads);

  uint64_t num_edges_ = 0;
  MemoryReservation reservation_;
  Array<uint64_t> firsts_;  // by rank: the first entry
  Array<uint32_t> sizes_;   // by rank
  Array<Entry> entries_;
};

template <typename IsLeft>
void LiveLists::Compact(int threads, IsLeft is_left) {
  constexpr size_t kRanks = 256;
  ForEachChunk(num_vertices(), kRanks, threads, [&](size_t begin, size_t end) {
    for (size_t rank = begin; rank < end; ++rank) {
      Entry* const list = entries_.data() + firsts_[rank];
      uint32_t kept = 0;
      for (uint32_t i = 0; i < sizes_[rank]; ++i) {
        if (is_left(list[i].edge)) list[kept++] = list[i];
      }
      sizes_[rank] = kept;
    }
  });
}

}  // namespace edgemill

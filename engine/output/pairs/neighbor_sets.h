// The neighbours of some vertices in memory, as sets that can be intersected.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "common/buffer.h"
#include "common/os/memory_budget.h"
#include "common/status.h"
#include "common/types.h"
#include "engine/graph/block_edges.h"
#include "engine/graph/direction.h"
#include "engine/graph/graph_blocks.h"
#include "kernels/vertex_index_view.h"
#include "storage/format/graph_info.h"

namespace edgemill {

namespace internal {

/// Calls `visit(neighbor)` for the members of two sorted lists, in rising order.
template <typename Visit>
void VisitSharedOf(std::span<const VertexId> few, std::span<const VertexId> many, Visit visit) {
  constexpr size_t kSearches = 16;  // so much longer a list is searched, not read
  if (few.size() * kSearches < many.size()) {
    size_t from = 0;
    for (const VertexId neighbor : few) {
      size_t step = 1;
      while (many.size() - from > step && many[from + step] < neighbor) from += step, step *= 2;
      size_t end = std::min(from + step + 1, many.size());
      while (from < end) {
        const size_t middle = from + (end - from) / 2;
        if (many[middle] < neighbor) {
          from = middle + 1;
        } else {
          end = middle;
        }
      }
      if (from == many.size()) return;
      if (many[from] == neighbor) visit(neighbor);
    }
    return;
  }
  for (size_t i = 0, j = 0; i < few.size() && j < many.size();) {
    const VertexId a = few[i], b = many[j];
    if (a == b) visit(a);
    i += a <= b ? 1 : 0;
    j += b <= a ? 1 : 0;
  }
}

}  // namespace internal

/// The lists from which sets are made. What it refers to must outlive the sets.
struct PairLists {
  const GraphInfo& info;
  GraphBlocks& blocks;
  VertexIndexView index;
  Direction direction;
  int threads;
};

/// Sets of neighbours without duplicates and without the vertex itself. A short list is kept
/// sorted, at 4 bytes a neighbour, and a long one as a bit for each vertex of the graph, whichever
/// takes less.
class NeighborSets {
 public:
  /// The bytes that the set of `vertex` takes, at most.
  static uint64_t BytesOf(const PairLists& source, VertexId vertex) {
    return WordsOf(source, vertex) * sizeof(uint32_t) + sizeof(Place);
  }
  /// The most bytes that a set takes, whatever its list.
  static uint64_t MostBytes(const GraphInfo& info) {
    return WordsOfBitmap(info) * sizeof(uint32_t) + sizeof(Place);
  }

  /// Sets with memory of `bytes`. BudgetError.
  static StatusOr<NeighborSets> Create(const PairLists& source, uint64_t bytes,
                                       MemoryBudget& budget);

  /// Forgets what was read. From here on, set i is that of vertices[i]. They rise, and must outlive
  /// the reading; their sets, together, take no more than the memory.
  void Start(std::span<const VertexId> vertices);
  /// Read will read set i.
  void Want(size_t i) { places()[i].wanted = true; }
  /// Reads the sets that are wanted, on all threads: only blocks with their lists. BadDataError,
  /// IoError, CancelledError.
  Status Read();

  /// The number of neighbours in set i, which was read.
  uint32_t size(size_t i) const { return places()[i].size; }
  /// Calls `visit(neighbor)` for the neighbours both in set i of `a` and in set j of `b`, in rising
  /// order.
  template <typename Visit>
  static void VisitShared(const NeighborSets& a, size_t i, const NeighborSets& b, size_t j,
                          Visit visit);

 private:
  struct Place {
    uint64_t begin = 0;  // the first word of the set in memory_
    uint32_t size = 0;
    bool wanted = false;
    bool is_bitmap = false;
  };
  static constexpr size_t kPlaceWords = sizeof(Place) / sizeof(uint32_t);

  explicit NeighborSets(const PairLists& source) : source_(source) {}
  static uint64_t WordsOfBitmap(const GraphInfo& info) { return (info.num_vertices + 31) / 32; }
  static uint64_t WordsOf(const PairLists& source, VertexId vertex) {
    return std::min<uint64_t>(source.index.degree(vertex), WordsOfBitmap(source.info));
  }
  Place* places() { return reinterpret_cast<Place*>(memory_.data()); }
  const Place* places() const { return reinterpret_cast<const Place*>(memory_.data()); }
  bool ReadBlock(const BlockEdges& block);
  /// Makes a set of what was read of a list.
  void Finish(VertexId vertex, Place* place);

  PairLists source_;
  MemoryReservation reservation_;
  Array<uint32_t> memory_;  // the places, then the sets
  std::span<const VertexId> vertices_;
};

template <typename Visit>
void NeighborSets::VisitShared(const NeighborSets& a, size_t i, const NeighborSets& b, size_t j,
                               Visit visit) {
  const Place &of_a = a.places()[i], &of_b = b.places()[j];
  const uint32_t* const words_of_a = a.memory_.data() + of_a.begin;
  const uint32_t* const words_of_b = b.memory_.data() + of_b.begin;
  if (of_a.is_bitmap && of_b.is_bitmap) {
    for (uint64_t word = 0; word < WordsOfBitmap(a.source_.info); ++word) {
      for (uint32_t bits = words_of_a[word] & words_of_b[word]; bits != 0; bits &= bits - 1) {
        visit(static_cast<VertexId>(32 * word + static_cast<uint32_t>(std::countr_zero(bits))));
      }
    }
  } else if (of_a.is_bitmap || of_b.is_bitmap) {
    const uint32_t* const bitmap = of_a.is_bitmap ? words_of_a : words_of_b;
    const uint32_t* const list = of_a.is_bitmap ? words_of_b : words_of_a;
    const uint32_t size = of_a.is_bitmap ? of_b.size : of_a.size;
    for (uint32_t k = 0; k < size; ++k) {
      if ((bitmap[list[k] / 32] >> list[k] % 32 & 1) != 0) visit(list[k]);
    }
  } else {
    const std::span<const VertexId> list_a(words_of_a, of_a.size), list_b(words_of_b, of_b.size);
    if (of_a.size < of_b.size) {
      internal::VisitSharedOf(list_a, list_b, visit);
    } else {
      internal::VisitSharedOf(list_b, list_a, visit);
    }
  }
}

}  // namespace edgemill

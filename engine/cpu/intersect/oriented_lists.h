// Lists of the simple undirected graph in memory, each edge at one of its ends.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "common/buffer.h"
#include "common/check.h"
#include "common/os/memory_budget.h"
#include "common/status.h"
#include "common/types.h"

namespace edgemill {

/// The oriented lists of consecutive vertices: for each vertex, the ranks of its neighbours of
/// lower rank (VertexOrder), rising, each once. Filled by a ListLoader; read by many threads.
class OrientedLists {
 public:
  /// A vertex's list. `arcs`: for each neighbour, the number of edges between the two, 1 or 2; null
  /// where there are none.
  struct List {
    std::span<const uint32_t> ranks;
    const uint8_t* arcs = nullptr;
  };

  /// For at most `bytes` of lists, of a graph of `num_vertices`. With or without arcs. BudgetError.
  static StatusOr<OrientedLists> Create(uint64_t bytes, uint64_t num_vertices, bool arcs,
                                        MemoryBudget& budget);
  OrientedLists(OrientedLists&& other) noexcept;

  /// The bytes of the lists of `vertices` vertices with `entries` neighbours in all.
  static uint64_t SizeBytes(uint64_t vertices, uint64_t entries, bool arcs) {
    return vertices * sizeof(Place) + entries * EntryBytes(arcs);
  }

  uint64_t bytes() const { return bytes_; }
  VertexId begin() const { return begin_; }
  VertexId end() const { return end_; }
  bool has(VertexId vertex) const { return vertex >= begin_ && vertex < end_; }
  uint64_t num_entries() const { return used_.load(std::memory_order_relaxed); }
  /// The list of `vertex`, which must be in [begin, end).
  List of(VertexId vertex) const {
    const Place& place = places_[vertex - begin_];
    const uint64_t first = uint64_t{place.high} << 32 | place.low;
    return {{ranks_.data() + first, place.size}, arcs_.empty() ? nullptr : arcs_.data() + first};
  }

  // For the loader.
  /// Drops all lists. The next ones are those of the vertices from `begin` on.
  void Clear(VertexId begin);
  /// Whether lists of so many more vertices and neighbours fit.
  bool HasRoom(uint64_t vertices, uint64_t entries) const {
    return SizeBytes(end_ - begin_ + vertices, num_entries() + entries, !arcs_.empty()) <= bytes_;
  }
  /// Adds empty lists up to the vertex before `end`. There must be room.
  void ExtendTo(VertexId end);
  /// Space for `count` neighbours; returns the number of the first. There must be room. Called by
  /// many threads.
  uint64_t Take(uint64_t count) { return used_.fetch_add(count, std::memory_order_relaxed); }
  uint32_t* ranks(uint64_t first) { return ranks_.data() + first; }
  uint8_t* arcs(uint64_t first) { return arcs_.data() + first; }
  /// Where the list of `vertex` is.
  void Put(VertexId vertex, uint64_t first, uint32_t size) {
    places_[vertex - begin_] = {static_cast<uint32_t>(first), static_cast<uint32_t>(first >> 32),
                                size};
  }

 private:
  /// A list's place among all entries, in 12 bytes.
  struct Place {
    uint32_t low = 0, high = 0, size = 0;
  };
  static uint64_t EntryBytes(bool arcs) { return sizeof(uint32_t) + (arcs ? 1 : 0); }

  OrientedLists() = default;

  uint64_t bytes_ = 0;
  VertexId begin_ = 0, end_ = 0;
  std::atomic<uint64_t> used_{0};  // entries
  MemoryReservation reservation_;
  // Each array could take all bytes. Memory that is not touched costs nothing.
  Array<Place> places_;
  Array<uint32_t> ranks_;
  Array<uint8_t> arcs_;  // empty: no arcs
};

}  // namespace edgemill

// New vertex ids by degree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/buffer.h"
#include "common/os/memory_budget.h"
#include "common/status.h"
#include "common/thread_annotations.h"
#include "storage/read/graph_store.h"

namespace edgemill {

/// Counts degrees, then orders vertices by them.
///   kDegree  By descending out-degree + in-degree; equal sums by rank.
///   kHub     HyTGraph (VI-B): the 8 % with the largest H(v) = out-degree * in-degree come first,
///            by descending H. The others follow in the order of their ranks.
/// Degrees are those of the input's edges, before duplicates are merged.
class Renumberer {
 public:
  /// Bytes that renumbering takes while it runs, with its result and one counter.
  static uint64_t MemoryBytes(uint64_t num_vertices);
  /// Memory of a Counter.
  static uint64_t CounterBytes(uint64_t num_vertices);
  /// Reserves the degrees' memory; BudgetError when there is too little.
  /// With `both_ways`, an edge counts in both directions, so that in-degrees equal out-degrees.
  static StatusOr<Renumberer> Create(Renumbering kind, uint64_t num_vertices, bool both_ways,
                                     MemoryBudget& budget);

  /// Counts edges for one thread. Its counts are available once it is destroyed.
  class Counter {
   public:
    explicit Counter(Renumberer& renumberer);
    ~Counter();
    Counter(const Counter&) = delete;
    Counter& operator=(const Counter&) = delete;
    /// Counts an edge. Returns false, without counting, when an end is no vertex.
    [[nodiscard]] bool Count(uint32_t source, uint32_t target);

   private:
    void Add(size_t direction, uint32_t vertex);
    /// Counts the ends held for a range. If another thread counts in that range, does nothing, or
    /// with `must` waits.
    void Flush(size_t held, bool must);

    Renumberer& renumberer_;
    /// Ends of edges that are not counted yet, for each range of vertices. They are counted
    /// together while the range's counts are in the cache and no other thread counts in it.
    std::vector<uint32_t> ends_;
    std::vector<uint32_t> num_ends_;
  };

  /// Returns the new id of each rank, 4 bytes a vertex, which stay reserved. Frees the degrees.
  /// BudgetError when there is too little memory.
  StatusOr<Array<uint32_t>> Finish(int threads, MemoryBudget& budget);
  /// Takes the reservation of Finish's result.
  MemoryReservation ReleaseReservation() { return std::move(result_reservation_); }

 private:
  /// The value by which vertices are ordered, descending.
  uint64_t OrderKey(size_t vertex) const {
    const uint64_t out = out_.high[vertex];
    const uint64_t in = in_.high.empty() ? out : in_.high[vertex];
    return kind_ == Renumbering::kHub ? out * in : out + in;
  }
  /// Sorts all vertices by descending OrderKey. `order` and `scratch` each have an element for
  /// every vertex. Returns the one that has the result.
  std::span<const uint32_t> SortByKey(std::span<uint32_t> order, std::span<uint32_t> scratch,
                                      int threads) const;

  /// The degrees of one direction, of which the lowest 8 bits are counted apart. The bytes of a
  /// range fit the second-level cache, and most counts touch nothing else.
  struct Degrees {
    Status Allocate(uint64_t num_vertices);
    /// Adds the bytes to `high`, which then has the degrees, and frees them.
    void AddLow(int threads);

    Array<uint8_t> low;
    Array<uint32_t> high;  // multiples of 256 while counting
  };

  Renumbering kind_ = Renumbering::kNone;
  MemoryReservation low_reservation_;  // of the bytes of both Degrees
  MemoryReservation reservation_;      // of the rest of them
  MemoryReservation result_reservation_;
  Degrees out_;
  Degrees in_;          // empty where they are the same
  int range_bits_ = 0;  // bits of a vertex's number within its range
  size_t num_ranges_ = 0;
  std::unique_ptr<Mutex[]> mutexes_;  // of each range of out-degrees, then of in-degrees
};

}  // namespace edgemill

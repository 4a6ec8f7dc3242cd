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
///   kDegree  descending out-degree + in-degree, equal ones by rank.
///   kHub     HyTGraph (VI-B): the hottest 8 % by H(v) = out * in over the maxima come first, in
///   descending order of H;
///            the others follow in the order of their ranks.
/// Degrees are those of the input's edges, before duplicates are merged.
class Renumberer {
 public:
  /// Bytes that renumbering takes while it runs, with its result and one counter.
  static uint64_t MemoryBytes(uint64_t num_vertices);
  /// Memory of a Counter.
  static uint64_t CounterBytes(uint64_t num_vertices);
  /// Reserves the degrees' memory; BudgetError when there is too little.
  /// `both_ways`: an edge is one in each direction, so that a vertex has as many in-edges as
  /// out-edges.
  static StatusOr<Renumberer> Create(Renumbering kind, uint64_t num_vertices, bool both_ways,
                                     MemoryBudget& budget);

  /// Counts edges for one thread. Its counts are available once it is destroyed.
  class Counter {
   public:
    explicit Counter(Renumberer& renumberer);
    ~Counter();
    Counter(const Counter&) = delete;
    Counter& operator=(const Counter&) = delete;
    /// Counts an edge; false, and nothing, when an end is no vertex.
    [[nodiscard]] bool Count(uint32_t source, uint32_t target);

   private:
    void Add(size_t direction, uint32_t vertex);
    void Flush(size_t held);

    Renumberer& renumberer_;
    /// Ends that are not counted yet, of each range of vertices: they are counted together, while
    /// the range's degrees are in the cache and no other thread's.
    std::vector<uint32_t> ends_;
    std::vector<uint32_t> num_ends_;
  };

  /// The new id of each rank: 4 bytes a vertex, which stay reserved. Degrees are gone afterwards.
  /// BudgetError when there is too little memory.
  StatusOr<Array<uint32_t>> Finish(int threads, MemoryBudget& budget);
  /// Takes the reservation of Finish's result.
  MemoryReservation ReleaseReservation() { return std::move(result_reservation_); }

 private:
  /// What vertices are ordered by, descending.
  uint64_t Heat(size_t vertex) const {
    const uint64_t out = out_degrees_[vertex];
    const uint64_t in = in_degrees_.empty() ? out : in_degrees_[vertex];
    return kind_ == Renumbering::kHub ? out * in : out + in;
  }
  /// Sorts vertices by heat, from the hottest, using `scratch`, both of all vertices. Returns where
  /// the result is.
  std::span<const uint32_t> SortByHeat(std::span<uint32_t> order, std::span<uint32_t> scratch,
                                       int threads) const;

  Renumbering kind_ = Renumbering::kNone;
  MemoryReservation reservation_;  // of the degrees
  MemoryReservation result_reservation_;
  Array<uint32_t> out_degrees_;
  Array<uint32_t> in_degrees_;  // empty where they are the same
  int range_bits_ = 0;          // of a vertex's number in its range
  size_t num_ranges_ = 0;
  std::unique_ptr<Mutex[]> mutexes_;  // of each range of out-degrees, then of in-degrees
};

}  // namespace edgemill

// New vertex ids by degree.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "common/buffer.h"
#include "common/memory_budget.h"
#include "common/status.h"
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
  /// Bytes that renumbering takes while it runs, with its result.
  static uint64_t MemoryBytes(uint64_t num_vertices);
  /// Reserves them; BudgetError when there is too little.
  /// `both_ways`: each vertex has as many in-edges as out-edges.
  static StatusOr<Renumberer> Create(Renumbering kind, uint64_t num_vertices, bool both_ways,
                                     MemoryBudget& budget);

  /// One thread's way to count edges. What it has counted is there once it is gone.
  class Counter {
   public:
    /// `both_ways`: an edge is one in each direction.
    Counter(Renumberer& renumberer, bool both_ways)
        : renumberer_(renumberer), both_ways_(both_ways) {}
    ~Counter() { Flush(); }
    Counter(const Counter&) = delete;
    Counter& operator=(const Counter&) = delete;
    /// Counts an edge; false, and nothing, when an end is no vertex.
    [[nodiscard]] bool Count(uint32_t source, uint32_t target);

   private:
    /// Edges of a vertex that are not added to its degree yet: edges of hubs come often, and their
    /// degrees would go from core to core with each.
    struct Held {
      uint32_t* degree = nullptr;
      uint32_t count = 0;
    };
    static constexpr size_t kHeld = 1024;
    static constexpr size_t kUnderWay = 16;

    void Add(uint32_t* degree);
    /// Adds `held` once others have been, when the degree's line has come.
    void Release(const Held& held);
    void Flush();

    Renumberer& renumberer_;
    const bool both_ways_;
    std::array<Held, kHeld> held_;
    std::array<Held, kUnderWay> under_way_;
    size_t next_ = 0;  // of under_way_
  };

  /// The new id of each rank: 4 bytes a vertex, which stay reserved. Degrees are gone afterwards.
  StatusOr<Array<uint32_t>> Finish();
  /// Takes the reservation of Finish's result.
  MemoryReservation TakeReservation() { return std::move(result_reservation_); }

 private:
  Renumbering kind_ = Renumbering::kNone;
  MemoryReservation reservation_;
  MemoryReservation result_reservation_;
  Array<uint32_t> out_degrees_;
  Array<uint32_t> in_degrees_;  // empty where they are the same
};

}  // namespace edgemill

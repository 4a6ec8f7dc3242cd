// New vertex ids by degree.
#pragma once

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
  static StatusOr<Renumberer> Create(Renumbering kind, uint64_t num_vertices, MemoryBudget& budget);

  /// Counts an edge, as one in each direction when `both_ways`; false, and nothing, when an end is
  /// no vertex. Thread-safe.
  [[nodiscard]] bool Count(uint32_t source, uint32_t target, bool both_ways);
  /// The new id of each rank: 4 bytes a vertex, which stay reserved. Degrees are gone afterwards.
  StatusOr<Array<uint32_t>> Finish();
  /// Takes the reservation of Finish's result.
  MemoryReservation TakeReservation() { return std::move(result_reservation_); }

 private:
  Renumbering kind_ = Renumbering::kNone;
  MemoryReservation reservation_;
  MemoryReservation result_reservation_;
  Array<uint32_t> out_degrees_;
  Array<uint32_t> in_degrees_;
};

}  // namespace edgemill

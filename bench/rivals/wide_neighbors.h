// Neighbours in 8 bytes each, as EMOGI keeps them for graphs of any size (its figure 12).
#pragma once

#include <cstdint>

#include "bench/plain/plain_csr.h"
#include "common/buffer.h"
#include "common/os/memory_budget.h"
#include "common/status.h"
#include "storage/read/memory_registrar.h"

namespace edgemill::bench {

/// The neighbours of a raw graph, widened. Immutable; thread-safe.
class WideNeighbors {
 public:
  /// Copies the neighbours of `graph`, which must outlive the object, with `threads` threads.
  /// Reserves 8 bytes an edge for each direction in `budget`, and registers them with `registrar`
  /// if there is one. Returns BudgetError when the memory is not there.
  static StatusOr<WideNeighbors> Create(const PlainCsr& graph, int threads, MemoryBudget& budget,
                                        MemoryRegistrar* registrar);

  /// The neighbours of one of the graph's directions.
  const uint64_t* of(const PlainLists& lists) const {
    return directions_[&lists == &graph_->out() ? 0 : 1].neighbors.data();
  }

 private:
  struct Direction {
    Array<uint64_t> neighbors;
    RegisteredMemory registered;  // is destroyed before the array
  };

  const PlainCsr* graph_ = nullptr;
  MemoryReservation reservation_;
  Direction directions_[2];  // out; in of a directed graph
};

}  // namespace edgemill::bench

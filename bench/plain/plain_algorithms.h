// Textbook versions of the four algorithms on plain CSR: parallel, as a reader would write them
// from the papers, without tricks of our own. bench/results/README.md compares them with GAPBS.
#pragma once

#include <cstdint>

#include "bench/plain/plain_csr.h"
#include "common/buffer.h"
#include "common/os/memory_budget.h"
#include "common/status.h"

namespace edgemill::bench {

/// Levels and distances of vertices that were not reached.
inline constexpr uint32_t kPlainUnreached = ~uint32_t{0};

/// One value for each vertex, by internal id, with its share of the budget.
template <typename T>
struct PlainValues {
  Array<T> values;
  MemoryReservation reservation;

  /// Zeros, reserved. BudgetError.
  static StatusOr<PlainValues> Allocate(uint64_t size, MemoryBudget& budget) {
    PlainValues result;
    ASSIGN_OR_RETURN(result.reservation, budget.Reserve(size * sizeof(T), "plain state"));
    ASSIGN_OR_RETURN(result.values, Array<T>::Allocate(size));
    return result;
  }
  T& operator[](uint64_t i) { return values[i]; }
  const T& operator[](uint64_t i) const { return values[i]; }
};

/// The chance that PageRank follows an edge.
inline constexpr double kDamping = 0.85;

/// PageRank by pull, Jacobi's way, with damping .85 and the rank of vertices without out-edges
/// spread over all: ranks and contributions are floats. 8 bytes a vertex.
StatusOr<PlainValues<float>> PlainPageRank(const PlainCsr& graph, uint32_t iterations, int threads,
                                           MemoryBudget& budget);

/// Levels from `source`, turning between top-down and bottom-up as Beamer, Asanovic and Patterson
/// do (SC 2012; alpha 15, beta 18). 8 1/4 bytes a vertex.
StatusOr<PlainValues<uint32_t>> PlainBfs(const PlainCsr& graph, VertexId source, int threads,
                                         MemoryBudget& budget);

/// The least vertex of each vertex's component, by Afforest (Sutton, Ben-Nun, Barak, IPDPS 2018),
/// with two rounds of neighbours. 4 bytes a vertex.
StatusOr<PlainValues<uint32_t>> PlainComponents(const PlainCsr& graph, int threads,
                                                MemoryBudget& budget);

/// Distances from `source` by delta-stepping (Meyer, Sanders, 2003). Each thread has its own bins,
/// and all edges are relaxed alike. A thread drains its small bins without waiting for the others
/// (Zhang et al., CGO 2020). `delta` is at least 1. Distances of 2^32 - 1 and more count as
/// unreached. Takes 4 bytes a vertex, and 4 for each vertex in a bin. Bins may hold more entries
/// than there are vertices: their memory is reserved as they grow. UsageError for a graph without
/// weights, or with negative ones.
StatusOr<PlainValues<uint32_t>> PlainSssp(const PlainCsr& graph, VertexId source, uint32_t delta,
                                          int threads, MemoryBudget& budget);

}  // namespace edgemill::bench

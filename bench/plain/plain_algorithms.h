// Textbook versions of four algorithms on plain CSR. They are parallel and follow the papers, with
// no optimizations of our own. bench/results/README.md compares them with GAPBS.
#pragma once

#include <cstdint>

#include "bench/plain/plain_csr.h"
#include "common/buffer.h"
#include "common/os/memory_budget.h"
#include "common/status.h"

namespace edgemill::bench {

/// The level or the distance of a vertex that was not reached.
inline constexpr uint32_t kPlainUnreached = ~uint32_t{0};

/// One value for each vertex, by internal id, and the reservation of memory for all of them.
template <typename T>
struct PlainValues {
  Array<T> values;
  MemoryReservation reservation;

  /// Reserves memory for `size` values, all zero. BudgetError when the budget has too little.
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
/// The most that ranks by deltas are off (L1) where their residuals are `tolerance` of all rank.
/// The ranks then lack d / (1 - d) of it, and scaling them to a sum of 1 moves as much.
constexpr double DeltaRankError(double tolerance) {
  return 2 * tolerance * kDamping / (1 - kDamping);
}

/// PageRank by pull, with Jacobi iteration: an iteration reads only the ranks of the one before it.
/// Damping is 0.85. The rank of vertices without out-edges is spread over all vertices. Ranks and
/// contributions are floats. Takes 8 bytes a vertex.
StatusOr<PlainValues<float>> PlainPageRank(const PlainCsr& graph, uint32_t iterations, int threads,
                                           MemoryBudget& budget);

/// Levels from `source`. Switches between top-down and bottom-up steps by the rule of Beamer,
/// Asanovic and Patterson (SC 2012; alpha 15, beta 18). Takes 8.25 bytes a vertex.
StatusOr<PlainValues<uint32_t>> PlainBfs(const PlainCsr& graph, VertexId source, int threads,
                                         MemoryBudget& budget);

/// The least vertex of each vertex's component, by Afforest (Sutton, Ben-Nun, Barak, IPDPS 2018),
/// with two rounds of neighbours. Takes 4 bytes a vertex.
StatusOr<PlainValues<uint32_t>> PlainComponents(const PlainCsr& graph, int threads,
                                                MemoryBudget& budget);

/// Distances from `source` by delta-stepping (Meyer, Sanders, 2003). Light and heavy edges are not
/// distinguished. Each thread has its own bins, and drains its small bins without waiting
/// for the others (Zhang et al., CGO 2020). `delta` is at least 1. Distances of 2^32 - 1 and more
/// count as unreached. Takes 4 bytes a vertex, and 4 for each vertex in a bin. Bins may hold more
/// entries than there are vertices: their memory is reserved as they grow. Returns UsageError for a
/// graph without weights, or with negative ones.
StatusOr<PlainValues<uint32_t>> PlainSssp(const PlainCsr& graph, VertexId source, uint32_t delta,
                                          int threads, MemoryBudget& budget);

}  // namespace edgemill::bench

#include <algorithm>
#include <utility>
#include <vector>

#include "bench/plain/plain_algorithms.h"
#include "bench/plain/thread_team.h"

namespace edgemill::bench {
namespace {

/// Edges whose contributions are added up as floats, which takes 0.8 of the time of doubles. The
/// number is small, so that long lists lose no accuracy.
constexpr uint64_t kFloatEdges = 64;

/// A thread's sum, on a cache line of its own.
struct alignas(64) OwnSum {
  double value = 0;
};

}  // namespace

StatusOr<PlainValues<float>> PlainPageRank(const PlainCsr& graph, uint32_t iterations, int threads,
                                           MemoryBudget& budget) {
  const uint64_t size = graph.num_vertices();
  ASSIGN_OR_RETURN(auto rank, PlainValues<float>::Allocate(size, budget));
  ASSIGN_OR_RETURN(auto contributions, PlainValues<float>::Allocate(size, budget));
  const double num_vertices = static_cast<double>(size);
  ThreadTeam team(threads);
  std::vector<OwnSum> dangling(static_cast<size_t>(threads));
  std::fill(rank.values.begin(), rank.values.end(), static_cast<float>(1 / num_vertices));
  for (uint32_t iteration = 0; iteration < iterations; ++iteration) {
    // Computes the contribution of each vertex to each of its out-neighbours. This loop is
    // separate, because a second store for each vertex would slow down the random reads of the next
    // loop.
    team.Chunks(size, kVertexGrain, [&](int thread, uint64_t begin, uint64_t end) {
      double lost = 0;
      for (uint64_t v = begin; v < end; ++v) {
        const uint64_t degree = graph.out().degree(static_cast<VertexId>(v));
        contributions[v] = degree == 0 ? 0 : rank[v] / static_cast<float>(degree);
        lost += degree == 0 ? rank[v] : 0;
      }
      dangling[static_cast<size_t>(thread)].value += lost;
    });
    double lost = 0;
    for (OwnSum& sum : dangling) lost += std::exchange(sum.value, 0);
    const double base = (1 - kDamping + kDamping * lost) / num_vertices;
    team.Chunks(size, kVertexGrain, [&](int, uint64_t begin, uint64_t end) {
      const uint64_t* const offsets = graph.in().offsets.data();
      const VertexId* const neighbors = graph.in().neighbors.data();
      const float* const contribution = contributions.values.data();
      for (uint64_t v = begin; v < end; ++v) {
        const uint64_t last = offsets[v + 1];
        double sum = 0;
        for (uint64_t edge = offsets[v]; edge < last;) {
          float part = 0;
          for (const uint64_t end = std::min(edge + kFloatEdges, last); edge < end; ++edge) {
            part += contribution[neighbors[edge]];
          }
          sum += part;
        }
        rank[v] = static_cast<float>(base + kDamping * sum);
      }
    });
  }
  return rank;
}

}  // namespace edgemill::bench

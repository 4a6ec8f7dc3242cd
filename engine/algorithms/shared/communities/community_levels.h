// Communities of a graph in memory by modularity: levels of moves, each on the graph of the groups
// that the level before made. Louvain and Leiden find their first groups by passes over lists.
#pragma once

#include <cstdint>
#include <span>

#include "common/os/memory_budget.h"
#include "common/status.h"
#include "common/types.h"
#include "engine/algorithms/shared/communities/weighted_graph.h"

namespace edgemill {

/// What communities are measured by, in the units of weights.
struct ModularityRule {
  double resolution = 1;
  uint64_t weight = 0;  // of all arcs and loops: twice that of all edges

  /// By how much expected weight grows with the product of two strengths.
  double ratio() const { return weight == 0 ? 0 : resolution / static_cast<double>(weight); }
  /// The weight that chance would put between a vertex of `strength` and others of the strength
  /// `others` together.
  double Expected(uint64_t strength, double others) const {
    return ratio() * static_cast<double>(strength) * others;
  }
  /// The least gain for which a vertex of `strength` moves: above what rounding can feign.
  double LeastGain(uint64_t strength) const {
    return 1e-12 * (1 + resolution) * static_cast<double>(strength);
  }
  /// Of a community, or a vertex: its share of modularity. `inside` is twice the weight of its
  /// edges.
  double ShareOf(uint64_t inside, uint64_t strength) const {
    if (weight == 0) return 0;
    const double all = static_cast<double>(weight), part = static_cast<double>(strength) / all;
    return static_cast<double>(inside) / all - resolution * part * part;
  }
};

/// Communities of a graph.
struct Communities {
  CountedArray<VertexId> of;  // by vertex of the graph that was given, from 0 on
  uint64_t count = 0;
  double modularity = 0;
  uint64_t levels = 0;
};

/// How levels improve communities.
struct LevelOptions {
  ModularityRule rule;
  bool refines = false;  // Leiden
  uint64_t seed = 1;     // chooses the order of vertices
  MemoryBudget& budget;
};

/// Improves the communities that `start` says, by vertex: numbers below that of vertices. In each
/// level, vertices move one after the other to the neighbouring community of largest gain, until
/// none gains. Then groups of them are the vertices of the next level: the communities, or, if the
/// options refine, their connected parts that hold together by themselves. Such communities are
/// connected, if the given vertices stand for connected groups. All levels come again while
/// modularity grows by more than 1e-4, four times at most. One thread: the result is the same
/// everywhere. BudgetError; CancelledError.
StatusOr<Communities> ImproveCommunities(const WeightedGraph& graph,
                                         std::span<const VertexId> start,
                                         const LevelOptions& options);

}  // namespace edgemill

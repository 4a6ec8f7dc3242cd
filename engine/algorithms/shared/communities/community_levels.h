// Communities of a graph in memory by modularity: levels of moves, each on the graph of the groups
// that the level before made. Louvain and Leiden find their first groups by passes over lists.
#pragma once

#include <cstdint>
#include <span>

#include "common/os/memory_budget.h"
#include "common/status.h"
#include "common/types.h"
#include "engine/algorithms/shared/communities/community_moves.h"
#include "engine/algorithms/shared/communities/weighted_graph.h"

namespace edgemill {

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
  int threads = 1;
  ArrayPool& pool;
};

/// Replaces labels, which are below their number, by numbers from 0 on, in the order of first
/// members. Returns how many labels there are. BudgetError.
StatusOr<uint64_t> NumberByFirst(std::span<VertexId> labels, int threads, ArrayPool& pool);

/// Improves the communities that `start` says, by vertex: numbers below that of vertices. In each
/// level, vertices move to the neighbouring community of largest gain. Then groups of them are the
/// vertices of the next level: the communities, or, if the options refine, connected parts of them.
/// Such communities are connected, if the given vertices stand for connected groups. Large levels
/// work on all threads, in rounds (community_moves.h), and the last ones on one. The result does
/// not depend on threads. Sorts arcs. BudgetError; CancelledError.
StatusOr<Communities> ImproveCommunities(WeightedGraph& given, std::span<const VertexId> start,
                                         const LevelOptions& options);

}  // namespace edgemill

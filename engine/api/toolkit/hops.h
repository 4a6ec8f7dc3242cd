// Levels from a source, by edges alone: the search that finds them.
#pragma once

#include <utility>

#include "engine/api/algorithm.h"
#include "engine/program/monoids.h"

namespace edgemill {

/// The level of a vertex that is not reached.
inline constexpr uint32_t kUnreached = kInvalidVertex;

/// Discovers vertices one level down.
struct Discover {
  using Monoid = Any<VertexId>;
  View<uint32_t> level;
  View<VertexId> parent;  // empty where nobody asks for them
  uint32_t depth;
  VertexId Emit(VertexId u) const { return u; }
  bool Cond(VertexId v) const { return level[v] == kUnreached; }
  bool Apply(VertexId v, VertexId u) {
    level[v] = depth;
    if (parent) parent[v] = u;
    return true;
  }
  void Next() { ++depth; }
  struct Tuning {
    static bool AsksForSender(const Discover& program) { return static_cast<bool>(program.parent); }
  };
};

/// How far a search by levels came.
struct LevelReach {
  uint64_t vertices = 0;
  uint64_t farthest = 0;  // level
};

/// Fills `level` with least numbers of edges from `source` along out-edges, of at most `most`, and
/// `parent` as `Discover` does unless it is empty. The state declares Programs of Discover, kOut.
inline StatusOr<LevelReach> FindLevels(Engine& engine, VertexId source, uint64_t most,
                                       VertexArray<uint32_t>& level, View<VertexId> parent = {}) {
  level.Fill(kUnreached);
  level.Set(source, 0);
  ASSIGN_OR_RETURN(VertexSet from, engine.sets().Of({source}));
  ASSIGN_OR_RETURN(const FixpointTotals totals,
                   engine.Fixpoint(kOut, std::move(from), Discover{level.view(), parent, 1}, most));
  return LevelReach{totals.emitted + totals.left.size(),
                    totals.passes - (totals.left.empty() ? 1 : 0)};
}

}  // namespace edgemill

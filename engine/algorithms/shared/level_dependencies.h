// Dependencies on paths of fewest edges: level by level from a source, and back.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/algorithms/shared/path_arrays.h"

namespace edgemill {
inline namespace EM_VIEWS_NAMESPACE {

struct RaiseExponents {  // raises exponents to the greatest among predecessors
  using Monoid = Max<uint32_t>;
  View<uint32_t> level, exponent;
  uint32_t depth;
  uint32_t Emit(VertexId u) const { return exponent[u]; }
  bool Cond(VertexId v) const { return level[v] >= depth; }
  bool Relax(VertexId v, uint32_t from) {
    if (level[v] < depth) return false;
    const bool is_new = CompareAndSet(level[v], ~0u, depth);
    return AtomicMax(exponent[v], from) || is_new;
  }
};
struct AddPaths {
  using Monoid = Sum<double>;
  static constexpr bool kSimple = true;
  View<uint32_t> level;
  View<double> paths;
  View<const uint32_t> exponent;  // empty: all are 0
  uint32_t depth;
  double Emit(VertexId u) const { return paths[u]; }
  double Along(double more, const Edge& edge) const {
    return exponent ? Lessened(more, exponent[edge.to] - exponent[edge.from]) : more;
  }
  bool Cond(VertexId v) const { return level[v] >= depth; }
  bool Relax(VertexId v, double more) {
    if (level[v] < depth) return false;
    AtomicAdd(paths[v], more);
    return CompareAndSet(level[v], ~0u, depth);
  }
};
struct BeginShares {  // sets the values of a vertex without a successor
  View<double> paths, share, next_share;
  View<uint32_t> exponent;  // empty: all stay 0
  TallyView<Max<double>> most;
  void operator()(VertexId v) {
    Normalize(paths, exponent, v);
    most.Add(paths[v]);
    next_share[v] = share[v] = 1 / paths[v];
  }
};
struct Accumulate {  // against the edges, to the level above
  using Monoid = Sum<double>;
  static constexpr bool kSimple = true;
  View<const uint32_t> level;
  View<const double> paths, next_share;
  View<const uint32_t> exponent;  // empty: all are 0
  View<double> share, score;      // share: (1 + dependency) / paths
  uint32_t depth;
  double Emit(VertexId w) const { return next_share[w]; }
  double Along(double more, const Edge& edge) const {
    return exponent ? Lessened(more, exponent[edge.from] - exponent[edge.to]) : more;
  }
  bool Cond(VertexId v) const { return level[v] == depth; }
  bool Apply(VertexId v, double sum) {
    const double dependency = paths[v] * sum;
    share[v] = (1 + dependency) / paths[v];
    if (depth > 0) score[v] += dependency;
    return true;
  }
};

/// A field of the state of betweenness.
class LevelDependencies {
 public:
  /// `wanted`: whether the run adds dependencies by levels.
  LevelDependencies(State& state, bool wanted)
      : forward_(state, kOut, wanted, PassesOf::kOne),
        backward_(state, kIn, wanted, PassesOf::kOne) {}

  /// Adds the dependencies on paths from `source` to `arrays.score`. Holds 2 sets.
  Status Add(Engine& engine, PathArrays& arrays, VertexId source) {
    arrays.Clear();
    arrays.level.Set(source, 0);
    arrays.paths.Set(source, 1);
    ASSIGN_OR_RETURN(VertexSet set, engine.sets().Of({source}));
    uint64_t first_wide = ~uint64_t{0};
    for (uint32_t depth = 1; !set.empty(); ++depth) {
      arrays.levels.Append(set);
      RETURN_IF_ERROR(arrays.Begin([&](View<uint32_t> exponents, TallyView<Max<double>> most) {
        return engine.VertexMap(set, BeginShares{arrays.paths.view(), arrays.share.view(),
                                                 arrays.next_share.view(), exponents, most});
      }));
      if (arrays.wide) first_wide = std::min<uint64_t>(first_wide, depth - 1);
      ASSIGN_OR_RETURN(set, NextLevel(engine, arrays, set, depth));
    }
    for (auto depth = static_cast<uint32_t>(arrays.levels.size() - 1); depth-- > 0;) {
      ASSIGN_OR_RETURN(set, arrays.levels.At(depth + 1, engine.sets()));
      const Accumulate program{
          arrays.level.read(),
          arrays.paths.read(),
          arrays.next_share.read(),
          depth + 1 >= first_wide ? arrays.exponents() : View<const uint32_t>(),
          arrays.share.view(),
          arrays.score.view(),
          depth};
      RETURN_IF_ERROR(engine.EdgeMap(kIn, set, program).status());
      arrays.share.Swap(arrays.next_share);
    }
    return OkStatus();
  }

 private:
  /// The level after `set`, with its numbers of paths.
  static StatusOr<VertexSet> NextLevel(Engine& engine, PathArrays& arrays, const VertexSet& set,
                                       uint32_t depth) {
    AddPaths add{arrays.level.view(), arrays.paths.view(), {}, depth};
    if (!arrays.wide) return engine.EdgeMap(kOut, set, add);
    const RaiseExponents raise{arrays.level.view(), arrays.exponent.view(), depth};
    ASSIGN_OR_RETURN(VertexSet next, engine.EdgeMap(kOut, set, raise));
    add.exponent = arrays.exponents();
    RETURN_IF_ERROR(engine.EdgeMap(kOut, set, add).status());
    return next;
  }

  Programs<RaiseExponents, AddPaths> forward_;
  Programs<Accumulate> backward_;
};

}  // namespace EM_VIEWS_NAMESPACE
}  // namespace edgemill

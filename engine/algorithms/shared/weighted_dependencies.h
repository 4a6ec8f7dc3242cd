// Dependencies on paths of the least sum of weights. Distances come first. The edges (u, v) with
// distance[u] + weight == distance[v] are tight: paths of tight edges are shortest paths. A vertex
// is on the level after the last of those that tight edges lead to it from. So numbers of paths go
// down the levels, and dependencies come back up.
#pragma once

#include <cstdint>
#include <string>

#include "engine/algorithms/shared/distances.h"
#include "engine/algorithms/shared/path_arrays.h"
#include "engine/algorithms/shared/weighted_search.h"

namespace edgemill {
inline namespace EM_VIEWS_NAMESPACE {

/// Compares sums as Shorten makes them. A loop is on no shortest path.
EM_HOST_DEVICE inline bool IsTight(View<const double> distance, VertexId from, VertexId to,
                                   double weight) {
  return from != to && distance[from] + weight == distance[to];
}

struct CountWaiting {  // step 1: counts tight edges to each vertex; -1: counts down, true at 0
  using Monoid = Sum<uint32_t>;
  View<const double> distance;
  View<uint32_t> waits;
  uint32_t step;
  uint32_t Emit(VertexId) const { return step; }
  uint32_t Along(uint32_t number, const WeightedEdge<double>& edge) const {
    return IsTight(distance, edge.from, edge.to, edge.weight) ? number : 0;
  }
  bool Cond(VertexId v) const {
    return step == 1 ? distance[v] != kNoDistance<double> : waits[v] != 0;
  }
  bool Relax(VertexId v, uint32_t number) {
    return number != 0 && AtomicAdd(waits[v], number) == 0 - number;
  }
};
struct BeginLevel {
  View<uint32_t> level;
  View<double> paths;
  View<uint32_t> exponent;  // empty: all stay 0
  TallyView<Max<double>> most;
  uint32_t depth;
  void operator()(VertexId v) {
    level[v] = depth;
    Normalize(paths, exponent, v);
    most.Add(paths[v]);
  }
};
struct RaiseTight {  // raises exponents to the greatest among predecessors
  using Monoid = Max<uint32_t>;
  View<const double> distance;
  View<const uint32_t> level, exponent;
  View<uint32_t> raised;
  uint32_t Emit(VertexId u) const { return exponent[u]; }
  uint32_t Along(uint32_t from, const WeightedEdge<double>& edge) const {
    return IsTight(distance, edge.from, edge.to, edge.weight) ? from : 0;
  }
  bool Cond(VertexId v) const { return level[v] == ~0u; }
  bool Relax(VertexId v, uint32_t from) { return AtomicMax(raised[v], from); }
};
struct TakeRaised {  // what has come to a vertex before gets the exponent of what comes next
  View<const uint32_t> raised;
  View<uint32_t> exponent;
  View<double> paths;
  void operator()(VertexId v) {
    paths[v] = Lessened(paths[v], raised[v] - exponent[v]);
    exponent[v] = raised[v];
  }
};
struct AddTightPaths {
  using Monoid = Sum<double>;
  View<const double> distance;
  View<const uint32_t> level, exponent;  // exponent: empty: all are 0
  View<double> paths;
  double Emit(VertexId u) const { return paths[u]; }
  double Along(double more, const WeightedEdge<double>& edge) const {
    if (!IsTight(distance, edge.from, edge.to, edge.weight)) return 0;
    return exponent ? Lessened(more, exponent[edge.to] - exponent[edge.from]) : more;
  }
  bool Cond(VertexId v) const { return level[v] == ~0u; }
  bool Relax(VertexId v, double more) {
    AtomicAdd(paths[v], more);
    return false;
  }
};
struct AccumulateTight {  // against the edges, to all levels above
  using Monoid = Sum<double>;
  View<const double> distance, share;
  View<const uint32_t> level, exponent;  // exponent: empty: all are 0
  View<double> sum;
  uint32_t depth;  // of those that emit
  double Emit(VertexId w) const { return share[w]; }
  double Along(double more, const WeightedEdge<double>& edge) const {
    if (!IsTight(distance, edge.to, edge.from, edge.weight)) return 0;
    return exponent ? Lessened(more, exponent[edge.from] - exponent[edge.to]) : more;
  }
  bool Cond(VertexId v) const { return level[v] < depth; }
  bool Apply(VertexId v, double part) {
    sum[v] += part;
    return false;
  }
};
struct EndLevel {  // once all levels below have sent their shares
  View<const double> paths, sum;
  View<double> share, score;  // share: (1 + dependency) / paths
  void operator()(VertexId v) {
    const double dependency = paths[v] * sum[v];
    share[v] = (1 + dependency) / paths[v];
    score[v] += dependency;
  }
};

struct ReachedDistance {  // 0 where a vertex is not reached
  View<const double> distance;
  double operator()(VertexId v) const {
    return distance[v] == kNoDistance<double> ? 0 : double{distance[v]};
  }
};

/// A field of the state of betweenness. Distances are doubles, which hold whole numbers exactly up
/// to 2^53.
class WeightedDependencies {
 public:
  /// `wanted`: whether the run adds dependencies by weights.
  WeightedDependencies(RunState& state, bool wanted)
      : real_(HasRealWeights(state.weights())),
        distance_(state, "distance", UseIf(wanted, ArrayUse::kWork)),
        waits_(state, "waits", UseIf(wanted, ArrayUse::kWork)),
        raised_(state, "raised", UseIf(wanted, ArrayUse::kWork)),
        sample_(state, wanted),
        search_(state, kOut, wanted),
        forward_(state, kOut, wanted, PassesOf::kOne),
        backward_(state, kIn, wanted, PassesOf::kOne) {}

  /// Before the first Add. The errors of operators.
  Status ChooseBuckets(Engine& engine, const RunState& state, const RunContext& context) {
    ASSIGN_OR_RETURN(buckets_, sample_.BucketsFor(state, engine, context));
    return OkStatus();
  }

  /// Adds the dependencies on paths from `source` to `arrays.score`. Holds 2 sets. BadDataError
  /// where infinitely many shortest paths lead to a vertex, and for distances that no double holds.
  Status Add(Engine& engine, PathArrays& arrays, VertexId source) {
    arrays.Clear();
    arrays.paths.Set(source, 1);
    RETURN_IF_ERROR(FindDistances(engine, source));
    ASSIGN_OR_RETURN(const uint64_t reached, CountTightEdges(engine));
    uint64_t left = reached;
    ASSIGN_OR_RETURN(VertexSet set, engine.sets().Of({source}));
    if (waits_.Get(source) != 0) return EndlessError(engine.graph());
    for (uint32_t depth = 0; !set.empty(); ++depth) {
      left -= set.size();
      arrays.levels.Append(set);
      const bool was_wide = arrays.wide;
      RETURN_IF_ERROR(arrays.Begin([&](View<uint32_t> exponents, TallyView<Max<double>> most) {
        return engine.VertexMap(
            set, BeginLevel{arrays.level.view(), arrays.paths.view(), exponents, most, depth});
      }));
      if (arrays.wide && !was_wide) raised_.Fill(0);
      ASSIGN_OR_RETURN(set, NextLevel(engine, arrays, set));
    }
    if (left > 0) return EndlessError(engine.graph());
    arrays.next_share.Fill(0);
    for (auto depth = static_cast<uint32_t>(arrays.levels.size() - 1); depth > 0; --depth) {
      ASSIGN_OR_RETURN(set, arrays.levels.At(depth, engine.sets()));
      const EndLevel end{arrays.paths.read(), arrays.next_share.read(), arrays.share.view(),
                         arrays.score.view()};
      RETURN_IF_ERROR(engine.VertexMap(set, end));
      const AccumulateTight program{distance_.read(),         arrays.share.read(),
                                    arrays.level.read(),      arrays.exponents(),
                                    arrays.next_share.view(), depth};
      RETURN_IF_ERROR(engine.EdgeMap(kIn, set, program).status());
    }
    return OkStatus();
  }

 private:
  Status FindDistances(Engine& engine, VertexId source) {
    distance_.Fill(kNoDistance<double>);
    distance_.Set(source, 0);
    ASSIGN_OR_RETURN(VertexSet from, engine.sets().Of({source}));
    const Shorten<double, double> shorten{distance_.view()};
    RETURN_IF_ERROR(engine.Bucketed(kOut, std::move(from), shorten, buckets_).status());
    ASSIGN_OR_RETURN(
        const double farthest,
        engine.Reduce<Max<double>>(engine.sets().All(), ReachedDistance{distance_.read()}));
    if (real_) {
      return MayPassDoubles(farthest) ? CheckLengths(engine.graph(), distance_.span()) : OkStatus();
    }
    if (farthest < 0x1p53) return OkStatus();
    return BadDataError(StrCat("a distance is 2^53 or more, and sums of weights are not exact ",
                               "there: scale the weights"));
  }
  /// Returns the number of vertices that are reached.
  StatusOr<uint64_t> CountTightEdges(Engine& engine) {
    waits_.Fill(0);
    ASSIGN_OR_RETURN(const VertexSet reached,
                     engine.VertexFilter(engine.sets().All(), IsReached<double>{distance_.read()}));
    const CountWaiting count{distance_.read(), waits_.view(), 1};
    RETURN_IF_ERROR(engine.EdgeMap(kOut, reached, count).status());
    return reached.size();
  }
  /// Passes numbers of paths on. Returns the vertices that wait for no others.
  StatusOr<VertexSet> NextLevel(Engine& engine, PathArrays& arrays, const VertexSet& set) {
    if (arrays.wide) {
      const RaiseTight raise{distance_.read(), arrays.level.read(), arrays.exponent.read(),
                             raised_.view()};
      ASSIGN_OR_RETURN(const VertexSet higher, engine.EdgeMap(kOut, set, raise));
      const TakeRaised take{raised_.read(), arrays.exponent.view(), arrays.paths.view()};
      RETURN_IF_ERROR(engine.VertexMap(higher, take));
    }
    const AddTightPaths add{distance_.read(), arrays.level.read(), arrays.exponents(),
                            arrays.paths.view()};
    RETURN_IF_ERROR(engine.EdgeMap(kOut, set, add).status());
    return engine.EdgeMap(kOut, set, CountWaiting{distance_.read(), waits_.view(), ~0u});
  }
  Status EndlessError(LoadedGraph& graph) const {
    const std::span<const uint32_t> waits = waits_.span();
    ASSIGN_OR_RETURN(const VertexId v,
                     FirstVertexWhere(graph, [&](VertexId v) { return waits[v] != 0; }));
    ASSIGN_OR_RETURN(const std::string text, VertexText(graph, v));
    return BadDataError(StrCat("infinitely many shortest paths lead to vertex ", text,
                               ": edges in a circle make paths no longer, with weights that are 0 ",
                               "or too small beside the distance: make weights greater than 0"));
  }

  const bool real_;
  Buckets buckets_;
  VertexArray<double> distance_;
  VertexArray<uint32_t> waits_;   // tight edges from vertices that have no level yet
  VertexArray<uint32_t> raised_;  // exponents to come
  WeightSample sample_;
  Programs<Shorten<double, double>> search_;
  Programs<CountWaiting, RaiseTight, AddTightPaths> forward_;
  Programs<AccumulateTight> backward_;
};

}  // namespace EM_VIEWS_NAMESPACE
}  // namespace edgemill

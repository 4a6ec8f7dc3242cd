// Betweenness centrality, one source after another. Brandes, 2001.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/api/levels.h"
#include "test/model/algorithms/ssnsp.h"

namespace edgemill::model {

struct Accumulate {  // against the edges, from one level to the one above
  using Monoid = Sum<double>;
  View<const uint32_t> level;
  View<const double> paths;
  View<const double> next_part;  // (1 + dependency) / paths
  View<double> part;
  View<double> score;
  uint32_t depth;
  double Emit(VertexId w) const { return next_part[w]; }
  bool Cond(VertexId v) const { return level[v] == depth; }
  bool Apply(VertexId v, double sum) {
    const double dependency = paths[v] * sum;
    part[v] = (1 + dependency) / paths[v];
    if (depth > 0) score[v] += dependency;
    return true;
  }
};
struct StartPart {  // of vertices on which no other depends
  View<const double> paths;
  View<double> part;
  View<double> next_part;
  void operator()(VertexId v) {
    part[v] = 1 / paths[v];
    next_part[v] = 1 / paths[v];
  }
};

struct BetweennessState : State {
  BetweennessState(uint64_t num_vertices, int threads) : State(num_vertices, threads) {
    HoldSets(2);
  }
  VertexArray<uint32_t> level{*this, "level"};
  VertexArray<double> paths{*this, "paths"};
  VertexArray<double> part{*this, "part"};
  VertexArray<double> next_part{*this, "next part"};
  VertexArray<double> score{*this, "score", ArrayUse::kResult};
  Levels levels{*this, "levels"};
  Programs<CountPaths> forward{*this, kOut};
  Programs<Accumulate> back{*this, kIn};
};

template <typename E>
Status SearchLevels(E& engine, BetweennessState& state, VertexId source) {
  state.level.Fill(kUnreached);
  state.paths.Fill(0);
  state.level.Set(source, 0);
  state.paths.Set(source, 1);
  state.levels.Clear();
  ASSIGN_OR_RETURN(VertexSet set, engine.sets().Of({source}));
  for (uint32_t depth = 1; !set.empty(); ++depth) {
    state.levels.Append(set);
    const StartPart start{state.paths.read(), state.part.view(), state.next_part.view()};
    RETURN_IF_ERROR(engine.VertexMap(set, start));
    const CountPaths count{state.level.view(), state.paths.view(), depth};
    ASSIGN_OR_RETURN(set, engine.EdgeMap(kOut, set, count));
  }
  return OkStatus();
}

/// The sum of dependencies over `sources`.
template <typename E>
StatusOr<std::vector<double>> Betweenness(E& engine, std::span<const VertexId> sources) {
  BetweennessState state(engine.num_vertices(), engine.threads());
  RETURN_IF_ERROR(state.Allocate(engine.budget()));
  for (const VertexId source : sources) {
    RETURN_IF_ERROR(SearchLevels(engine, state, source));
    for (uint64_t depth = state.levels.size() - 1; depth-- > 0;) {
      ASSIGN_OR_RETURN(const VertexSet below, state.levels.At(depth + 1, engine.sets()));
      const Accumulate accumulate{state.level.read(),     state.paths.read(),
                                  state.next_part.read(), state.part.view(),
                                  state.score.view(),     static_cast<uint32_t>(depth)};
      RETURN_IF_ERROR(engine.EdgeMap(kIn, below, accumulate).status());
      state.part.Swap(state.next_part);
    }
  }
  return CopyOf(state.score);
}

}  // namespace edgemill::model

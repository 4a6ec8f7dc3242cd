// Numbers of shortest paths from a source, unweighted; and levels, which betweenness needs too.
#pragma once

#include <cstdint>
#include <vector>

#include "test/model/algorithms/vertex_functions.h"

namespace edgemill::model {

struct CountPaths {
  using Monoid = Sum<double>;
  View<uint32_t> level;
  View<double> paths;
  uint32_t depth;
  double Emit(VertexId u) const { return paths[u]; }
  bool Cond(VertexId v) const { return level[v] >= depth; }
  bool Relax(VertexId v, double more) {
    if (level[v] < depth) return false;  // what Cond said may be old
    AtomicAdd(paths[v], more);
    return CompareAndSet(level[v], kUnreached, depth);
  }
  void Next() { ++depth; }
};

struct SsnspState : State {
  using State::State;
  VertexArray<uint32_t> level{*this, "level"};
  VertexArray<double> paths{*this, "paths", ArrayUse::kResult};
  Programs<CountPaths> programs{*this, kOut};
};

template <typename E>
StatusOr<std::vector<double>> Ssnsp(E& engine, VertexId source) {
  SsnspState state(engine.num_vertices(), engine.threads());
  RETURN_IF_ERROR(state.Allocate(engine.budget()));
  state.level.Fill(kUnreached);
  state.paths.Fill(0);
  state.level.Set(source, 0);
  state.paths.Set(source, 1);
  ASSIGN_OR_RETURN(VertexSet from, engine.sets().Of({source}));
  const CountPaths count{state.level.view(), state.paths.view(), 1};
  RETURN_IF_ERROR(engine.Fixpoint(kOut, std::move(from), count).status());
  return CopyOf(state.paths);
}

}  // namespace edgemill::model

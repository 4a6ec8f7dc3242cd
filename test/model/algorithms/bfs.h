// Breadth-first search: levels and parents. Beamer, Asanovic, Patterson, SC 2012.
#pragma once

#include <cstdint>
#include <vector>

#include "test/model/algorithms/vertex_functions.h"

namespace edgemill::model {

struct Visit {  // discovers targets, one level down
  using Monoid = Any<VertexId>;
  View<uint32_t> level;
  View<VertexId> parent;
  uint32_t depth;
  VertexId Emit(VertexId u) const { return u; }
  bool Cond(VertexId v) const { return level[v] == kUnreached; }
  bool Apply(VertexId v, VertexId u) {
    level[v] = depth;
    parent[v] = u;
    return true;
  }
  void Next() { ++depth; }
};

struct BfsState : State {
  using State::State;
  VertexArray<uint32_t> level{*this, "level", ArrayUse::kResult};
  VertexArray<VertexId> parent{*this, "parent", ArrayUse::kVertices};
  Programs<Visit> programs{*this, kOut};
};

struct BfsResult {
  std::vector<uint32_t> level;
  std::vector<VertexId> parent;
};

template <typename E>
StatusOr<BfsResult> Bfs(E& engine, VertexId source) {
  BfsState state(engine.num_vertices(), engine.threads());
  RETURN_IF_ERROR(state.Allocate(engine.budget()));
  state.level.Fill(kUnreached);
  state.parent.Fill(kInvalidVertex);
  state.level.Set(source, 0);
  state.parent.Set(source, source);
  ASSIGN_OR_RETURN(VertexSet from, engine.sets().Of({source}));
  const Visit visit{state.level.view(), state.parent.view(), 1};
  RETURN_IF_ERROR(engine.Fixpoint(kOut, std::move(from), visit).status());
  return BfsResult{CopyOf(state.level), CopyOf(state.parent)};
}

}  // namespace edgemill::model

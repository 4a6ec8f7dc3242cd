// A verifier of a search, by definition. Levels rise by at most one along an edge. Each reached
// vertex except the source has a parent on the level before, and an edge from the parent.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/model/model_graph.h"
#include "test/model/unshipped/vertex_functions.h"

namespace edgemill::model {

struct BfsResult {
  std::vector<uint32_t> level;
  std::vector<VertexId> parent;
};

/// A right result, by a plain queue.
inline BfsResult PlainBfs(const Graph& graph, VertexId source) {
  BfsResult result{std::vector<uint32_t>(graph.num_vertices(), kUnreached),
                   std::vector<VertexId>(graph.num_vertices(), kInvalidVertex)};
  result.level[source] = 0;
  result.parent[source] = source;
  std::vector<VertexId> found = {source};
  for (size_t next = 0; next < found.size(); ++next) {
    for (const InputEdge& edge : graph.lists(Directions::kOut)[0]->of(found[next])) {
      if (result.level[edge.to] != kUnreached) continue;
      result.level[edge.to] = result.level[edge.from] + 1;
      result.parent[edge.to] = edge.from;
      found.push_back(edge.to);
    }
  }
  return result;
}

struct CheckStep {
  View<const uint32_t> level;
  View<const VertexId> parent;
  Into<Or<uint32_t>> shown;
  TallyView<Sum<uint64_t>> wrong;
  void operator()(const Edge& edge) {
    if (level[edge.from] == kUnreached) return;
    if (level[edge.to] > level[edge.from] + 1) wrong.Add(1);
    if (level[edge.to] == level[edge.from] + 1 && parent[edge.to] == edge.from) {
      shown.Add(edge.to, 1);
    }
  }
};
struct HasNoProof {
  View<const uint32_t> level;
  View<const VertexId> parent;
  View<const uint32_t> shown;
  VertexId source;
  bool operator()(VertexId v) const {
    if (v == source) return level[v] != 0 || parent[v] != v;
    if (level[v] == kUnreached) return parent[v] != kInvalidVertex;
    return level[v] == 0 || shown[v] == 0;
  }
};

struct VerifyBfsState : State {
  using State::State;
  VertexArray<uint32_t> level{*this, "level"};
  VertexArray<VertexId> parent{*this, "parent"};
  VertexArray<uint32_t> shown{*this, "shown"};
  Tally<Sum<uint64_t>> wrong{"wrong"};
  VisitedLists visited{*this, kOut};
};

/// Whether `result` is a right search from `source`.
template <typename E>
StatusOr<bool> VerifyBfs(E& engine, VertexId source, const BfsResult& result) {
  VerifyBfsState state(engine.num_vertices(), engine.threads());
  RETURN_IF_ERROR(state.Allocate(engine.budget()));
  std::copy(result.level.begin(), result.level.end(), state.level.mutable_span().begin());
  std::copy(result.parent.begin(), result.parent.end(), state.parent.mutable_span().begin());
  const VertexSet all = engine.sets().All();
  const CheckStep check{state.level.read(), state.parent.read(),
                        state.shown.template into<Or<uint32_t>>(), state.wrong.view()};
  RETURN_IF_ERROR(engine.EdgeVisit(kOut, all, check));
  const HasNoProof unproven{state.level.read(), state.parent.read(), state.shown.read(), source};
  ASSIGN_OR_RETURN(const VertexSet bad, engine.VertexFilter(all, unproven));
  ASSIGN_OR_RETURN(const uint64_t wrong, state.wrong.Take());
  return wrong == 0 && bad.empty();
}

}  // namespace edgemill::model

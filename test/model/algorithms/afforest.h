// Weakly connected components: link a few neighbours of each vertex, then the lists of the vertices
// outside the largest tree. Sutton, Ben-Nun, Barak: Afforest, IPDPS 2018. One memory (Shared).
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "engine/program/operator_types.h"
#include "test/model/algorithms/vertex_functions.h"

namespace edgemill::model {

inline VertexId RootOf(const Shared<VertexId>& parent, VertexId v) {
  for (VertexId above = parent[v]; above != v; above = parent[v]) v = above;
  return v;
}
struct LinkTrees {
  Shared<VertexId> parent;
  void operator()(const Edge& edge) {
    VertexId a = edge.from;
    VertexId b = edge.to;
    while (true) {
      a = RootOf(parent, a);
      b = RootOf(parent, b);
      if (a == b) return;
      if (a < b) std::swap(a, b);
      if (CompareAndSet(parent[a], a, b)) return;
    }
  }
};
struct Compress {
  Shared<VertexId> parent;
  void operator()(VertexId v) { parent[v] = RootOf(parent, v); }
};
struct IsOutside {
  View<const VertexId> parent;
  VertexId root;
  bool operator()(VertexId v) const { return parent[v] != root; }
};

struct AfforestState : State {
  using State::State;
  VertexArray<VertexId> parent{*this, "parent", ArrayUse::kVertices};
  VisitedLists visited{*this, kBoth};
};

/// The root that most of some sampled vertices have.
inline VertexId LargestTree(const AfforestState& state) {
  std::map<VertexId, int> met;
  const uint64_t num_vertices = state.num_vertices();
  for (uint64_t i = 0; i < 16 && num_vertices > 0; ++i) {
    ++met[state.parent.Get(i * 7919 % num_vertices)];
  }
  VertexId largest = kInvalidVertex;
  for (const auto& [root, count] : met) {
    if (largest == kInvalidVertex || count > met[largest]) largest = root;
  }
  return largest;
}

/// The least id of each vertex's component. `directed`: whether the graph is.
template <typename E>
StatusOr<std::vector<VertexId>> Afforest(E& engine, bool directed) {
  constexpr uint64_t kSampled = 2;
  AfforestState state(engine.num_vertices(), engine.threads());
  RETURN_IF_ERROR(state.Allocate(engine.budget()));
  const VertexSet all = engine.sets().All();
  const LinkTrees link{state.parent.shared()};
  const Compress compress{state.parent.shared()};
  RETURN_IF_ERROR(engine.VertexMap(all, NameItself{state.parent.view()}));
  RETURN_IF_ERROR(engine.EdgeVisit(kOut, all, Slice{0, kSampled}, link));
  RETURN_IF_ERROR(engine.VertexMap(all, compress));
  const IsOutside is_outside{state.parent.read(), LargestTree(state)};
  ASSIGN_OR_RETURN(const VertexSet outside, engine.VertexFilter(all, is_outside));
  RETURN_IF_ERROR(engine.EdgeVisit(kOut, outside, Slice{kSampled}, link));
  if (directed) RETURN_IF_ERROR(engine.EdgeVisit(kIn, outside, link));
  RETURN_IF_ERROR(engine.VertexMap(all, compress));
  return CopyOf(state.parent);
}

}  // namespace edgemill::model

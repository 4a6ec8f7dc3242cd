// Weakly connected components by least labels.
#pragma once

#include <vector>

#include "test/model/algorithms/vertex_functions.h"

namespace edgemill::model {

struct LeastLabel {
  using Monoid = Min<VertexId>;
  View<VertexId> label;
  VertexId Emit(VertexId u) const { return label[u]; }
  bool Cond(VertexId v) const { return label[v] != 0; }
  bool Relax(VertexId v, VertexId other) { return AtomicMin(label[v], other); }
};

struct ComponentsState : State {
  using State::State;
  VertexArray<VertexId> label{*this, "label", ArrayUse::kVertices};
  Programs<LeastLabel> programs{*this, kBoth};
};

/// The least id of each vertex's component.
template <typename E>
StatusOr<std::vector<VertexId>> Components(E& engine) {
  ComponentsState state(engine.num_vertices(), engine.threads());
  RETURN_IF_ERROR(state.Allocate(engine.budget()));
  RETURN_IF_ERROR(engine.VertexMap(engine.sets().All(), NameItself{state.label.view()}));
  const LeastLabel least{state.label.view()};
  RETURN_IF_ERROR(engine.Fixpoint(kBoth, engine.sets().All(), least).status());
  return CopyOf(state.label);
}

}  // namespace edgemill::model

// Widest paths: the largest least weight along a path from the source.
#pragma once

#include <algorithm>
#include <vector>

#include "test/model/algorithms/vertex_functions.h"

namespace edgemill::model {

struct Widen {
  using Monoid = Max<double>;
  View<double> width;
  double Emit(VertexId u) const { return width[u]; }
  double Along(double wide, const WeightedEdge<double>& edge) const {
    return std::min(wide, edge.weight);
  }
  bool Relax(VertexId v, double other) { return AtomicMax(width[v], other); }
  double Priority(VertexId v) const { return -width[v]; }  // the widest first
};

struct SswpState : State {
  using State::State;
  VertexArray<double> width{*this, "width", ArrayUse::kResult};
  Programs<Widen> programs{*this, kOut};
};

/// The width of the widest path from `source`: 0 where there is none, 1e9 at the source.
template <typename E>
StatusOr<std::vector<double>> Sswp(E& engine, VertexId source, double bucket_width) {
  SswpState state(engine.num_vertices(), engine.threads());
  RETURN_IF_ERROR(state.Allocate(engine.budget()));
  state.width.Fill(0);
  state.width.Set(source, 1e9);
  ASSIGN_OR_RETURN(VertexSet from, engine.sets().Of({source}));
  const Widen widen{state.width.view()};
  RETURN_IF_ERROR(engine.Bucketed(kOut, std::move(from), widen, bucket_width).status());
  return CopyOf(state.width);
}

}  // namespace edgemill::model

// Shortest paths, weights not negative. Meyer, Sanders: Delta-stepping, 2003.
#pragma once

#include <cstdint>
#include <vector>

#include "test/model/algorithms/vertex_functions.h"

namespace edgemill::model {

/// W: how the program reads weights. D: how it holds distances.
template <typename W, typename D>
struct Shorten {
  using Monoid = Min<D>;
  View<D> distance;
  D Emit(VertexId u) const { return distance[u]; }
  D Along(D length, const WeightedEdge<W>& edge) const {
    return length + static_cast<D>(edge.weight);
  }
  bool Relax(VertexId v, D length) { return AtomicMin(distance[v], length); }
  double Priority(VertexId v) const { return static_cast<double>(distance[v]); }
};

template <typename W, typename D>
struct SsspState : State {
  using State::State;
  VertexArray<D> distance{*this, "distance", ArrayUse::kResult};
  Programs<Shorten<W, D>> programs{*this, kOut};
};

/// Distances from `source`; Min<D>::identity() where there is no path.
template <typename W, typename D, typename E>
StatusOr<std::vector<D>> Sssp(E& engine, VertexId source, double width) {
  SsspState<W, D> state(engine.num_vertices(), engine.threads());
  RETURN_IF_ERROR(state.Allocate(engine.budget()));
  state.distance.Fill(Min<D>::identity());
  state.distance.Set(source, 0);
  ASSIGN_OR_RETURN(VertexSet from, engine.sets().Of({source}));
  const Shorten<W, D> shorten{state.distance.view()};
  RETURN_IF_ERROR(engine.Bucketed(kOut, std::move(from), shorten, width).status());
  return CopyOf(state.distance);
}

}  // namespace edgemill::model

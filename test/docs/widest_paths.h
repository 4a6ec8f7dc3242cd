// Widest paths: how much can flow to each vertex along one path from a source.
//
// Result   width[v]: the largest width of a path from the source along out-edges. A path is as wide
//          as its lightest edge. Infinity at the source, 0 where no path leads.
// Method   Buckets, the widest first. A vertex whose width has grown sends the width on; each edge
//          narrows the width to its own weight, and the receiver keeps the maximum.
// Paper    Pollack: The Maximum Capacity Through a Network, Operations Research 1960.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "engine/api/engine.h"
#include "engine/verify/plain_visit.h"

namespace edgemill::docs {

struct Widen {
  using Monoid = Max<double>;
  View<double> width;
  double Emit(VertexId u) const { return width[u]; }
  double Along(double wide, const WeightedEdge<double>& edge) const {
    return std::min(wide, edge.weight);
  }
  bool Relax(VertexId v, double wide) { return AtomicMax(width[v], wide); }
  double Priority(VertexId v) const { return -width[v]; }
};

struct WidestState : State {
  using State::State;
  VertexArray<double> width{*this, "width", ArrayUse::kResult};
  Programs<Widen> programs{*this, kOut};
};

template <typename E>
Status FindWidths(E& engine, WidestState& state, VertexId source) {
  state.width.Fill(Max<double>::identity());  // less than any weight: no path
  state.width.Set(source, std::numeric_limits<double>::infinity());
  ASSIGN_OR_RETURN(VertexSet from, engine.sets().Of({source}));
  return engine.Bucketed(kOut, std::move(from), Widen{state.width.view()}, 2.0).status();
}

constexpr double kNoPath = Max<double>::identity();

struct WidestCheck : State {
  using State::State;
  VertexBits confirmed{*this, "the verifier's marks"};
};

/// Checks that no edge widens a path, and that every reached vertex is justified: an edge from a
/// justified vertex gives it its width.
inline Status VerifyWidths(LoadedGraph& graph, const WidestState& state, WidestCheck& check,
                           VertexId source) {
  const std::span<const double> width = state.width.span();
  check.confirmed.Add(source);
  for (uint8_t found_some = 1; found_some != 0;) {
    VertexId too_narrow = kInvalidVertex;
    found_some = 0;
    RETURN_IF_ERROR(PlainVisit(graph, [&](const WeightedEdge<double>& edge) {
      const double wide = std::min(width[edge.from], edge.weight);
      if (wide > width[edge.to]) {
        AtomicMin(&too_narrow, edge.to);
      } else if (wide > kNoPath && wide == width[edge.to] && check.confirmed.has(edge.from) &&
                 check.confirmed.Add(edge.to)) {
        StoreRelaxed(&found_some, uint8_t{1});
      }
    }));
    RETURN_IF_ERROR(WrongVertex(graph, too_narrow, "has a wider path"));
  }
  ASSIGN_OR_RETURN(const VertexId unfounded, FirstVertexWhere(graph, [&](VertexId v) {
                     return width[v] > kNoPath && !check.confirmed.has(v);
                   }));
  return WrongVertex(graph, unfounded, "has no path of its width");
}

}  // namespace edgemill::docs

// A minimum spanning forest by Boruvka, 1926. In each round, each tree takes its lightest edge to
// another tree, and the trees join. The ids of the ends break ties. An edge is stored at the vertex
// that was the root of its tree.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

#include "test/model/unshipped/vertex_functions.h"

namespace edgemill::model {

inline constexpr uint64_t kNoEnds = ~uint64_t{0};

struct Lightest {
  double weight;
  uint64_t ends;  // the lower id, and the higher in the low half
  friend bool operator<(const Lightest& a, const Lightest& b) {
    return std::tie(a.weight, a.ends) < std::tie(b.weight, b.ends);
  }
};
struct LeastEdge {
  using Value = Lightest;
  static constexpr bool kIdempotent = true;
  static constexpr Lightest identity() {
    return {std::numeric_limits<double>::infinity(), kNoEnds};
  }
  static Lightest Combine(Lightest a, Lightest b) { return b < a ? b : a; }
};
struct FindLightest {  // values of 16 bytes, which can only be pulled
  using Monoid = LeastEdge;
  View<const VertexId> tree;
  View<Lightest> lightest;
  Lightest Emit(VertexId) const { return LeastEdge::identity(); }
  Lightest Along(Lightest none, const WeightedEdge<double>& edge) const {
    if (tree[edge.from] == tree[edge.to]) return none;
    const uint64_t low = std::min(edge.from, edge.to);
    return {edge.weight, low << 32 | std::max(edge.from, edge.to)};
  }
  bool Apply(VertexId v, Lightest edge) {
    lightest[v] = edge;
    return edge.ends != kNoEnds;
  }
};
// A tree's lightest edge in two steps, because values that threads combine have at most 8 bytes.
struct OfferWeight {
  View<const VertexId> tree;
  View<const Lightest> lightest;
  Into<Min<double>> weight;
  void operator()(VertexId v) { weight.Add(tree[v], lightest[v].weight); }
};
struct OfferEnds {
  View<const VertexId> tree;
  View<const Lightest> lightest;
  Anywhere<double> weight;
  Into<Min<uint64_t>> ends;
  void operator()(VertexId v) {
    if (lightest[v].weight == weight[tree[v]]) ends.Add(tree[v], lightest[v].ends);
  }
};
/// Hangs a root below the tree at the other end of its edge. Of two roots that chose the same edge,
/// the lesser stays a root.
struct Hook {
  Anywhere<VertexId> tree;
  Anywhere<double> weight;
  Anywhere<uint64_t> ends;
  View<VertexId> above;
  View<Lightest> taken;
  void operator()(VertexId v) {
    above[v] = tree[v];
    if (tree[v] != v || ends[v] == kNoEnds) return;
    const auto low = static_cast<VertexId>(ends[v] >> 32);
    const auto high = static_cast<VertexId>(ends[v]);
    const VertexId other = tree[low] == v ? tree[high] : tree[low];
    if (v < other && ends[other] == ends[v] && weight[other] == weight[v]) return;
    above[v] = other;
    taken[v] = Lightest{weight[v], ends[v]};
  }
};
struct Jump {  // counts the changed vertices
  Anywhere<VertexId> above;
  View<VertexId> next_above;
  uint64_t operator()(VertexId v) {
    const VertexId top = above[above[v]];
    next_above[v] = top;
    return top != above[v] ? 1 : 0;
  }
};

struct SpanningForestState : State {
  using State::State;
  VertexArray<VertexId> tree{*this, "tree"};
  VertexArray<VertexId> above{*this, "above"};
  VertexArray<VertexId> next_above{*this, "next above"};
  VertexArray<Lightest> lightest{*this, "lightest"};
  VertexArray<double> weight{*this, "weight"};
  VertexArray<uint64_t> ends{*this, "ends"};
  VertexArray<Lightest> taken{*this, "taken", ArrayUse::kResult};
  Programs<FindLightest> programs{*this, kBoth};
};

/// Computes the edges of the forest.
template <typename E>
StatusOr<std::vector<Lightest>> SpanningForest(E& engine) {
  SpanningForestState state(engine.num_vertices(), engine.threads());
  RETURN_IF_ERROR(state.Allocate(engine.budget()));
  const VertexSet all = engine.sets().All();
  state.taken.Fill(LeastEdge::identity());
  RETURN_IF_ERROR(engine.VertexMap(all, NameItself{state.tree.view()}));
  while (true) {
    const FindLightest find{state.tree.read(), state.lightest.view()};
    ASSIGN_OR_RETURN(const VertexSet border, engine.EdgeMap(kBoth, all, find));
    if (border.empty()) break;
    state.weight.Fill(LeastEdge::identity().weight);
    state.ends.Fill(kNoEnds);
    const OfferWeight offer_weight{state.tree.read(), state.lightest.read(),
                                   state.weight.template into<Min<double>>()};
    RETURN_IF_ERROR(engine.VertexMap(border, offer_weight));
    const OfferEnds offer_ends{state.tree.read(), state.lightest.read(), state.weight.anywhere(),
                               state.ends.template into<Min<uint64_t>>()};
    RETURN_IF_ERROR(engine.VertexMap(border, offer_ends));
    const Hook hook{state.tree.anywhere(), state.weight.anywhere(), state.ends.anywhere(),
                    state.above.view(), state.taken.view()};
    RETURN_IF_ERROR(engine.VertexMap(all, hook));
    for (uint64_t changed = 1; changed > 0; state.above.Swap(state.next_above)) {
      const Jump jump{state.above.anywhere(), state.next_above.view()};
      ASSIGN_OR_RETURN(changed, engine.template Reduce<Sum<uint64_t>>(all, jump));
    }
    state.tree.Swap(state.above);
  }
  std::vector<Lightest> edges = CopyOf(state.taken);
  std::erase_if(edges, [](const Lightest& edge) { return edge.ends == kNoEnds; });
  return edges;
}

}  // namespace edgemill::model

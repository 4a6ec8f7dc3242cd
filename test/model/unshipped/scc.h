// Strongly connected components, each named by its least id. Vertices without in- or out-edges are
// trimmed first. Then least labels spread forward, and back from each vertex that kept its own
// label (Orzan, 2004).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "test/model/unshipped/vertex_functions.h"

namespace edgemill::model {

struct CountArcs {  // loops do not count
  using Monoid = Sum<uint32_t>;
  View<uint32_t> left;
  uint32_t Emit(VertexId) const { return 1; }
  uint32_t Along(uint32_t one, const Edge& edge) const { return edge.from == edge.to ? 0 : one; }
  bool Apply(VertexId v, uint32_t sum) {
    left[v] = sum;
    return sum > 0;
  }
};
struct Trim {  // gives the vertices that have no edges left
  using Monoid = Sum<uint32_t>;
  View<uint32_t> left;
  uint32_t Emit(VertexId) const { return 1; }
  uint32_t Along(uint32_t one, const Edge& edge) const { return edge.from == edge.to ? 0 : one; }
  bool Relax(VertexId v, uint32_t gone) { return gone > 0 && AtomicAdd(left[v], 0 - gone) == gone; }
};
struct SpreadLeast {
  using Monoid = Min<VertexId>;
  View<VertexId> label;
  View<const VertexId> component;
  VertexId Emit(VertexId u) const { return label[u]; }
  bool Cond(VertexId v) const { return component[v] == kInvalidVertex; }
  bool Relax(VertexId v, VertexId other) {
    return component[v] == kInvalidVertex && AtomicMin(label[v], other);
  }
};
struct ReachBack {  // labels only fall along edges, so v's own is the largest that may come back
  using Monoid = Max<VertexId>;
  View<const VertexId> label;
  View<VertexId> component;
  VertexId Emit(VertexId u) const { return label[u]; }
  bool Cond(VertexId v) const { return component[v] == kInvalidVertex; }
  bool Relax(VertexId v, VertexId other) {
    return label[v] == other && CompareAndSet(component[v], kInvalidVertex, other);
  }
};

struct IsAlone {  // a vertex without a component becomes its own component
  View<VertexId> component;
  bool operator()(VertexId v) {
    if (component[v] != kInvalidVertex) return false;
    component[v] = v;
    return true;
  }
};
struct IsRoot {  // whether a vertex kept its own label
  View<const VertexId> label;
  View<VertexId> component;
  bool operator()(VertexId v) {
    if (label[v] != v) return false;
    component[v] = v;
    return true;
  }
};
struct IsFound {
  View<const VertexId> component;
  bool operator()(VertexId v) const { return component[v] != kInvalidVertex; }
};

struct SccState : State {
  SccState(uint64_t num_vertices, int threads) : State(num_vertices, threads) { HoldSets(5); }
  VertexArray<VertexId> component{*this, "component", ArrayUse::kVertices};
  VertexArray<VertexId> label{*this, "label"};
  VertexArray<uint32_t> in_left{*this, "in left"};
  VertexArray<uint32_t> out_left{*this, "out left"};
  Programs<CountArcs, Trim> trimming{*this, kBoth};
  Programs<SpreadLeast> forward{*this, kOut};
  Programs<ReachBack> back{*this, kIn};
};

/// Removes the edges of the vertices `gone`. Returns the vertices that have no out-edges or no
/// in-edges left.
template <typename E>
StatusOr<VertexSet> TrimEdges(E& engine, SccState& state, const VertexSet& gone) {
  ASSIGN_OR_RETURN(const VertexSet no_in, engine.EdgeMap(kOut, gone, Trim{state.in_left.view()}));
  ASSIGN_OR_RETURN(const VertexSet no_out, engine.EdgeMap(kIn, gone, Trim{state.out_left.view()}));
  return engine.sets().Union(no_in, no_out);
}

/// The vertices without in- or without out-edges.
template <typename E>
StatusOr<VertexSet> CountEdges(E& engine, SccState& state) {
  const VertexSet all = engine.sets().All();
  ASSIGN_OR_RETURN(const VertexSet in, engine.EdgeMap(kOut, all, CountArcs{state.in_left.view()}));
  ASSIGN_OR_RETURN(const VertexSet out, engine.EdgeMap(kIn, all, CountArcs{state.out_left.view()}));
  ASSIGN_OR_RETURN(const VertexSet both, engine.sets().Intersection(in, out));
  return engine.sets().Difference(all, both);
}

template <typename E>
StatusOr<std::vector<VertexId>> StrongComponents(E& engine) {
  SccState state(engine.num_vertices(), engine.threads());
  RETURN_IF_ERROR(state.Allocate(engine.budget()));
  state.component.Fill(kInvalidVertex);
  VertexSet alive = engine.sets().All();
  ASSIGN_OR_RETURN(VertexSet gone, CountEdges(engine, state));
  while (!alive.empty()) {
    while (!gone.empty()) {
      ASSIGN_OR_RETURN(gone, engine.VertexFilter(gone, IsAlone{state.component.view()}));
      ASSIGN_OR_RETURN(alive, engine.sets().Difference(alive, gone));
      ASSIGN_OR_RETURN(gone, TrimEdges(engine, state, gone));
    }
    RETURN_IF_ERROR(engine.VertexMap(alive, NameItself{state.label.view()}));
    ASSIGN_OR_RETURN(VertexSet from, engine.sets().Copy(alive));
    const SpreadLeast spread{state.label.view(), state.component.read()};
    RETURN_IF_ERROR(engine.Fixpoint(kOut, std::move(from), spread).status());
    const IsRoot is_root{state.label.read(), state.component.view()};
    ASSIGN_OR_RETURN(VertexSet roots, engine.VertexFilter(alive, is_root));
    const ReachBack reach{state.label.read(), state.component.view()};
    RETURN_IF_ERROR(engine.Fixpoint(kIn, std::move(roots), reach).status());
    ASSIGN_OR_RETURN(const VertexSet found,
                     engine.VertexFilter(alive, IsFound{state.component.read()}));
    ASSIGN_OR_RETURN(alive, engine.sets().Difference(alive, found));
    ASSIGN_OR_RETURN(gone, TrimEdges(engine, state, found));
  }
  return CopyOf(state.component);
}

}  // namespace edgemill::model

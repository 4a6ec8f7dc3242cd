// Programs that each break one rule of edge programs, with drivers that run them. The model must
// detect every one of them: by answers that depend on the mode, or by a violation that it records.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/program/operator_types.h"
#include "test/model/unshipped/vertex_functions.h"

namespace edgemill::model {

/// A run that has not ended after this number of passes is endless.
inline constexpr uint64_t kMaxPasses = 1000;

/// Runs Fixpoint. Endless runs return an error.
template <typename E, typename P>
Status RunToTheEnd(E& engine, Directions directions, VertexSet from, const P& program) {
  ASSIGN_OR_RETURN(const FixpointTotals totals,
                   engine.Fixpoint(directions, std::move(from), program, kMaxPasses));
  return totals.left.empty() ? OkStatus() : InternalError("an endless run");
}

template <typename A, typename B = A>
struct ScratchState : State {
  using State::State;
  VertexArray<A> a{*this, "a"};
  VertexArray<B> b{*this, "b"};
};

// A first-wins program whose message depends on the pass, but which has no Next. (With Relax in the
// place of Apply, CheckEdgeProgram would refuse it.)
struct NoStep {
  using Monoid = Any<uint32_t>;
  View<uint32_t> level;
  uint32_t Emit(VertexId u) const { return level[u] + 1; }
  bool Cond(VertexId v) const { return level[v] == kUnreached; }
  bool Apply(VertexId v, uint32_t l) {
    level[v] = l;
    return true;
  }
};
template <typename E>
StatusOr<std::vector<uint32_t>> RunNoStep(E& engine) {
  ScratchState<uint32_t> state(engine.num_vertices(), engine.threads());
  RETURN_IF_ERROR(state.Allocate(engine.budget()));
  state.a.Fill(kUnreached);
  state.a.Set(0, 0);
  ASSIGN_OR_RETURN(VertexSet from, engine.sets().Of({0}));
  RETURN_IF_ERROR(RunToTheEnd(engine, kOut, std::move(from), NoStep{state.a.view()}));
  return CopyOf(state.a);
}

// A program whose Relax relies on Cond having been called just before.
struct TrustsCond {
  using Monoid = Sum<double>;
  View<uint32_t> level;
  View<double> paths;
  uint32_t depth;
  double Emit(VertexId u) const { return paths[u]; }
  bool Cond(VertexId v) const { return level[v] >= depth; }
  bool Relax(VertexId v, double more) {
    AtomicAdd(paths[v], more);
    return CompareAndSet(level[v], kUnreached, depth);
  }
  void Next() { ++depth; }
};
/// Runs a program P that counts paths. Also runs CountPaths.
template <typename P, typename E>
StatusOr<std::vector<double>> RunCountPaths(E& engine) {
  ScratchState<uint32_t, double> state(engine.num_vertices(), engine.threads());
  RETURN_IF_ERROR(state.Allocate(engine.budget()));
  state.a.Fill(kUnreached);
  state.a.Set(0, 0);
  state.b.Set(0, 1);
  ASSIGN_OR_RETURN(VertexSet from, engine.sets().Of({0}));
  const P program{state.a.view(), state.b.view(), 1};
  RETURN_IF_ERROR(RunToTheEnd(engine, kOut, std::move(from), program));
  return CopyOf(state.b);
}

// A synchronous program whose Emit reads the array that Apply writes.
struct InPlace {
  using Monoid = Sum<double>;
  static constexpr bool kAppliesToAll = true;
  View<double> x;
  double Emit(VertexId u) const { return x[u]; }
  bool Apply(VertexId v, double sum) {
    x[v] = 1 + 0.1 * sum;
    return true;
  }
};
template <typename E>
StatusOr<std::vector<double>> RunInPlace(E& engine) {
  ScratchState<double> state(engine.num_vertices(), engine.threads());
  RETURN_IF_ERROR(state.Allocate(engine.budget()));
  state.a.Fill(1);
  for (int i = 0; i < 3; ++i) {
    RETURN_IF_ERROR(engine.EdgeMap(kOut, engine.sets().All(), InPlace{state.a.view()}).status());
  }
  return CopyOf(state.a);
}

// The same mistake through two views of one array.
struct InPlaceByTwoViews {
  using Monoid = Sum<double>;
  static constexpr bool kAppliesToAll = true;
  View<const double> from;
  View<double> to;
  double Emit(VertexId u) const { return from[u]; }
  bool Apply(VertexId v, double sum) {
    to[v] = 1 + 0.1 * sum;
    return true;
  }
};
template <typename E>
StatusOr<std::vector<double>> RunInPlaceByTwoViews(E& engine) {
  ScratchState<double> state(engine.num_vertices(), engine.threads());
  RETURN_IF_ERROR(state.Allocate(engine.budget()));
  const InPlaceByTwoViews program{state.a.read(), state.a.view()};
  RETURN_IF_ERROR(engine.EdgeMap(kOut, engine.sets().All(), program).status());
  return CopyOf(state.a);
}

// Hooks roots of trees, and so writes the state of a vertex that is not the receiver.
struct WritesOtherVertex {
  using Monoid = Min<VertexId>;
  View<VertexId> parent;
  VertexId Emit(VertexId u) const { return parent[u]; }
  bool Relax(VertexId v, VertexId root) { return AtomicMin(parent[parent[v]], root); }
};
template <typename E>
StatusOr<std::vector<VertexId>> RunWritesOtherVertex(E& engine) {
  ScratchState<VertexId> state(engine.num_vertices(), engine.threads());
  RETURN_IF_ERROR(state.Allocate(engine.budget()));
  const VertexSet all = engine.sets().All();
  RETURN_IF_ERROR(engine.VertexMap(all, NameItself{state.a.view()}));
  for (int i = 0; i < 5; ++i) {
    RETURN_IF_ERROR(engine.EdgeMap(kBoth, all, WritesOtherVertex{state.a.view()}).status());
  }
  return CopyOf(state.a);
}

// Counts in a field of the program, of which each processor has its own copy.
struct CountsInField {
  using Monoid = Sum<uint32_t>;
  View<uint32_t> degree;
  uint32_t vertices;
  uint32_t Emit(VertexId) const { return 1; }
  bool Apply(VertexId v, uint32_t sum) {
    ++vertices;
    degree[v] = sum;
    return true;
  }
};
template <typename E>
StatusOr<std::vector<uint32_t>> RunCountsInField(E& engine) {
  ScratchState<uint32_t> state(engine.num_vertices(), engine.threads());
  RETURN_IF_ERROR(state.Allocate(engine.budget()));
  const CountsInField program{state.a.view(), 0};
  RETURN_IF_ERROR(engine.EdgeMap(kOut, engine.sets().All(), program).status());
  return CopyOf(state.a);
}

// Takes any one message, which may be the wrong one. (With Relax, CheckEdgeProgram would refuse
// it.)
struct TakesAnyLabel {
  using Monoid = Any<VertexId>;
  View<const VertexId> label;
  View<VertexId> component;
  VertexId Emit(VertexId u) const { return label[u]; }
  bool Cond(VertexId v) const { return component[v] == kInvalidVertex; }
  bool Apply(VertexId v, VertexId other) {
    if (label[v] != other) return false;
    component[v] = other;
    return true;
  }
};
struct NameParity {
  View<VertexId> label;
  View<VertexId> component;
  void operator()(VertexId v) {
    label[v] = v % 2;
    component[v] = v < 2 ? v : kInvalidVertex;
  }
};
template <typename E>
StatusOr<std::vector<VertexId>> RunTakesAnyLabel(E& engine) {
  ScratchState<VertexId> state(engine.num_vertices(), engine.threads());
  RETURN_IF_ERROR(state.Allocate(engine.budget()));
  const NameParity name{state.a.view(), state.b.view()};
  RETURN_IF_ERROR(engine.VertexMap(engine.sets().All(), name));
  ASSIGN_OR_RETURN(VertexSet roots, engine.sets().Of({0, 1}));
  const TakesAnyLabel program{state.a.read(), state.b.view()};
  RETURN_IF_ERROR(RunToTheEnd(engine, kIn, std::move(roots), program));
  return CopyOf(state.b);
}

// Sends its residual but does not reset it. A vertex that emits again sends the same amount twice.
struct KeepsResidual {
  using Monoid = Sum<double>;
  View<double> rank;
  View<double> residual;
  double Emit(VertexId u) const { return 0.3 * residual[u]; }
  bool Relax(VertexId v, double more) {
    AtomicAdd(rank[v], more);
    return AtomicAdd(residual[v], more) == 0;
  }
};
template <typename E>
StatusOr<std::vector<double>> RunKeepsResidual(E& engine) {
  ScratchState<double> state(engine.num_vertices(), engine.threads());
  RETURN_IF_ERROR(state.Allocate(engine.budget()));
  state.b.Set(0, 1);
  ASSIGN_OR_RETURN(VertexSet from, engine.sets().Of({0}));
  const KeepsResidual program{state.a.view(), state.b.view()};
  RETURN_IF_ERROR(RunToTheEnd(engine, kOut, std::move(from), program));
  return CopyOf(state.a);
}

// A program whose Cond becomes true again.
struct Reopens {
  using Monoid = Min<uint32_t>;
  View<uint32_t> x;
  uint32_t pass;
  uint32_t Emit(VertexId u) const { return x[u]; }
  bool Cond(VertexId v) const { return (v + pass) % 2 == 0; }
  bool Relax(VertexId v, uint32_t m) { return AtomicMin(x[v], m); }
  void Next() { ++pass; }
};
template <typename E>
StatusOr<std::vector<uint32_t>> RunReopens(E& engine) {
  ScratchState<uint32_t> state(engine.num_vertices(), engine.threads());
  RETURN_IF_ERROR(state.Allocate(engine.budget()));
  RETURN_IF_ERROR(engine.VertexMap(engine.sets().All(), NameItself{state.a.view()}));
  RETURN_IF_ERROR(RunToTheEnd(engine, kBoth, engine.sets().All(), Reopens{state.a.view(), 0}));
  return CopyOf(state.a);
}

// A monoid that is not commutative.
struct Digits {
  using Value = uint64_t;
  static constexpr uint64_t identity() { return 0; }
  static constexpr uint64_t Combine(uint64_t a, uint64_t b) { return a * 31 + b; }
};
struct Concatenate {
  using Monoid = Digits;
  View<uint64_t> x;
  uint64_t Emit(VertexId u) const { return u + 1; }
  bool Apply(VertexId v, uint64_t m) {
    x[v] = m;
    return true;
  }
};
template <typename E>
StatusOr<std::vector<uint64_t>> RunConcatenate(E& engine) {
  ScratchState<uint64_t> state(engine.num_vertices(), engine.threads());
  RETURN_IF_ERROR(state.Allocate(engine.budget()));
  const Concatenate program{state.a.view()};
  RETURN_IF_ERROR(engine.EdgeMap(kOut, engine.sets().All(), program).status());
  return CopyOf(state.a);
}

// A function of one vertex that reads the state of another vertex.
struct ReadsOtherVertex {
  View<uint32_t> x;
  void operator()(VertexId v) { x[v] = x[v / 2] + 1; }
};
template <typename E>
StatusOr<std::vector<uint32_t>> RunReadsOtherVertex(E& engine) {
  ScratchState<uint32_t> state(engine.num_vertices(), engine.threads());
  RETURN_IF_ERROR(state.Allocate(engine.budget()));
  RETURN_IF_ERROR(engine.VertexMap(engine.sets().All(), ReadsOtherVertex{state.a.view()}));
  return CopyOf(state.a);
}

}  // namespace edgemill::model

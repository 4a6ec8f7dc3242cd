// Algorithms that each have one mistake of a common kind. Tests show that each mistake is found.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "test/model/unshipped/mis.h"
#include "test/model/unshipped/products.h"
#include "test/model/wrong_programs.h"

namespace edgemill::model {

/// FindLargest, but many vertices have the same key, and ids do not break ties.
struct FindLargestWithTies {
  using Monoid = Max<uint64_t>;
  static constexpr bool kAppliesToAll = true;
  View<const uint8_t> decided;
  uint64_t seed;
  uint64_t Key(VertexId v) const { return KeyOf(v, seed) >> 60; }
  uint64_t Emit(VertexId u) const { return Key(u); }
  uint64_t Along(uint64_t key, const Edge& edge) const { return edge.from == edge.to ? 0 : key; }
  bool Cond(VertexId v) const { return decided[v] == 0; }
  bool Apply(VertexId v, uint64_t largest) { return Key(v) >= largest; }
};
template <typename E>
StatusOr<std::vector<uint8_t>> SetWithTies(E& engine) {
  IndependentSetState state(engine.num_vertices(), engine.threads());
  RETURN_IF_ERROR(state.Allocate(engine.budget()));
  VertexSet undecided = engine.sets().All();
  while (!undecided.empty()) {
    const FindLargestWithTies find{state.decided.read(), 5};
    ASSIGN_OR_RETURN(const VertexSet in, engine.EdgeMap(kBoth, undecided, find));
    RETURN_IF_ERROR(engine.VertexMap(in, Put<uint8_t>{state.decided.view(), 1}));
    ASSIGN_OR_RETURN(const VertexSet out, engine.EdgeMap(kBoth, in, Exclude{state.decided.view()}));
    ASSIGN_OR_RETURN(undecided, engine.sets().Difference(undecided, in));
    ASSIGN_OR_RETURN(undecided, engine.sets().Difference(undecided, out));
  }
  return CopyOf(state.decided);
}

/// A program without the Next that would swap its buffers.
struct FireWithoutSwap {
  using Monoid = Sum<double>;
  static constexpr bool kAppliesToAll = true;
  View<const double> activation;
  View<double> next;
  double Emit(VertexId u) const { return activation[u]; }
  double Along(double a, const WeightedEdge<float>& edge) const { return a * edge.weight; }
  bool Apply(VertexId v, double sum) {
    next[v] = std::tanh(sum);
    return true;
  }
};
template <typename E>
StatusOr<std::vector<double>> NeuronsWithoutSwap(E& engine) {
  ProductState<FireWithoutSwap> state(engine.num_vertices(), engine.threads());
  RETURN_IF_ERROR(state.Allocate(engine.budget()));
  RETURN_IF_ERROR(engine.VertexMap(engine.sets().All(), Put<double>{state.now.view(), 0.5}));
  const FireWithoutSwap fire{state.now.read(), state.next.view()};
  RETURN_IF_ERROR(engine.Fixpoint(kOut, engine.sets().All(), fire, 2).status());
  return CopyOf(state.now);
}

/// Core numbers without kSimple: parallel edges count.
struct CountDuplicates {
  using Monoid = Sum<uint32_t>;
  View<uint32_t> degree;
  uint32_t Emit(VertexId) const { return 1; }
  bool Apply(VertexId v, uint32_t sum) {
    degree[v] = sum;
    return true;
  }
};
struct PeelDuplicates {
  using Monoid = Both<Sum<uint32_t>, Max<uint32_t>>;  // neighbours removed, and at which core
  View<uint32_t> degree;
  Monoid::Value Emit(VertexId u) const { return {1, degree[u]}; }
  bool Relax(VertexId v, Monoid::Value gone) {
    while (true) {
      const uint32_t before = degree[v];
      if (before <= gone.second) return false;
      const uint32_t after = before - std::min(before - gone.second, gone.first);
      if (CompareAndSet(degree[v], before, after)) return true;
    }
  }
  double Priority(VertexId v) const { return degree[v]; }
};
template <typename E>
StatusOr<std::vector<uint32_t>> KCoreWithDuplicates(E& engine) {
  ScratchState<uint32_t> state(engine.num_vertices(), engine.threads());
  RETURN_IF_ERROR(state.Allocate(engine.budget()));
  const VertexSet all = engine.sets().All();
  const CountDuplicates count{state.a.view()};
  RETURN_IF_ERROR(engine.EdgeMap(kOut, all, count).status());
  const PeelDuplicates peel{state.a.view()};
  RETURN_IF_ERROR(engine.Bucketed(kOut, engine.sets().All(), peel, 1).status());
  return CopyOf(state.a);
}

/// A search whose depth does not rise.
struct VisitWithoutNext {
  using Monoid = Any<VertexId>;
  View<uint32_t> level;
  uint32_t depth;
  VertexId Emit(VertexId u) const { return u; }
  bool Cond(VertexId v) const { return level[v] == kUnreached; }
  bool Apply(VertexId v, VertexId) {
    level[v] = depth;
    return true;
  }
};
template <typename E>
StatusOr<std::vector<uint32_t>> BfsWithoutNext(E& engine) {
  ScratchState<uint32_t> state(engine.num_vertices(), engine.threads());
  RETURN_IF_ERROR(state.Allocate(engine.budget()));
  state.a.Fill(kUnreached);
  state.a.Set(0, 0);
  ASSIGN_OR_RETURN(VertexSet from, engine.sets().Of({0}));
  RETURN_IF_ERROR(RunToTheEnd(engine, kOut, std::move(from), VisitWithoutNext{state.a.view(), 1}));
  return CopyOf(state.a);
}

/// A search whose Cond becomes true again for vertices of much earlier levels.
struct VisitReopened {
  using Monoid = Any<VertexId>;
  View<uint32_t> level;
  uint32_t depth;
  VertexId Emit(VertexId u) const { return u; }
  bool Cond(VertexId v) const { return level[v] == kUnreached || level[v] + 2 < depth; }
  bool Apply(VertexId v, VertexId) {
    level[v] = depth;
    return true;
  }
  void Next() { ++depth; }
};
template <typename E>
StatusOr<std::vector<uint32_t>> BfsReopened(E& engine) {
  ScratchState<uint32_t> state(engine.num_vertices(), engine.threads());
  RETURN_IF_ERROR(state.Allocate(engine.budget()));
  state.a.Fill(kUnreached);
  state.a.Set(0, 0);
  ASSIGN_OR_RETURN(VertexSet from, engine.sets().Of({0}));
  RETURN_IF_ERROR(RunToTheEnd(engine, kOut, std::move(from), VisitReopened{state.a.view(), 1}));
  return CopyOf(state.a);
}

/// A minimum with a wrong identity.
struct MinFromOne {
  using Value = VertexId;
  static constexpr bool kIdempotent = true;
  static constexpr VertexId identity() { return 1; }
  static constexpr VertexId Combine(VertexId a, VertexId b) { return std::min(a, b); }
};
struct LabelFromOne {
  using Monoid = MinFromOne;
  View<VertexId> label;
  VertexId Emit(VertexId u) const { return label[u]; }
  bool Relax(VertexId v, VertexId other) { return AtomicMin(label[v], other); }
};
/// Least labels with a Relax that always returns true, as if it had changed the vertex.
struct LabelAlwaysChanged {
  using Monoid = Min<VertexId>;
  View<VertexId> label;
  VertexId Emit(VertexId u) const { return label[u]; }
  bool Relax(VertexId v, VertexId other) {
    AtomicMin(label[v], other);
    return true;
  }
};
template <typename P, typename E>
StatusOr<std::vector<VertexId>> ComponentsBy(E& engine) {
  ScratchState<VertexId> state(engine.num_vertices(), engine.threads());
  RETURN_IF_ERROR(state.Allocate(engine.budget()));
  RETURN_IF_ERROR(engine.VertexMap(engine.sets().All(), NameItself{state.a.view()}));
  RETURN_IF_ERROR(RunToTheEnd(engine, kBoth, engine.sets().All(), P{state.a.view()}));
  return CopyOf(state.a);
}

/// A count of paths whose Cond becomes true again for vertices of much earlier levels.
struct CountPathsReopened {
  using Monoid = Sum<double>;
  View<uint32_t> level;
  View<double> paths;
  uint32_t depth;
  double Emit(VertexId u) const { return paths[u]; }
  bool Cond(VertexId v) const { return level[v] != depth - 1; }
  bool Relax(VertexId v, double more) {
    if (level[v] < depth) return false;
    AtomicAdd(paths[v], more);
    return CompareAndSet(level[v], kUnreached, depth);
  }
  void Next() { ++depth; }
};

}  // namespace edgemill::model

// A maximal independent set of the simple undirected graph. Each round takes the vertices that have
// the largest key among undecided neighbours. Keys are hashes of ids: the set is always the same.
#pragma once

#include <cstdint>
#include <vector>

#include "test/model/unshipped/vertex_functions.h"

namespace edgemill::model {

/// A key above 0, different for each vertex.
inline uint64_t KeyOf(VertexId v, uint64_t seed) {
  uint64_t x = (uint64_t{v} + 1) * 0x9E3779B97F4A7C15u + seed;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  return (((x ^ (x >> 27)) | uint64_t{1} << 63) & ~uint64_t{0xFFFFFFFF}) | v;
}
struct FindLargest {  // gives the vertices with the largest key among undecided neighbours
  using Monoid = Max<uint64_t>;
  static constexpr bool kAppliesToAll = true;
  View<const uint8_t> decided;
  uint64_t seed;
  uint64_t Emit(VertexId u) const { return KeyOf(u, seed); }
  uint64_t Along(uint64_t key, const Edge& edge) const { return edge.from == edge.to ? 0 : key; }
  bool Cond(VertexId v) const { return decided[v] == 0; }
  bool Apply(VertexId v, uint64_t largest) { return KeyOf(v, seed) > largest; }
};
struct Exclude {
  using Monoid = Any<uint8_t>;
  View<uint8_t> decided;
  uint8_t Emit(VertexId) const { return 2; }
  bool Cond(VertexId v) const { return decided[v] == 0; }
  bool Apply(VertexId v, uint8_t out) {
    decided[v] = out;
    return true;
  }
};

struct IndependentSetState : State {
  IndependentSetState(uint64_t num_vertices, int threads) : State(num_vertices, threads) {
    HoldSets(4);
  }
  VertexArray<uint8_t> decided{*this, "decided", ArrayUse::kResult};
  Programs<FindLargest, Exclude> programs{*this, kBoth};
};

/// Computes 1 for vertices of the set, 2 for the others.
template <typename E>
StatusOr<std::vector<uint8_t>> IndependentSet(E& engine, uint64_t seed) {
  IndependentSetState state(engine.num_vertices(), engine.threads());
  RETURN_IF_ERROR(state.Allocate(engine.budget()));
  VertexSet undecided = engine.sets().All();
  while (!undecided.empty()) {
    const FindLargest find{state.decided.read(), seed};
    ASSIGN_OR_RETURN(const VertexSet in, engine.EdgeMap(kBoth, undecided, find));
    RETURN_IF_ERROR(engine.VertexMap(in, Put<uint8_t>{state.decided.view(), 1}));
    ASSIGN_OR_RETURN(const VertexSet out, engine.EdgeMap(kBoth, in, Exclude{state.decided.view()}));
    ASSIGN_OR_RETURN(undecided, engine.sets().Difference(undecided, in));
    ASSIGN_OR_RETURN(undecided, engine.sets().Difference(undecided, out));
  }
  return CopyOf(state.decided);
}

}  // namespace edgemill::model

// Core numbers of the simple undirected graph, by peeling. Dhulipala, Blelloch, Shun: Julienne,
// SPAA 2017.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "test/model/algorithms/vertex_functions.h"

namespace edgemill::model {

struct CountNeighbors {
  using Monoid = Sum<uint32_t>;
  static constexpr bool kSimple = true;
  View<uint32_t> degree;
  uint32_t Emit(VertexId) const { return 1; }
  bool Apply(VertexId v, uint32_t sum) {
    degree[v] = sum;
    return true;
  }
};
struct Peel {  // a vertex's degree, once it emits, is its core number
  using Monoid = Both<Sum<uint32_t>, Max<uint32_t>>;  // neighbours that went, and at which core
  static constexpr bool kSimple = true;
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

struct KCoreState : State {
  using State::State;
  VertexArray<uint32_t> degree{*this, "degree", ArrayUse::kResult};
  Programs<CountNeighbors, Peel> programs{*this, kOut};
};

template <typename E>
StatusOr<std::vector<uint32_t>> KCore(E& engine) {
  KCoreState state(engine.num_vertices(), engine.threads());
  RETURN_IF_ERROR(state.Allocate(engine.budget()));
  const CountNeighbors count{state.degree.view()};
  RETURN_IF_ERROR(engine.EdgeMap(kOut, engine.sets().All(), count).status());
  const Peel peel{state.degree.view()};
  RETURN_IF_ERROR(engine.Bucketed(kOut, engine.sets().All(), peel, 1).status());
  return CopyOf(state.degree);
}

}  // namespace edgemill::model

// Disjoint sets of vertices, or of other numbers, for verifiers.
#pragma once

#include <numeric>

#include "common/random.h"
#include "engine/program/monoids/monoids.h"
#include "engine/state/state.h"

namespace edgemill {
inline namespace EM_VIEWS_NAMESPACE {

/// Sets that many threads unite at once: 4 bytes an element. Roots are linked in a random order, so
/// that trees stay low for any edges in any order (Jayanti, Tarjan: A Randomized Concurrent
/// Algorithm for Disjoint Set Union, PODC 2016). Shares no code with union_find.h, because a
/// verifier must not share its faults.
class DisjointSets {
 public:
  /// Sets of vertices.
  DisjointSets(State& state, const char* name) : DisjointSets(state, name, state.num_vertices()) {}
  /// Sets of the numbers below `size`.
  DisjointSets(State& state, const char* name, uint64_t size) : parent_(state, name, size) {}

  /// Puts each element in a set of its own. Must be called first.
  void Start(int threads) {
    const std::span<VertexId> parent = parent_.mutable_span();
    ForEachChunk(parent.size(), FirstTouchGrain(parent.size(), threads), threads,
                 [&](size_t begin, size_t end) {
                   std::iota(parent.begin() + begin, parent.begin() + end,
                             static_cast<VertexId>(begin));
                 });
  }
  /// An element of the set of `vertex`: the same for all of its elements, until sets are united.
  VertexId Find(VertexId vertex) {
    VertexId* const parent = parent_.mutable_span().data();
    while (true) {
      const VertexId above = LoadRelaxed(&parent[vertex]);
      const VertexId next = LoadRelaxed(&parent[above]);
      if (next == above) return above;
      StoreRelaxed(&parent[vertex], next);
      vertex = next;
    }
  }
  bool Same(VertexId a, VertexId b) { return Find(a) == Find(b); }
  void Unite(VertexId a, VertexId b) {
    while ((a = Find(a)) != (b = Find(b))) {
      if (Mix64(a) > Mix64(b)) std::swap(a, b);
      if (AtomicReplace(&parent_.mutable_span()[a], a, b)) return;
    }
  }

 private:
  Counters<Min<VertexId>> parent_;
};

}  // namespace EM_VIEWS_NAMESPACE
}  // namespace edgemill

// The eccentricity of vertices: the distance of the farthest vertex, along out-edges, by searches
// from 64 sources at a time. Each source has a bit of a word. Then et al.: The More the Merrier,
// VLDB 2014.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "test/model/unshipped/vertex_functions.h"

namespace edgemill::model {

struct SearchMany {
  using Monoid = Or<uint64_t>;
  View<uint64_t> seen;
  View<const uint64_t> now;
  View<uint64_t> next;
  Into<Max<uint32_t>> reach;  // of each source
  uint32_t depth;
  uint32_t first;
  uint64_t Emit(VertexId u) const { return now[u]; }
  bool Cond(VertexId v) const { return seen[v] != ~uint64_t{0}; }
  bool Apply(VertexId v, uint64_t sources) {
    const uint64_t fresh = sources & ~seen[v];
    if (fresh == 0) return false;
    next[v] = fresh;
    seen[v] = seen[v] | fresh;
    for (uint64_t left = fresh; left != 0; left &= left - 1) {
      reach.Add(first + static_cast<uint32_t>(std::countr_zero(left)), depth);
    }
    return true;
  }
  void Next() {
    ++depth;
    Swap(now, next);
  }
};

struct EccentricityState : State {
  EccentricityState(uint64_t num_vertices, int threads, uint64_t num_sources)
      : State(num_vertices, threads), reach(*this, "reach", num_sources) {}
  VertexArray<uint64_t> seen{*this, "seen"};
  VertexArray<uint64_t> now{*this, "now"};
  VertexArray<uint64_t> next{*this, "next"};
  Counters<Max<uint32_t>> reach;
  Programs<SearchMany> programs{*this, kOut};
};

/// The eccentricity of each of `sources`, which are different vertices.
template <typename E>
StatusOr<std::vector<uint32_t>> Eccentricity(E& engine, std::span<const VertexId> sources) {
  EccentricityState state(engine.num_vertices(), engine.threads(), sources.size());
  RETURN_IF_ERROR(state.Allocate(engine.budget()));
  state.reach.Reset();
  for (size_t first = 0; first < sources.size(); first += 64) {
    const auto lanes = sources.subspan(first, std::min<size_t>(64, sources.size() - first));
    state.seen.Fill(0);
    for (size_t i = 0; i < lanes.size(); ++i) {
      state.seen.Set(lanes[i], uint64_t{1} << i);
      state.now.Set(lanes[i], uint64_t{1} << i);
    }
    ASSIGN_OR_RETURN(VertexSet from, engine.sets().Of(lanes));
    const SearchMany search{
        state.seen.view(),           state.now.read(), state.next.view(), state.reach.view(), 1,
        static_cast<uint32_t>(first)};
    RETURN_IF_ERROR(engine.Fixpoint(kOut, std::move(from), search).status());
  }
  return CopyOf(state.reach);
}

}  // namespace edgemill::model

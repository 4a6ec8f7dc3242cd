// Closeness and harmonic centrality by searches from 64 sources at a time, one bit for each. They
// use incoming distances, as NetworkX does. Then et al.: The More the Merrier, VLDB 2014.
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
  View<double> sum;
  View<double> harmonic;
  View<uint32_t> count;
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
    const int found = std::popcount(fresh);
    sum[v] += double(found) * depth;
    harmonic[v] += double(found) / depth;
    count[v] += static_cast<uint32_t>(found);
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
struct Normalize {
  View<double> sum;
  View<const uint32_t> count;
  double num_others;
  void operator()(VertexId v) {
    const double found = count[v];
    sum[v] = found == 0 ? 0 : found / sum[v] * found / num_others;
  }
};

struct ClosenessState : State {
  ClosenessState(uint64_t num_vertices, int threads, uint64_t num_sources)
      : State(num_vertices, threads), reach(*this, "reach", num_sources) {}
  VertexArray<uint64_t> seen{*this, "seen"};
  VertexArray<uint64_t> now{*this, "now"};
  VertexArray<uint64_t> next{*this, "next"};
  VertexArray<double> sum{*this, "sum", ArrayUse::kResult};
  VertexArray<double> harmonic{*this, "harmonic", ArrayUse::kResult};
  VertexArray<uint32_t> count{*this, "count"};
  Counters<Max<uint32_t>> reach;
  Programs<SearchMany> programs{*this, kOut};
};

struct ClosenessResult {
  std::vector<double> closeness;
  std::vector<double> harmonic;
  std::vector<uint32_t> eccentricity;  // of each source
};

/// The closeness by distances from `sources`, which are different vertices.
template <typename E>
StatusOr<ClosenessResult> Closeness(E& engine, std::span<const VertexId> sources) {
  ClosenessState state(engine.num_vertices(), engine.threads(), sources.size());
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
        state.seen.view(),           state.now.read(),   state.next.view(),  state.sum.view(),
        state.harmonic.view(),       state.count.view(), state.reach.view(), 1,
        static_cast<uint32_t>(first)};
    RETURN_IF_ERROR(engine.Fixpoint(kOut, std::move(from), search).status());
  }
  const double num_others = std::max(1.0, static_cast<double>(engine.num_vertices()) - 1);
  const Normalize normalize{state.sum.view(), state.count.read(), num_others};
  RETURN_IF_ERROR(engine.VertexMap(engine.sets().All(), normalize));
  return ClosenessResult{CopyOf(state.sum), CopyOf(state.harmonic), CopyOf(state.reach)};
}

}  // namespace edgemill::model

// Verifies values that were iterated: another iteration must not change them, or all iterations are
// done again.
#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>

#include "common/strings.h"
#include "engine/api/algorithm.h"
#include "engine/verify/plain_visit.h"

namespace edgemill {

/// The state of CheckIterations.
struct IterationCheck : RunState {
  using RunState::RunState;
  VertexArray<double> value{*this, "the verifier's values"};
  VertexArray<double> sums{*this, "the verifier's sums"};
};

/// Values as a run reports them.
struct Iterated {
  std::string_view values;  // "ranks"
  uint64_t iterations = 0;
  bool settled = false;    // else the iterations ended by their number
  double tolerance = 0;    // of the L1 change of settled values
  double rounding = 1e-9;  // how far apart equal values are in all, at most
};

/// Sets sums[v] to the sum, over the in-edges of v, of value[edge.from] times the edge's weight, or
/// times 1. The errors of PlainVisit.
inline Status AddNeighbors(LoadedGraph& graph, bool weighted, std::span<const double> value,
                           std::span<double> sums) {
  ForEachVertex(graph, [&](VertexId v) { sums[v] = 0; });
  if (!weighted) return AddAlongEdges(graph, value, sums);
  return AddByTarget<double>(
      graph, [=](const WeightedEdge<double>& edge) { return value[edge.from] * edge.weight; },
      [=](VertexId v, double sum) { AtomicAdd(&sums[v], sum); });
}

/// Functions of a vertex: its value before the first iteration, and the one that was found.
template <typename Start, typename Found>
struct IterationEnds {
  Start start;
  Found found;
};
template <typename Start, typename Found>
IterationEnds(Start, Found) -> IterationEnds<Start, Found>;

/// `step()` replaces check.value by the values of the next iteration, and may use check.sums.
/// InternalError; the errors of `step`.
template <typename Start, typename Found, typename Step>
Status CheckIterations(LoadedGraph& graph, const Iterated& run, IterationCheck& check,
                       const IterationEnds<Start, Found>& ends, Step step) {
  RETURN_IF_ERROR(NoVertexWhere(graph, "has a value that is not finite",
                                [&](VertexId v) { return !std::isfinite(ends.found(v)); }));
  const std::span<double> value = check.value.mutable_span();
  const auto apart = [&] {
    return SumOverVertices(graph, [&](VertexId v) { return std::abs(value[v] - ends.found(v)); });
  };
  ForEachVertex(graph, [&](VertexId v) { value[v] = run.settled ? ends.found(v) : ends.start(v); });
  const uint64_t iterations = run.settled ? 1 : run.iterations;
  for (uint64_t i = 0; i < iterations; ++i) RETURN_IF_ERROR(step());
  const double distance = apart();
  if (distance <= (run.settled ? run.tolerance : 0) + run.rounding) return OkStatus();
  return InternalError(run.settled
                           ? StrCat("another iteration changes ", run.values, " by ", distance)
                           : StrCat(run.values, " are ", distance, " from those after ",
                                    run.iterations, " iterations"));
}

}  // namespace edgemill

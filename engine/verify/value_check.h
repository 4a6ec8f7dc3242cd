// Verifies the values of simulations: does all iterations again, edge by edge.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "common/check.h"
#include "common/strings.h"
#include "engine/api/algorithm.h"
#include "engine/verify/plain_visit.h"

namespace edgemill {
inline namespace EM_VIEWS_NAMESPACE {

/// The state of CheckValues. Values are computed edge by edge in two ways: exactly, and rounded
/// worse than a run rounds them. The difference between the two bounds the effect of rounding on a
/// run.
struct ValueCheck : RunState {
  struct Sums {
    double exact = 0;
    double rounded = 0;
    Sums& operator+=(const Sums& more) {
      exact += more.exact;
      rounded += more.rounded;
      return *this;
    }
  };
  using RunState::RunState;
  VertexArray<double> weights{*this, "the verifier's weights"};
  VertexArray<double> exact{*this, "the verifier's values"};
  VertexArray<float> rounded{*this, "the verifier's rounded values"};
  VertexArray<Sums> sums{*this, "the verifier's sums"};
};

/// Sets sums[v] to the sum of what(edge) over the in-edges of v. The errors of PlainVisit.
template <typename What>
Status AddAlong(LoadedGraph& graph, std::span<double> sums, What what) {
  CHECK_EQ(sums.size(), graph.num_vertices());
  ForEachVertex(graph, [&](VertexId v) { sums[v] = 0; });
  return AddByTarget<double>(graph, what,
                             [=](VertexId v, double sum) { AtomicAdd(&sums[v], sum); });
}

/// `value`, made too high or too low by some units in the last place of a float; a subnormal value
/// is practically lost. A value that is a float, or very near to one, stays.
inline double RoundBadly(double value, bool up) {
  constexpr double kMin = std::numeric_limits<float>::min();
  const double magnitude = std::abs(value);
  const bool normal = magnitude == 0 || magnitude >= kMin;
  if (normal && std::abs(double{static_cast<float>(value)} - value) <= 1e-10 * magnitude) {
    return value;
  }
  const double error = magnitude * 0x1p-22 + kMin;
  return value + (up ? error : -error);
}

/// A power of two that brings the largest weight near 1. The errors of PlainVisit.
inline StatusOr<double> UnitOfLargestWeight(LoadedGraph& graph) {
  double largest = 0;
  RETURN_IF_ERROR(PlainVisit(graph, [&](const WeightedEdge<double>& edge) {
    if (std::abs(edge.weight) > LoadRelaxed(&largest)) AtomicMax(&largest, std::abs(edge.weight));
  }));
  return largest == 0 ? 1 : std::ldexp(1.0, std::clamp(-std::ilogb(largest), -1000, 1000));
}

/// Values after some iterations, as a run reports them.
struct IteratedValues {
  std::span<const float> value;
  uint64_t iterations = 0;
  bool may_change = false;  // more iterations might change values
  double tolerance = 0;     // else the last iteration changed no value by more
};

/// Checks values by doing all iterations again, from check.exact. A vertex's next value is
/// step(vertex, value, sum), where sum is that of carry(edge, values) over its in-edges.
/// InternalError; the errors of PlainVisit.
template <typename Carry, typename Step>
Status CheckValues(LoadedGraph& graph, const IteratedValues& found, ValueCheck& check, Carry carry,
                   Step step) {
  CHECK_EQ(found.value.size(), graph.num_vertices());
  const std::span<double> exact = check.exact.mutable_span();
  const std::span<float> rounded = check.rounded.mutable_span();
  ForEachVertex(graph, [&](VertexId v) { rounded[v] = static_cast<float>(exact[v]); });
  ForEachVertex(graph, [&](VertexId v) { exact[v] = rounded[v]; });
  double change = 0;
  const std::span<ValueCheck::Sums> sums = check.sums.mutable_span();
  for (uint64_t i = 0; i < found.iterations; ++i) {
    ForEachVertex(graph, [&](VertexId v) { sums[v] = {}; });
    // Within an iteration all errors have one sign, so they add up in sums. The sign alternates
    // between iterations.
    const bool up = i % 2 == 0;
    RETURN_IF_ERROR(AddByTarget<ValueCheck::Sums>(
        graph,
        [=](const WeightedEdge<double>& edge) -> ValueCheck::Sums {
          return {carry(edge, exact), carry(edge, rounded)};
        },
        [=](VertexId v, const ValueCheck::Sums& more) {
          AtomicAdd(&sums[v].exact, more.exact);
          AtomicAdd(&sums[v].rounded, more.rounded);
        }));
    change = 0;
    for (uint64_t v = 0; v < graph.num_vertices(); ++v) {
      const auto vertex = static_cast<VertexId>(v);
      const double now = step(vertex, exact[v], sums[v].exact);
      change = std::max(change, std::abs(now - exact[v]));
      exact[v] = now;
      const double worse = RoundBadly(step(vertex, double{rounded[v]}, sums[v].rounded), up);
      rounded[v] = static_cast<float>(worse);
    }
  }
  double most = 0, apart = 0;
  for (uint64_t v = 0; v < graph.num_vertices(); ++v) {
    most = std::max(most, std::abs(exact[v]));
    apart = std::max(apart, std::abs(exact[v] - rounded[v]));
  }
  const double allowed = 1e-6 * most + 4 * apart;
  RETURN_IF_ERROR(
      NoVertexWhere(graph,
                    StrCat("is further than ", allowed, " from its value after ", found.iterations,
                           " iterations"),
                    [&](VertexId v) { return !(std::abs(exact[v] - found.value[v]) <= allowed); }));
  if (found.may_change || change <= found.tolerance + 2 * allowed) return OkStatus();
  return InternalError(StrCat("the last iteration still changes a value by ", change));
}

}  // namespace EM_VIEWS_NAMESPACE
}  // namespace edgemill

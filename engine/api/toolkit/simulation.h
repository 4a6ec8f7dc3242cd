// Simulations: values that every vertex computes anew in each iteration from those of its
// in-neighbours, until they settle. Options, the iterations, and what verifies values.
//
// Values are floats, which every iteration reads of each edge; weights, products and sums are
// doubles.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "engine/api/algorithm.h"
#include "engine/api/toolkit/iteration_forecast.h"
#include "engine/api/toolkit/plain_visit.h"
#include "engine/program/monoids.h"

namespace edgemill {

inline constexpr Option<VertexValues> kValues{
    .names = "--values", .help = "where vertices start: lines with a vertex and its value"};
inline constexpr Option<uint64_t> kValueSeed{
    .names = "--value-seed",
    .help = "chooses random values to start from, without --values",
    .value = 1};
inline constexpr Option<uint64_t> kRounds{"-i,--iterations", "how many iterations, at most",
                                          Whole32(1), 1000};
inline constexpr Option<double> kLargestChange{
    "-t,--tolerance", "stop when no value changes by more than X; 0: never", {.least = 0}, 1e-5};

/// A simulation's derives from it, and declares its program.
struct SimulationState : RunState {
  using RunState::RunState;
  const uint64_t most_iterations = Get(kRounds);
  /// 0: none. A number of iterations alone means exactly so many.
  const double tolerance = Given(kRounds) && !Given(kLargestChange) ? 0 : Get(kLargestChange);
  uint64_t iterations = 0;  // that were done
  VertexArray<float> value{*this, "value", ArrayUse::kResult};
  VertexArray<float> next{*this, "next value", ArrayUse::kWork};
};

/// How far a value has come; infinitely, where it is no finite number.
EM_HOST_DEVICE inline double ChangeOf(float before, float now) {
  const double change = std::abs(double{now} - double{before});
  return change <= std::numeric_limits<float>::max() ? change
                                                     : std::numeric_limits<double>::infinity();
}

/// Adds up the weights of each vertex's in-edges, times `unit`; none becomes 0 by that.
struct AddWeights {
  using Monoid = Sum<double>;
  static constexpr bool kAppliesToAll = true;
  View<double> total;  // empty: only the greatest is asked for
  TallyView<Max<double>> most;
  double unit;
  double Emit(VertexId) const { return 0; }
  double Along(double, const WeightedEdge<double>& edge) const {
    constexpr double kLeast = 0x1p-1000;
    const double in_units = edge.weight * unit;
    return edge.weight > 0 && in_units < kLeast ? kLeast : in_units;
  }
  bool Apply(VertexId v, double sum) {
    if (total) total[v] = sum;
    most.Add(sum);
    return false;
  }
};

/// What weights are multiplied by, a power of two, so that no sum or product of them is lost: 1
/// unless they are very large or small.
struct WeightUnit {
  double unit = 1;
  double most = 0;  // the greatest sum of the weights of a vertex's in-edges, in units
};
/// Finds it, and sets `total` to the sums, in units. An edge pass; three at the most.
inline StatusOr<WeightUnit> FindWeightUnit(Engine& engine, View<double> total) {
  constexpr double kComfort = 0x1p200;  // in units, values of floats are far from all bounds
  WeightUnit found;
  const VertexSet all = engine.sets().All();
  for (bool again = !all.empty(); again;) {
    Tally<Max<double>> most("the sums of weights");
    RETURN_IF_ERROR(engine.EdgeMap(kOut, all, AddWeights{total, most.view(), found.unit}).status());
    ASSIGN_OR_RETURN(found.most, most.Take());
    again = found.most != 0 && !(found.most >= 1 / kComfort && found.most <= kComfort);
    if (std::isinf(found.most)) {
      found.unit = 0x1p-600;
    } else if (again) {
      const int power = std::ilogb(found.unit) - std::ilogb(found.most);
      found.unit = std::ldexp(1.0, std::clamp(power, -1000, 1000));
    }
  }
  return found;
}

/// Calls `set(vertex, value)` for what an option's file has, one by one. BadDataError for an id
/// that is no vertex and, with `all`, for a vertex that has no value.
Status VisitValues(LoadedGraph& graph, const InputValues& values, bool all,
                   const std::function<void(VertexId vertex, double value)>& set);
/// The values of all vertices before the first iteration: those of kValues, or random numbers of at
/// least `least` and below `most`, by input id. `set` is called from several threads. Errors:
/// VisitValues'.
Status VisitStartValues(LoadedGraph& graph, const SimulationState& state, double least, double most,
                        const std::function<void(VertexId vertex, double value)>& set);
/// Sets state.value to them.
Status StartValues(LoadedGraph& graph, SimulationState& state, double least, double most);

/// What Simulate returns for the least vertex whose value is no finite number. BadDataError.
Status NotFinite(LoadedGraph& graph, const SimulationState& state);
/// Answers with the column "value", says what the last iteration changed, and warns where that is
/// above the tolerance.
void AnswerValues(const SimulationState& state, double last_change, Answer* answer);
/// Warns where over half of the values, of 65,536 at the most that are looked at, are above `bound`
/// or below -`bound`.
void WarnOfSaturation(const SimulationState& state, double bound, Answer* answer);

/// Iterates from state.value until no change exceeds the tolerance. `program(before, now, change)`
/// is that of an iteration.
template <typename MakeProgram>
Status Simulate(Engine& engine, SimulationState& state, const RunContext& context,
                MakeProgram program, Answer* answer) {
  IterationForecast forecast(context.progress, state.most_iterations, state.tolerance);
  const VertexSet all = engine.sets().All();
  Tally<Max<double>> changes("the change of values");
  double change = all.empty() ? 0 : std::numeric_limits<double>::infinity();
  for (state.iterations = 0; state.iterations < state.most_iterations && !all.empty();) {
    const auto pass = program(state.value.read(), state.next.view(), changes.view());
    RETURN_IF_ERROR(engine.EdgeMap(kOut, all, pass).status());
    state.value.Swap(state.next);
    ++state.iterations;
    ASSIGN_OR_RETURN(change, changes.Take());
    if (change == std::numeric_limits<double>::infinity()) return NotFinite(engine.graph(), state);
    forecast.Add(change);
    if (state.tolerance > 0 && change <= state.tolerance) break;
  }
  answer->passes = state.iterations;
  AnswerValues(state, change, answer);
  return OkStatus();
}

/// The state of CheckValues. Both are computed edge by edge: exactly, and with values rounded worse
/// than a run rounds them. How far these part bounds what rounding does to a run.
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
  ForEachVertex(graph, [&](VertexId v) { sums[v] = 0; });
  return AddByTarget<double>(graph, what,
                             [=](VertexId v, double sum) { AtomicAdd(&sums[v], sum); });
}

/// `value`, some units in the last place of a float too high or too low, or as good as lost where
/// it is subnormal. One that is a float, or as good as one,
/// stays.
inline double RoundBadly(double value, bool up) {
  constexpr double kLeast = std::numeric_limits<float>::min();
  const double magnitude = std::abs(value);
  const bool normal = magnitude == 0 || magnitude >= kLeast;
  if (normal && std::abs(double{static_cast<float>(value)} - value) <= 1e-10 * magnitude) {
    return value;
  }
  const double error = magnitude * 0x1p-22 + kLeast;
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

/// Checks values by doing all iterations again: a vertex's next is step(vertex, value, sum), the
/// sum of carry(edge, values) over its in-edges. InternalError; errors of PlainVisit and
/// VisitStartValues.
template <typename Carry, typename Step>
Status CheckValues(LoadedGraph& graph, const SimulationState& state, ValueCheck& check, Carry carry,
                   Step step) {
  const std::span<double> exact = check.exact.mutable_span();
  const std::span<float> rounded = check.rounded.mutable_span();
  ForEachVertex(graph, [&](VertexId v) { rounded[v] = static_cast<float>(exact[v]); });
  ForEachVertex(graph, [&](VertexId v) { exact[v] = rounded[v]; });
  double change = 0;
  const std::span<ValueCheck::Sums> sums = check.sums.mutable_span();
  for (uint64_t i = 0; i < state.iterations; ++i) {
    ForEachVertex(graph, [&](VertexId v) { sums[v] = {}; });
    // The errors of a sum have one sign and add up; those of iterations do not.
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
  const std::span<const float> value = state.value.span();
  RETURN_IF_ERROR(
      NoVertexWhere(graph,
                    StrCat("is further than ", allowed, " from its value after ", state.iterations,
                           " iterations"),
                    [&](VertexId v) { return !(std::abs(exact[v] - value[v]) <= allowed); }));
  const bool may_stop = state.iterations == state.most_iterations || graph.num_vertices() == 0;
  if (may_stop || change <= state.tolerance + 2 * allowed) return OkStatus();
  return InternalError(StrCat("the last iteration still changes a value by ", change));
}

}  // namespace edgemill

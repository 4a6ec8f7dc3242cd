// Simulations: in each iteration, every vertex computes a new value from those of its
// in-neighbours, until the values converge. This file has the options and the iterations.
//
// Values are floats, because every iteration reads one for each edge. Weights, products and sums
// are doubles.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>

#include "common/units.h"
#include "engine/algorithms/shared/convergence.h"
#include "engine/algorithms/shared/start_values.h"
#include "engine/api/algorithm.h"
#include "engine/program/monoids/monoids.h"
#include "engine/verify/value_check.h"

namespace edgemill {

inline constexpr Option<uint64_t> kValueSeed{
    .names = "--value-seed",
    .help = "chooses random values to start from, without --values",
    .value = 1};
inline constexpr Option<uint64_t> kRounds{"-i,--iterations", "how many iterations, at most",
                                          Whole32(1), 1000};
inline constexpr Option<double> kLargestChange{
    "-t,--tolerance", "stop when no value changes by more than X; 0: never", {.least = 0}, 1e-5};

inline namespace EM_VIEWS_NAMESPACE {

/// The state of a simulation derives from it, and declares its program.
struct SimulationState : RunState {
  using RunState::RunState;
  const Convergence until{*this, kRounds, kLargestChange};
  uint64_t iterations = 0;  // already done
  VertexArray<float> value{*this, "value", ArrayUse::kResult};
  VertexArray<float> next{*this, "next value", ArrayUse::kWork};

  /// The values, for CheckValues.
  IteratedValues Found() const {
    const bool may_change = iterations == until.iterations || num_vertices() == 0;
    return {value.span(), iterations, may_change, until.tolerance};
  }
};

/// The change of a value; infinity where that is no finite float.
EM_HOST_DEVICE inline double ChangeOf(float before, float now) {
  const double change = std::abs(double{now} - double{before});
  return change <= std::numeric_limits<float>::max() ? change
                                                     : std::numeric_limits<double>::infinity();
}

/// Adds up the weights of each vertex's in-edges, times `unit`. No positive weight becomes 0.
struct AddWeights {
  using Monoid = Sum<double>;
  static constexpr bool kAppliesToAll = true;
  View<double> total;  // empty: only the greatest sum is needed
  TallyView<Max<double>> most;
  double unit;
  double Emit(VertexId) const { return 0; }
  double Along(double, const WeightedEdge<double>& edge) const {
    constexpr double kMin = 0x1p-1000;
    const double in_units = edge.weight * unit;
    return edge.weight > 0 && in_units < kMin ? kMin : in_units;
  }
  bool Apply(VertexId v, double sum) {
    if (total) total[v] = sum;
    most.Add(sum);
    return false;
  }
};

/// A power of two by which weights are multiplied, so that no sum or product overflows or vanishes.
/// 1 unless weights are very large or small.
struct WeightUnit {
  double unit = 1;
  double most = 0;  // the greatest sum of the weights of a vertex's in-edges, in units
};
/// Finds the unit, and sets `total` to the sums, in units. Takes one edge pass, at most three.
inline StatusOr<WeightUnit> FindWeightUnit(Engine& engine, View<double> total) {
  constexpr double kSafeMagnitude =
      0x1p200;  // sums in units within this bound cannot overflow or vanish
  WeightUnit found;
  const VertexSet all = engine.sets().All();
  for (bool again = !all.empty(); again;) {
    Tally<Max<double>> most("the sums of weights");
    RETURN_IF_ERROR(engine.EdgeMap(kOut, all, AddWeights{total, most.view(), found.unit}).status());
    ASSIGN_OR_RETURN(found.most, most.Take());
    again = found.most != 0 && !(found.most >= 1 / kSafeMagnitude && found.most <= kSafeMagnitude);
    if (std::isinf(found.most)) {
      found.unit = 0x1p-600;
    } else if (again) {
      const int power = std::ilogb(found.unit) - std::ilogb(found.most);
      found.unit = std::ldexp(1.0, std::clamp(power, -1000, 1000));
    }
  }
  return found;
}

}  // namespace EM_VIEWS_NAMESPACE

/// The values of all vertices before the first iteration: those of kValues, or random numbers of at
/// least `least` and below `most`, by input id. `set` is called from several threads. Errors:
/// VisitValues'.
Status VisitStartValues(LoadedGraph& graph, const RunState& state, double least, double most,
                        const std::function<void(VertexId vertex, double value)>& set);
/// Sets `value` to the start values.
Status StartValues(LoadedGraph& graph, const RunState& state, double least, double most,
                   std::span<float> value);

/// The BadDataError that Simulate returns for the least vertex whose value is no finite number.
Status NotFinite(LoadedGraph& graph, std::span<const float> value, uint64_t iterations);
/// Warns where over half of the values are above `bound` or below -`bound`. Looks at 65,536 values
/// at most.
void WarnOfSaturation(std::span<const float> value, double bound, Answer* answer);

inline namespace EM_VIEWS_NAMESPACE {

/// Iterates from state.value until no change exceeds the tolerance. `program(before, now, change)`
/// makes the program of an iteration. Fills the column "value", adds the last iteration's change as
/// a fact, and warns where the change is above the tolerance.
template <typename MakeProgram>
Status Simulate(Engine& engine, SimulationState& state, const RunContext& context,
                MakeProgram program, Answer* answer) {
  IterationForecast forecast(context.progress, state.until.iterations, state.until.tolerance);
  const VertexSet all = engine.sets().All();
  Tally<Max<double>> changes("the change of values");
  double change = all.empty() ? 0 : std::numeric_limits<double>::infinity();
  for (state.iterations = 0; state.iterations < state.until.iterations && !all.empty();) {
    const auto pass = program(state.value.read(), state.next.view(), changes.view());
    RETURN_IF_ERROR(engine.EdgeMap(kOut, all, pass).status());
    state.value.Swap(state.next);
    ++state.iterations;
    ASSIGN_OR_RETURN(change, changes.Take());
    if (change == std::numeric_limits<double>::infinity()) {
      return NotFinite(engine.graph(), state.value.span(), state.iterations);
    }
    forecast.Add(change);
    if (state.until.tolerance > 0 && change <= state.until.tolerance) break;
  }
  answer->passes = state.iterations;
  answer->AddCount("iterations", state.iterations);
  answer->AddFact("last change", FormatSignificant(change), change, "largest_change");
  answer->CheckSettled("values", change, state.until.tolerance);
  if (!answer->converged) answer->timing_caveat = answer->warnings.back();
  answer->Fill("value", state.value.span());
  return OkStatus();
}

}  // namespace EM_VIEWS_NAMESPACE
}  // namespace edgemill

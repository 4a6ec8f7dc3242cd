// The arrays and sets on which composed operators work, once for the model and once for the engine.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "common/random.h"
#include "common/strings.h"
#include "engine/model/model_graph.h"
#include "engine/program/operator_types.h"
#include "engine/state/state.h"

namespace edgemill::model {

/// Arrays of integers, or of reals that are whole numbers, so that sums are exact in any order.
struct ComposerState : State {
  static constexpr uint64_t kCounts = 7;

  ComposerState(uint64_t num_vertices, int threads) : State(num_vertices, threads) { HoldSets(8); }

  VertexArray<uint64_t> x0{*this, "x0"};
  VertexArray<uint64_t> x1{*this, "x1"};
  VertexArray<uint64_t> x2{*this, "x2"};
  VertexArray<uint32_t> y{*this, "y"};
  VertexArray<double> z{*this, "z"};
  VertexArray<uint8_t> byte{*this, "byte"};
  VertexArray<int16_t> half{*this, "half"};
  VertexArray<int32_t> word{*this, "word"};
  VertexArray<float> real{*this, "real"};
  VertexArray<uint64_t> any{*this, "any"};  // which message came first; 0 between steps
  VertexArray<uint64_t> any_weight{*this, "any weight"};
  Counters<Sum<uint64_t>> counts{*this, "counts", kCounts};
  Tally<Sum<uint64_t>> total{"total"};
  Tally<Sum<double>> real_total{"real total", 1e9};
  Tally<Max<uint64_t>> most{"most"};
  Tally<Both<Min<uint64_t>, Max<uint64_t>>> ends{"ends"};
  Degrees degrees{*this, kOut};

  VertexArray<uint64_t>& x(size_t i) { return i == 0 ? x0 : i == 1 ? x1 : x2; }
};

/// The parameters of a step, the same for the model and the engine.
struct StepParameters {
  Directions directions = kOut;
  size_t from = 0;  // the set that emits
  size_t into = 0;  // the set that the result replaces
  size_t a = 0;     // a, b and c are different arrays, 0 to 2
  size_t b = 1;
  size_t c = 2;
  uint64_t number = 0;
};

inline constexpr size_t kComposedSets = 4;

/// One of the two sides that are compared: the model or the engine.
template <typename E>
struct Side {
  E& engine;
  ComposerState& state;
  const Graph& graph;
  std::array<VertexSet, kComposedSets> sets;
  std::vector<uint64_t> numbers;  // results of the step other than arrays and sets

  VertexArray<uint64_t>& x(size_t i) { return state.x(i); }
  const VertexSet& from(const StepParameters& p) const { return sets[p.from]; }
  StatusOr<VertexSet> CopyOfFrom(const StepParameters& p) {
    return engine.sets().Copy(sets[p.from]);
  }

  /// Records the result of an EdgeMap or a VertexFilter.
  Status Record(const StepParameters& p, StatusOr<VertexSet> set) {
    if (!set.ok()) return set.status();
    sets[p.into] = std::move(*set);
    return OkStatus();
  }
  /// Records the totals of a Fixpoint or Bucketed. `counts` says that the numbers of passes and
  /// emissions do not depend on the mode.
  Status Record(const StepParameters& p, StatusOr<FixpointTotals> totals, bool counts) {
    if (!totals.ok()) return totals.status();
    if (counts) numbers.insert(numbers.end(), {totals->passes, totals->emitted});
    sets[p.into] = std::move(totals->left);
    return OkStatus();
  }
  Status ReadTotal() {
    ASSIGN_OR_RETURN(const uint64_t total, state.total.Take());
    numbers.push_back(total);
    return OkStatus();
  }

  /// Whether a message from `from` may arrive at `to` over an edge with this weight. A negative
  /// `weight` stands for any weight.
  bool Arrives(uint64_t from, VertexId to, Directions directions, double weight = -1) const {
    if (from >= graph.num_vertices()) return false;
    for (const Lists* lists : graph.lists(directions)) {
      for (const InputEdge& edge : lists->of(static_cast<VertexId>(from))) {
        if (edge.to == to && (weight < 0 || edge.weight == weight)) return true;
      }
    }
    return false;
  }
  /// Checks each vertex whose `any` is not 0: `may(from, to)` must hold for the sender. Resets
  /// `any` to 0.
  template <typename May>
  Status CheckFirsts(const StepParameters& p, May may) {
    for (VertexId v = 0; v < graph.num_vertices(); ++v) {
      const uint64_t taken = state.any.Get(v);
      if (taken == 0) continue;
      const uint64_t weight = state.any_weight.Get(v);
      const double want = weight == 0 ? -1 : static_cast<double>(weight - 1);
      if (!Arrives(taken - 1, v, p.directions, want) || !may(static_cast<VertexId>(taken - 1), v)) {
        return InternalError(StrCat("vertex ", v, " took what was not sent: ", taken - 1));
      }
    }
    state.any.Fill(0);
    state.any_weight.Fill(0);
    return OkStatus();
  }
};

/// A number for each vertex, the same on both sides.
constexpr uint64_t HashOf(VertexId v, uint64_t salt) { return Mix64(v * 977 + salt); }

/// Sets place = 1 + hash % range, or place = value if range is 0.
template <typename T>
struct PutHash {
  View<T> place;
  uint64_t salt;
  uint64_t range;
  T value;
  void operator()(VertexId v) {
    place[v] = range == 0 ? value : static_cast<T>(1 + HashOf(v, salt) % range);
  }
};

}  // namespace edgemill::model

// Programs with Relax, for composed sequences of operators. The answer of each does not depend on
// the order of messages.
#pragma once

#include <algorithm>
#include <cstdint>

#include "test/model/composed/composer.h"

namespace edgemill::model {

struct RelaxLeast {
  using Monoid = Min<uint64_t>;
  View<const uint64_t> sent;
  View<uint64_t> value;
  uint64_t Emit(VertexId u) const { return sent[u] / 2; }
  bool Relax(VertexId v, uint64_t message) { return AtomicMin(value[v], message); }
};
/// Least labels. Some vertices take none. Cond becomes false when a label has reached a floor.
struct SpreadOpen {
  using Monoid = Min<uint64_t>;
  View<uint64_t> label;
  View<const uint64_t> gate;
  uint64_t floor;
  uint64_t Emit(VertexId u) const { return label[u]; }
  bool Cond(VertexId v) const { return gate[v] % 5 != 0 && label[v] > floor; }
  bool Relax(VertexId v, uint64_t other) {
    return gate[v] % 5 != 0 && AtomicMin(label[v], std::max(other, floor));
  }
};
template <typename D, typename W>
struct ShortenFrom {
  using Monoid = Min<D>;
  View<D> distance;
  D Emit(VertexId u) const { return distance[u]; }
  D Along(D length, const WeightedEdge<W>& edge) const {
    return length + static_cast<D>(edge.weight);
  }
  bool Relax(VertexId v, D length) { return AtomicMin(distance[v], length); }
  double Priority(VertexId v) const { return static_cast<double>(distance[v]); }
};
struct WidenFrom {
  using Monoid = Max<double>;
  View<double> width;
  double Emit(VertexId u) const { return width[u]; }
  double Along(double wide, const WeightedEdge<float>& edge) const {
    return std::min(wide, static_cast<double>(edge.weight));
  }
  bool Relax(VertexId v, double other) { return AtomicMax(width[v], other); }
  double Priority(VertexId v) const { return -width[v]; }
};
struct RelaxSum {
  using Monoid = Sum<uint64_t>;
  View<const uint64_t> sent;
  View<uint64_t> value;
  View<const uint64_t> gate;
  TallyView<Sum<uint64_t>> total;
  uint64_t Emit(VertexId u) const { return sent[u]; }
  uint64_t Along(uint64_t message, const Edge& edge) const { return message + edge.from; }
  bool Cond(VertexId v) const { return gate[v] % 4 != 1; }
  bool Relax(VertexId v, uint64_t more) {
    if (gate[v] % 4 == 1) return false;
    AtomicAdd(value[v], more);
    total.Add(more);
    return true;
  }
};
struct RelaxFloats {
  using Monoid = Sum<double, float>;
  View<const uint64_t> sent;
  View<double> value;
  float Emit(VertexId u) const { return static_cast<float>(sent[u] % 100); }
  bool Relax(VertexId v, double more) {
    AtomicAdd(value[v], more);
    return true;
  }
};
/// A vertex sends its stock once its heat has passed a bound.
struct Percolate {
  using Monoid = Sum<uint64_t>;
  View<uint64_t> stock;
  View<uint64_t> heat;
  uint64_t bound;
  uint64_t Emit(VertexId u) { return AtomicExchange(stock[u], 0); }
  bool Relax(VertexId v, uint64_t more) {
    const uint64_t before = AtomicAdd(heat[v], more);
    return before < bound && before + more >= bound;
  }
};
/// A value of 16 bytes. Relax changes each field by one atomic operation.
struct RelaxExtremes {
  using Monoid = Both<Min<uint64_t>, Max<uint64_t>>;
  View<const uint64_t> sent;
  View<uint64_t> least;
  View<uint64_t> most;
  Monoid::Value Emit(VertexId u) const { return {sent[u], sent[u]}; }
  bool Relax(VertexId v, Monoid::Value both) {
    const bool falls = AtomicMin(least[v], both.first);
    const bool rises = AtomicMax(most[v], both.second);
    return falls || rises;
  }
};
/// Computes levels and numbers of shortest paths.
struct CountWays {
  using Monoid = Sum<uint64_t>;
  View<uint32_t> level;
  View<uint64_t> ways;
  uint32_t depth;
  uint64_t Emit(VertexId u) const { return ways[u]; }
  bool Cond(VertexId v) const { return level[v] >= depth; }
  bool Relax(VertexId v, uint64_t more) {
    if (level[v] < depth) return false;
    AtomicAdd(ways[v], more);
    return CompareAndSet(level[v], ~uint32_t{0}, depth);
  }
  void Next() { ++depth; }
};
struct PeelSimple {
  using Monoid = Both<Sum<uint32_t>, Max<uint32_t>>;
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
struct CountSimple {
  using Monoid = Sum<uint32_t>;
  static constexpr bool kSimple = true;
  View<uint32_t> degree;
  uint32_t Emit(VertexId) const { return 1; }
  bool Apply(VertexId v, uint32_t sum) {
    degree[v] = sum;
    return true;
  }
};
/// Least labels by both functions: the engine calls Apply when it has the sum, else Relax.
struct LeastByBoth {
  using Monoid = Min<uint64_t>;
  View<uint64_t> label;
  uint64_t Emit(VertexId u) const { return label[u]; }
  bool Relax(VertexId v, uint64_t other) { return AtomicMin(label[v], other); }
  bool Apply(VertexId v, uint64_t other) {
    if (other >= label[v]) return false;
    label[v] = other;
    return true;
  }
  struct Tuning {
    static bool WouldRelax(const LeastByBoth& program, VertexId v, uint64_t other) {
      return other < program.label[v];
    }
  };
};

struct RelaxingPrograms {
  explicit RelaxingPrograms(State& state, Directions directions)
      : programs(state, directions), more(state, directions) {}
  Programs<RelaxLeast, SpreadOpen, ShortenFrom<uint64_t, int32_t>, ShortenFrom<double, double>,
           WidenFrom, RelaxSum, RelaxFloats>
      programs;
  Programs<Percolate, RelaxExtremes, CountWays, PeelSimple, CountSimple, LeastByBoth> more;
};

}  // namespace edgemill::model

// Programs that collect, for composed sequences of operators. The answer of each does not depend on
// the mode.
#pragma once

#include <algorithm>
#include <cstdint>

#include "test/model/composed/composer.h"

namespace edgemill::model {

struct CollectSum {
  using Monoid = Sum<uint64_t>;
  View<const uint64_t> sent;
  View<uint64_t> value;
  TallyView<Sum<uint64_t>> total;
  uint64_t salt;
  uint64_t Emit(VertexId u) const { return sent[u]; }
  bool Cond(VertexId v) const { return value[v] % 7 != salt % 7; }
  bool Apply(VertexId v, uint64_t sum) {
    value[v] = value[v] * 31 + sum;
    total.Add(sum);
    return sum % 2 == 0;
  }
};
struct CollectAll {
  using Monoid = Sum<uint64_t>;
  static constexpr bool kAppliesToAll = true;
  View<const uint64_t> sent;
  View<uint64_t> value;
  TallyView<Sum<uint64_t>> total;
  uint64_t salt;
  uint64_t Emit(VertexId u) const { return sent[u]; }
  bool Cond(VertexId v) const { return value[v] % 7 != salt % 7; }
  bool Apply(VertexId v, uint64_t sum) {
    value[v] = value[v] * 31 + sum + 1;
    total.Add(sum);
    return sum % 2 == 0;
  }
};
struct CollectPairs {
  using Monoid = Both<Sum<uint32_t>, Max<uint32_t>>;
  View<const uint64_t> sent;
  View<uint64_t> value;
  Monoid::Value Emit(VertexId u) const { return {1, static_cast<uint32_t>(sent[u])}; }
  bool Apply(VertexId v, Monoid::Value both) {
    value[v] = value[v] * 5 + both.first * uint64_t{1000003} + both.second;
    return both.first % 2 == 1;
  }
};
/// A sum of 16 bytes, which can only be pulled.
struct CollectWide {
  using Monoid = Both<Sum<uint64_t>, Min<uint64_t>>;
  View<const uint64_t> sent;
  View<uint64_t> value;
  Monoid::Value Emit(VertexId u) const { return {sent[u], sent[u]}; }
  Monoid::Value Along(Monoid::Value message, const Edge& edge) const {
    return {message.first * (1 + edge.to % 3), message.second + edge.to};
  }
  bool Apply(VertexId v, Monoid::Value both) {
    value[v] = both.first * 3 + both.second;
    return both.second % 3 != 0;
  }
};
struct CollectEnough {
  using Monoid = Or<uint64_t>;
  View<const uint64_t> sent;
  View<uint64_t> value;
  uint64_t Emit(VertexId u) const { return uint64_t{1} << sent[u] % 3; }
  bool Enough(VertexId, uint64_t some) const { return some == 7; }
  bool Apply(VertexId v, uint64_t some) {
    value[v] = value[v] * 3 + some;
    return some == 7;
  }
};
template <typename W>
struct CollectWeighted {
  using Monoid = Sum<uint64_t>;
  View<const uint64_t> sent;
  View<uint64_t> value;
  uint64_t Emit(VertexId u) const { return sent[u] % 1000; }
  uint64_t Along(uint64_t message, const WeightedEdge<W>& edge) const {
    return message * static_cast<uint64_t>(edge.weight) + 3 * edge.from + edge.to +
           value_at(edge.from);
  }
  EM_HOST_DEVICE uint64_t value_at(VertexId u) const {
    return sent[u] % 2;
  }  // the edge's other end
  bool Apply(VertexId v, uint64_t sum) {
    value[v] = value[v] + sum;
    return sum % 4 != 0;
  }
};
struct CollectSimple {
  using Monoid = Sum<uint32_t>;
  static constexpr bool kSimple = true;
  View<uint32_t> value;
  uint32_t Emit(VertexId u) const { return 1 + u % 4; }
  bool Apply(VertexId v, uint32_t sum) {
    value[v] = sum;
    return sum > 2;
  }
};
struct CollectSimpleAll {
  using Monoid = Sum<uint64_t>;
  static constexpr bool kSimple = true;
  static constexpr bool kAppliesToAll = true;
  View<const uint64_t> sent;
  View<uint64_t> value;
  uint64_t Emit(VertexId u) const { return sent[u]; }
  uint64_t Along(uint64_t message, const Edge& edge) const { return message + edge.to; }
  bool Apply(VertexId v, uint64_t sum) {
    value[v] = sum;
    return sum == 0;
  }
};
struct CollectFloats {
  using Monoid = Sum<double, float>;
  View<const uint64_t> sent;
  View<double> value;
  float Emit(VertexId u) const { return static_cast<float>(sent[u] % 1000); }
  bool Apply(VertexId v, double sum) {
    value[v] = sum;
    return sum > 1000;
  }
};
/// Sums of four bytes that every vertex takes: a GPU may pull them by cells.
struct CollectFloatsOfAll {
  using Monoid = Sum<double, float>;
  static constexpr bool kAppliesToAll = true;
  View<const uint64_t> sent;
  View<double> value;
  TallyView<Sum<uint64_t>> total;
  float Emit(VertexId u) const { return static_cast<float>(sent[u] % 1000); }
  bool Apply(VertexId v, double sum) {
    value[v] = sum;
    total.Add(static_cast<uint64_t>(sum));
    return sum > 1000;
  }
};
/// A program that consumes: Emit halves the value that it sends.
struct ConsumeAndCollect {
  using Monoid = Sum<uint64_t>;
  View<uint64_t> stock;
  View<uint64_t> value;
  TallyView<Sum<uint64_t>> total;
  uint64_t Emit(VertexId u) {
    const uint64_t half = stock[u] / 2;
    stock[u] -= half;
    total.Add(half);
    return half;
  }
  bool Apply(VertexId v, uint64_t sum) {
    value[v] += sum;
    stock[v] += 1;
    return sum % 5 != 0;
  }
};
/// Two buffers that Next swaps between passes.
struct StepBuffers {
  using Monoid = Sum<uint64_t>;
  static constexpr bool kAppliesToAll = true;
  View<const uint64_t> now;
  View<uint64_t> next;
  uint32_t pass;
  uint64_t Emit(VertexId u) const { return now[u]; }
  bool Apply(VertexId v, uint64_t sum) {
    next[v] = now[v] * 3 + sum + pass;
    return (next[v] >> 4) % 4 != 0;
  }
  void Next() {
    Swap(now, next);
    ++pass;
  }
};
struct CollectElsewhere {
  using Monoid = Max<uint64_t>;
  DegreeView degree;
  Anywhere<uint64_t> table;
  View<uint64_t> value;
  Into<Sum<uint64_t>> counts;
  uint64_t num_vertices;
  uint64_t Emit(VertexId u) const { return degree[u] * 16 + u % 16; }
  bool Apply(VertexId v, uint64_t most) {
    value[v] = most + table[(v * uint64_t{7} + most) % num_vertices];
    counts.Add(most % ComposerState::kCounts, 1 + v % 3);
    return value[v] % 2 == 0;
  }
};
/// Shortest paths with buckets. Messages are combined before a vertex takes them.
struct ShortenSums {
  using Monoid = Min<uint64_t>;
  View<uint64_t> distance;
  uint64_t Emit(VertexId u) { return distance[u]; }  // not const, so that it consumes
  uint64_t Along(uint64_t length, const WeightedEdge<int32_t>& edge) const {
    return length + static_cast<uint64_t>(edge.weight);
  }
  bool Apply(VertexId v, uint64_t length) {
    if (length >= distance[v]) return false;
    distance[v] = length;
    return true;
  }
  double Priority(VertexId v) const { return static_cast<double>(distance[v]); }
};

struct SumPrograms {
  explicit SumPrograms(State& state, Directions directions)
      : programs(state, directions), more(state, directions) {}
  Programs<CollectSum, CollectAll, CollectPairs, CollectWide, CollectEnough,
           CollectWeighted<int32_t>, CollectWeighted<double>>
      programs;
  Programs<CollectSimple, CollectSimpleAll, CollectFloats, CollectFloatsOfAll, ConsumeAndCollect,
           StepBuffers, CollectElsewhere, ShortenSums>
      more;
};

}  // namespace edgemill::model

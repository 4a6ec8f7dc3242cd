// Programs on signed and unsigned values of 1, 2, 4 and 8 bytes, for composed sequences of
// operators. They have their own monoids, and several tallies.
#pragma once

#include <cstdint>

#include "test/model/composed/composer.h"

namespace edgemill::model {

/// A value to send. For signed types, about half of the values are negative.
template <typename T>
constexpr T SmallOf(uint64_t number) {
  return static_cast<T>(static_cast<int>(number % 100) - 50);
}

template <typename T>
struct FallTo {
  using Monoid = Min<T>;
  View<const uint64_t> sent;
  View<T> value;
  T Emit(VertexId u) const { return SmallOf<T>(sent[u]); }
  bool Relax(VertexId v, T message) { return AtomicMin(value[v], message); }
};
template <typename T>
struct RiseTo {
  using Monoid = Max<T>;
  View<const uint64_t> sent;
  View<T> value;
  T Emit(VertexId u) const { return SmallOf<T>(sent[u]); }
  bool Relax(VertexId v, T message) { return AtomicMax(value[v], message); }
};
template <typename T>
struct CollectSmall {
  using Monoid = Sum<T>;
  View<const uint64_t> sent;
  View<T> value;
  T Emit(VertexId u) const { return SmallOf<T>(sent[u]); }
  bool Apply(VertexId v, T sum) {
    value[v] = static_cast<T>(value[v] / 2 + sum);
    return sum % 2 == 0;
  }
};

/// An idempotent monoid that only these tests have.
struct Divisor {
  using Value = uint32_t;
  static constexpr bool kIdempotent = true;
  EM_HOST_DEVICE static constexpr uint32_t identity() { return 0; }
  EM_HOST_DEVICE static constexpr uint32_t Combine(uint32_t a, uint32_t b) {
    while (b != 0) {
      const uint32_t rest = a % b;
      a = b;
      b = rest;
    }
    return a;
  }
};
struct CollectDivisor {
  using Monoid = Divisor;
  View<const uint64_t> sent;
  View<uint32_t> value;
  uint32_t Emit(VertexId u) const { return static_cast<uint32_t>(6 * (1 + sent[u] % 50)); }
  uint32_t Along(uint32_t message, const Edge& edge) const { return message * (1 + edge.from % 5); }
  bool Apply(VertexId v, uint32_t divisor) {
    value[v] = divisor;
    return divisor % 4 == 0;
  }
};
/// A monoid that is not idempotent.
struct Xor {
  using Value = uint16_t;
  EM_HOST_DEVICE static constexpr uint16_t identity() { return 0; }
  EM_HOST_DEVICE static constexpr uint16_t Combine(uint16_t a, uint16_t b) {
    return static_cast<uint16_t>(a ^ b);
  }
};
struct CollectXor {
  using Monoid = Xor;
  View<const uint64_t> sent;
  View<int16_t> value;
  uint16_t Emit(VertexId u) const { return static_cast<uint16_t>(sent[u] * 3 + u); }
  bool Apply(VertexId v, uint16_t sum) {
    value[v] = static_cast<int16_t>(sum);
    return sum % 8 != 0;
  }
};
/// A value of 8 bytes that consists of two signed halves.
struct CollectSpan {
  using Monoid = Both<Min<int32_t>, Max<int32_t>>;
  View<const uint64_t> sent;
  View<int32_t> span;
  Monoid::Value Emit(VertexId u) const {
    return {SmallOf<int32_t>(sent[u]), SmallOf<int32_t>(sent[u])};
  }
  bool Apply(VertexId v, Monoid::Value both) {
    span[v] = both.second - both.first - 1000 * both.first;
    return both.second > 0;
  }
};
/// A value of 4 bytes that consists of two halves.
struct CollectHalves {
  using Monoid = Both<Sum<int16_t>, Max<int16_t>>;
  static constexpr bool kAppliesToAll = true;
  View<const uint64_t> sent;
  View<int32_t> value;
  Monoid::Value Emit(VertexId u) const {
    return {SmallOf<int16_t>(sent[u]), SmallOf<int16_t>(sent[u])};
  }
  bool Apply(VertexId v, Monoid::Value both) {
    value[v] = both.first * 7 + both.second;
    return both.first >= 0;
  }
};

using Ends = Both<Min<uint64_t>, Max<uint64_t>>;

/// Tallies of all kinds. One has 16 bytes, and one is in fixed point.
struct CollectTallies {
  using Monoid = Sum<uint64_t>;
  View<const uint64_t> sent;
  View<uint64_t> value;
  TallyView<Sum<double>> real;
  TallyView<Sum<uint64_t>> total;
  TallyView<Max<uint64_t>> most;
  TallyView<Ends> ends;
  uint64_t Emit(VertexId u) const { return sent[u] % 1000; }
  bool Apply(VertexId v, uint64_t sum) {
    value[v] = sum;
    real.Add(static_cast<double>(sum % 100) - 50);
    total.Add(sum);
    most.Add(sum);
    ends.Add({sum, sum});
    return sum % 3 != 0;
  }
};
struct TallyValues {
  View<const uint64_t> value;
  TallyView<Sum<double>> real;
  TallyView<Max<uint64_t>> most;
  TallyView<Ends> ends;
  void operator()(VertexId v) {
    const uint64_t number = value[v] % 10000;
    real.Add(50 - static_cast<double>(number % 100));
    most.Add(number);
    ends.Add({number, number + v});
  }
};
/// Adds to elements of other vertices than the receiver.
struct SpreadShared {
  using Monoid = Sum<uint64_t>;
  View<const uint64_t> sent;
  Shared<uint64_t> table;
  uint64_t num_vertices;
  uint64_t Emit(VertexId u) const { return sent[u] % 1000; }
  bool Relax(VertexId v, uint64_t more) {
    AtomicAdd(table[v * uint64_t{7} % num_vertices], more);
    return true;
  }
};
struct RealValue {
  View<const uint64_t> a;
  double operator()(VertexId v) { return static_cast<double>(a[v] % 1000) - 500; }
};
struct EndsValue {
  View<const uint64_t> a;
  Ends::Value operator()(VertexId v) { return {a[v], a[v] ^ v}; }
};

struct ValuePrograms {
  explicit ValuePrograms(State& state, Directions directions)
      : programs(state, directions), more(state, directions) {}
  Programs<FallTo<uint8_t>, FallTo<int16_t>, RiseTo<int32_t>, RiseTo<float>, CollectSmall<uint8_t>,
           CollectSmall<int16_t>>
      programs;
  Programs<CollectDivisor, CollectXor, CollectSpan, CollectHalves, CollectTallies, SpreadShared>
      more;
};

}  // namespace edgemill::model

// Programs that take the first message, for composed sequences of operators. The first message may
// differ between runs. The array `any` holds its sender's id plus one, and is checked separately.
#pragma once

#include <cstdint>

#include "test/model/composed/composer.h"

namespace edgemill::model {

struct TakeAny {
  using Monoid = Any<uint64_t>;
  View<uint64_t> any;
  View<uint64_t> count;
  uint64_t Emit(VertexId u) const { return u + 1; }
  bool Apply(VertexId v, uint64_t message) {
    any[v] = message;
    count[v] = count[v] * 3 + 1;
    return count[v] % 4 < 2;
  }
};
struct TakeAnySimple {
  using Monoid = Any<uint64_t>;
  static constexpr bool kSimple = true;
  View<uint64_t> any;
  View<uint64_t> count;
  uint64_t Emit(VertexId u) const { return u + 1; }
  bool Cond(VertexId v) const { return count[v] % 6 != 1; }
  bool Apply(VertexId v, uint64_t message) {
    any[v] = message;
    count[v] = count[v] * 5 + 2;
    return true;
  }
};
/// Takes messages of 16 bytes, which hold the sender and the weight of the edge.
struct TakeAnyWide {
  struct Message {
    uint64_t from;
    uint64_t weight;
  };
  using Monoid = Any<Message>;
  View<uint64_t> any;
  View<uint64_t> weight;
  View<uint64_t> count;
  Message Emit(VertexId u) const { return {u + uint64_t{1}, 0}; }
  Message Along(Message message, const WeightedEdge<double>& edge) const {
    return {message.from, static_cast<uint64_t>(edge.weight) + 1};
  }
  bool Apply(VertexId v, Message message) {
    any[v] = message.from;
    weight[v] = message.weight;
    count[v] += 1;
    return count[v] % 2 == 0;
  }
};
struct SearchFrom {
  using Monoid = Any<VertexId>;
  View<uint32_t> level;
  View<uint64_t> any;
  uint32_t depth;
  VertexId Emit(VertexId u) const { return u; }
  bool Cond(VertexId v) const { return level[v] == ~uint32_t{0}; }
  bool Apply(VertexId v, VertexId u) {
    level[v] = depth;
    any[v] = u + uint64_t{1};
    return true;
  }
  void Next() { ++depth; }
};
/// A search without levels, which may run asynchronously. Some reached vertices send nothing.
struct ReachSome {
  using Monoid = Any<VertexId>;
  View<uint32_t> reached;
  View<uint64_t> any;
  View<const uint64_t> gate;
  VertexId Emit(VertexId u) const { return u; }
  bool Cond(VertexId v) const { return reached[v] == 0; }
  bool Apply(VertexId v, VertexId u) {
    reached[v] = 1;
    any[v] = u + uint64_t{1};
    return gate[v] % 4 != 0;
  }
};
/// The same search with buckets. The priorities never change.
struct ReachInOrder {
  using Monoid = Any<VertexId>;
  View<uint32_t> reached;
  View<uint64_t> any;
  View<const uint64_t> key;
  VertexId Emit(VertexId u) const { return u; }
  bool Cond(VertexId v) const { return reached[v] == 0; }
  bool Apply(VertexId v, VertexId u) {
    reached[v] = 1;
    any[v] = u + uint64_t{1};
    return true;
  }
  double Priority(VertexId v) const { return static_cast<double>(key[v] % 10) - 4; }
};
/// Each vertex takes a message in every pass, except some vertices that take none.
struct TakeInEachPass {
  using Monoid = Any<uint64_t>;
  View<uint64_t> count;
  View<const uint64_t> gate;
  uint64_t pass;
  uint64_t Emit(VertexId) const { return 1; }
  bool Cond(VertexId v) const { return gate[v] % 5 != 2; }
  bool Apply(VertexId v, uint64_t one) {
    count[v] = count[v] * 2 + one + pass;
    return gate[v] % 3 != 0;
  }
  void Next() { ++pass; }
};

/// The same without Cond: every vertex takes a message.
struct TakeFreely {
  using Monoid = Any<uint64_t>;
  View<uint64_t> count;
  View<const uint64_t> gate;
  uint64_t pass;
  uint64_t Emit(VertexId) const { return 2; }
  bool Apply(VertexId v, uint64_t two) {
    count[v] = count[v] * 2 + two + pass;
    return gate[v] % 3 != 1;
  }
  void Next() { ++pass; }
};

struct FirstPrograms {
  explicit FirstPrograms(State& state, Directions directions)
      : programs(state, directions), more(state, directions) {}
  Programs<TakeAny, TakeAnySimple, TakeAnyWide, SearchFrom, ReachSome, ReachInOrder, TakeInEachPass>
      programs;
  Programs<TakeFreely> more;
};

}  // namespace edgemill::model

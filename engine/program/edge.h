// An edge as programs and visitors see it.
#pragma once

#include <cstdint>
#include <type_traits>

#include "common/types.h"
#include "kernels/weight.h"

namespace edgemill {

/// A stored edge, from its source to its target, by internal ids. In an operator, an edge goes the
/// way of its message, from the vertex that emits: with Directions::kIn, from the target.
struct Edge {
  VertexId from;
  VertexId to;
};

/// An edge with its weight. W: int32_t, float or double. Operators convert the stored weights; in a
/// graph without weights, all weights are 1.
template <typename W>
struct WeightedEdge : Edge {
  using Weight = W;
  W weight;
};

namespace internal {

template <typename F>
constexpr auto WeightAskedBy() {
  if constexpr (std::is_invocable_v<F&, Edge>) {
    return NoWeight{};
  } else if constexpr (std::is_invocable_v<F&, WeightedEdge<int32_t>>) {
    return int32_t{};
  } else if constexpr (std::is_invocable_v<F&, WeightedEdge<float>>) {
    return float{};
  } else if constexpr (std::is_invocable_v<F&, WeightedEdge<double>>) {
    return double{};
  } else {
    return NoWeight{};
  }
}

}  // namespace internal

/// The type of weights that a function on edges takes: the first type in the order above with which
/// it can be called. NoWeight where it takes an Edge, or no edge at all.
template <typename F>
using WeightOfEdges = decltype(internal::WeightAskedBy<F>());

}  // namespace edgemill

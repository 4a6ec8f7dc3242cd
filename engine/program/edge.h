// An edge as programs and visitors see it.
#pragma once

#include <cstdint>
#include <type_traits>

#include "common/types.h"
#include "kernels/weight.h"

namespace edgemill {

/// A stored edge, from its source to its target, by internal ids; in an operator the way that a
/// message goes, from the vertex that emits it: with Directions::kIn from the target.
struct Edge {
  VertexId from;
  VertexId to;
};

/// The same with the weight of the edge. W: int32_t, float or double. Operators convert what the
/// graph stores; a graph without weights has 1 everywhere.
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

/// The weights that a function on edges takes: those of the first type in the order above with
/// which it can be called. NoWeight where it takes an Edge, or no edge at all.
template <typename F>
using WeightOfEdges = decltype(internal::WeightAskedBy<F>());

}  // namespace edgemill

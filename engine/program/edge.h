// An edge as programs and visitors see it.
#pragma once

#include "common/types.h"

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

}  // namespace edgemill

// A forest of vertices that many threads join at once: parent[v] <= v, so that a tree's root is its
// least member. For host and device.
#pragma once

#include "common/types.h"
#include "kernels/device.h"

namespace edgemill {

/// Joins the trees of `a` and `b`. Thread-safe and lock-free (Afforest's link).
EM_HOST_DEVICE inline void LinkTrees(VertexId* parent, VertexId a, VertexId b) {
  VertexId x = LoadRelaxed(&parent[a]);
  VertexId y = LoadRelaxed(&parent[b]);
  while (x != y) {
    const VertexId high = x < y ? y : x;
    const VertexId low = x < y ? x : y;
    const VertexId above = LoadRelaxed(&parent[high]);
    if (above == low) return;
    if (above == high && AtomicReplace(&parent[high], high, low)) return;
    x = LoadRelaxed(&parent[LoadRelaxed(&parent[high])]);
    y = LoadRelaxed(&parent[low]);
  }
}

/// Points `vertex` at its root, while others do the same for theirs.
EM_HOST_DEVICE inline void PointAtRoot(VertexId* parent, VertexId vertex) {
  VertexId above = LoadRelaxed(&parent[vertex]);
  for (VertexId next; (next = LoadRelaxed(&parent[above])) != above;) above = next;
  StoreRelaxed(&parent[vertex], above);
}

}  // namespace edgemill

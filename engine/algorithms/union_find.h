// A forest of vertices that many threads join at once: parent[v] <= v, so that a tree's root is its
// least member. For host and device.
#pragma once

#include <algorithm>

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
    if (above != high && x != above) StoreRelaxed(&parent[high], x);  // halves the path
    y = LoadRelaxed(&parent[low]);
  }
}

/// Where the search for a root has come, and the vertex below, whose path is halved next.
struct Climber {
  explicit Climber(VertexId vertex) : below(vertex), at(vertex) {}
  VertexId below;
  VertexId at;
};

/// One step of LinkTrees, with one read of memory that is likely to be waited for: for those who
/// join many trees, and take a step for each in turn. True when the trees are one.
inline bool LinkStep(VertexId* parent, Climber* a, Climber* b) {
  if (a->at == b->at) return true;
  Climber& high = *(a->at < b->at ? b : a);
  const VertexId low = std::min(a->at, b->at);
  const VertexId above = LoadRelaxed(&parent[high.at]);
  if (above == low) return true;
  if (above == high.at) return AtomicReplace(&parent[above], above, low);
  if (high.below != high.at) StoreRelaxed(&parent[high.below], above);
  high.below = high.at;
  high.at = above;
  Prefetch(&parent[above]);
  return false;
}

/// The root of the tree of `vertex`, at the time of looking.
EM_HOST_DEVICE inline VertexId RootOf(const VertexId* parent, VertexId vertex) {
  VertexId above = LoadRelaxed(&parent[vertex]);
  for (VertexId next; (next = LoadRelaxed(&parent[above])) != above;) above = next;
  return above;
}

/// Points `vertex` at its root, and returns that, while others do the same for theirs.
EM_HOST_DEVICE inline VertexId PointAtRoot(VertexId* parent, VertexId vertex) {
  const VertexId root = RootOf(parent, vertex);
  StoreRelaxed(&parent[vertex], root);
  return root;
}

}  // namespace edgemill

// A forest of vertices that many threads join at once: parent[v] <= v, so that a tree's root is its
// least member. For host and device.
#pragma once

#include "common/types.h"
#include "kernels/portable_atomics.h"

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

/// The root of the tree of `vertex`, at the time of looking.
EM_HOST_DEVICE inline VertexId RootOf(const VertexId* parent, VertexId vertex) {
  VertexId above = LoadRelaxed(&parent[vertex]);
  for (VertexId next; (next = LoadRelaxed(&parent[above])) != above;) above = next;
  return above;
}

/// The value at `place`, now or at a time since the kernel began: a GPU reads it from its nearest
/// cache, because all threads read the same few places.
EM_HOST_DEVICE inline VertexId LoadCached(const VertexId* place) {
#if defined(__CUDA_ARCH__)
  return __ldca(place);
#else
  return LoadRelaxed(place);
#endif
}

/// The root of a forest where each vertex hangs below a neighbour of highest rank other than
/// itself. The two at the top hang below each other: the lesser of them is the root. Stops at `end`
/// where that is met; kInvalidVertex where the root is far away.
EM_HOST_DEVICE inline VertexId RootOfHung(const VertexId* parent, VertexId vertex,
                                          VertexId end = kInvalidVertex) {
  constexpr int kMaxHops = 32;
  VertexId below = vertex;
  VertexId above = LoadCached(&parent[vertex]);
  for (int hops = 0; hops < kMaxHops; ++hops) {
    if (above == end) return above;
    const VertexId next = LoadCached(&parent[above]);
    if (next == above) return above;
    if (next == below) return below < above ? below : above;
    below = above;
    above = next;
  }
  return kInvalidVertex;
}

/// Points `vertex` at its root, and returns that, while others do the same for theirs.
EM_HOST_DEVICE inline VertexId PointAtRoot(VertexId* parent, VertexId vertex) {
  const VertexId root = RootOf(parent, vertex);
  StoreRelaxed(&parent[vertex], root);
  return root;
}

}  // namespace edgemill

// A forest of vertices whose trees many threads join at the same time: parent[v] <= v, so that a
// tree's root is its least member. For host and device.
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

/// The root of the tree of `vertex`, at the time of the call.
EM_HOST_DEVICE inline VertexId RootOf(const VertexId* parent, VertexId vertex) {
  VertexId above = LoadRelaxed(&parent[vertex]);
  for (VertexId next; (next = LoadRelaxed(&parent[above])) != above;) above = next;
  return above;
}

/// The value at `place`. On a GPU it may be as old as the kernel's start: the value is read from
/// the nearest cache, because all threads read the same few places.
EM_HOST_DEVICE inline VertexId LoadCached(const VertexId* place) {
#if defined(__CUDA_ARCH__)
  return __ldca(place);
#else
  return LoadRelaxed(place);
#endif
}

/// The root of `vertex` in a forest where each vertex hangs below another one, its neighbour of
/// highest rank. The two vertices at the top hang below each other: the lesser one is the root.
/// Returns `end` where the path meets it; kInvalidVertex where the path is too long.
EM_HOST_DEVICE inline VertexId RootByHighestNeighbor(const VertexId* parent, VertexId vertex,
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

/// Points `vertex` at its root, and returns the root. Other threads may do this for other vertices.
EM_HOST_DEVICE inline VertexId PointAtRoot(VertexId* parent, VertexId vertex) {
  const VertexId root = RootOf(parent, vertex);
  StoreRelaxed(&parent[vertex], root);
  return root;
}

}  // namespace edgemill

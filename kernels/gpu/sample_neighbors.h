// Samples one neighbour of each vertex, for programs in which a vertex needs only one active
// neighbour. The neighbour of highest degree is the likeliest to be active early. Testing this
// neighbour reads 4 bytes in place of a list.
#pragma once

#include <cstdint>

#include "kernels/gpu/device_edges.h"

struct CUstream_st;  // CUDA's stream

namespace edgemill {

/// The sampled neighbours of one direction's lists, on a GPU. The sets have a bit for each vertex,
/// in 32-bit words.
struct DeviceSampledNeighbors {
  /// The neighbour of highest degree in these lists, without the vertex itself. Among equal
  /// degrees, the neighbour of least id. A vertex that has only loops has itself. A vertex without
  /// edges has kInvalidVertex.
  VertexId* neighbor = nullptr;
  uint32_t* has_one = nullptr;   // vertices with an edge
  uint32_t* has_more = nullptr;  // vertices with more than one edge
};

/// Samples neighbours from the lists that `source` visits. Several calls, in any order, may visit
/// parts of the lists. Before the first call, all of `neighbor` must be kInvalidVertex.
/// `by_degree`: greater ids have lower degrees. Unless `headers` is null, copies the headers of the
/// groups there, by group number.
void LaunchSampleNeighbors(const DeviceEdges& edges, const TileSelection& source, bool by_degree,
                           VertexId* neighbor, uint64_t* headers, uint32_t* damaged,
                           uint32_t num_thread_blocks, CUstream_st* stream);
/// Call this after all lists were visited. Completes `sampled`.
void LaunchSampledSets(const VertexIndexView& index, const DeviceSampledNeighbors& sampled,
                       CUstream_st* stream);

}  // namespace edgemill

// A neighbour a vertex is sampled: where one active neighbour is all that a vertex wants, the one
// of highest degree is the likeliest to be active early. To test it takes 4 bytes in place of a
// list.
#pragma once

#include <cstdint>

#include "kernels/gpu/device_edges.h"

struct CUstream_st;  // CUDA's stream

namespace edgemill {

/// The sampled neighbours of one direction's lists, on a GPU. The sets have a bit a vertex, in
/// 32-bit words.
struct DeviceSampledNeighbors {
  /// The neighbour of highest degree in these lists but for the vertex itself, and of those the one
  /// of least id; the vertex where it has loops alone, kInvalidVertex where it has no edges.
  VertexId* neighbor = nullptr;
  uint32_t* has_one = nullptr;   // whose lists have an edge
  uint32_t* has_more = nullptr;  // whose have more than one
};

/// Keeps neighbours out of the lists that `source` visits: in any order, and in parts. All of
/// `neighbor` was kInvalidVertex before. `by_degree`: the greater the id, the less the degree.
/// Copies the headers of the groups to `headers`, by number, unless it is null.
void LaunchSampleNeighbors(const DeviceEdges& edges, const RunSource& source, bool by_degree,
                           VertexId* neighbor, uint64_t* headers, uint32_t* damaged,
                           uint32_t num_thread_blocks, CUstream_st* stream);
/// Completes `sampled` once all lists were visited.
void LaunchSampledSets(const VertexIndexView& index, const DeviceSampledNeighbors& sampled,
                       CUstream_st* stream);

}  // namespace edgemill

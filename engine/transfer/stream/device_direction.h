// One direction on the GPU: the index, the wanted groups and warp tiles of a pass, and where blocks
// are.
#pragma once

#include <cstdint>

#include "engine/device/gpu.h"
#include "engine/graph/loaded_graph.h"
#include "engine/plan/direction_arrays.h"
#include "kernels/gpu/device_edges.h"
#include "kernels/gpu/edge_kernels.h"

namespace edgemill {

/// Has pointers into an arena, and does not own the memory.
class DeviceDirection {
 public:
  DeviceDirection() = default;
  DeviceDirection(const DeviceDirection&) = delete;
  DeviceDirection& operator=(const DeviceDirection&) = delete;

  /// Queues the upload of `direction`'s index to `arrays`, which must be allocated. Finds the
  /// source vertex at the start of each warp tile. The host's index must stay until the stream is
  /// done.
  Status Upload(const LoadedGraph& graph, Direction direction, const DirectionArrays& arrays,
                Gpu& gpu, GpuStream& stream);

  const DeviceEdges& edges() const { return edges_; }
  uint32_t* groups() const { return arrays_.groups; }
  uint64_t group_bytes() const { return (edges_.num_groups() + 31) / 32 * 4; }
  uint32_t* tiles() const { return arrays_.tiles; }
  uint32_t* num_listed_tiles() const { return arrays_.num_listed_tiles; }
  uint32_t* block_counts() const { return arrays_.block_counts; }
  DeviceBlock* blocks() const { return arrays_.blocks; }
  uint32_t* resident() const { return arrays_.resident; }

 private:
  DeviceEdges edges_;
  DirectionArrays arrays_;
};

}  // namespace edgemill

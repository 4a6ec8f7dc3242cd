#include "engine/transfer/stream/device_direction.h"

#include "common/check.h"

namespace edgemill {

Status DeviceDirection::Upload(const LoadedGraph& graph, Direction direction,
                               const DirectionArrays& arrays, Gpu& gpu, GpuStream& stream) {
  CHECK(arrays.planned);
  const VertexIndexView host = graph.index(direction);
  arrays_ = arrays;
  edges_ = DeviceEdgesOf(graph.info());
  edges_.weights = graph.info().weights;
  edges_.index = host;
  edges_.index.low = arrays.low;
  edges_.index.crossings = arrays.crossings;
  edges_.tile_source = arrays.tile_sources;
  edges_.blocks = arrays.blocks;
  RETURN_IF_ERROR(stream.CopyToDevice(arrays.low, host.low,
                                      (uint64_t{host.num_vertices} + 1) * sizeof(*host.low)));
  if (host.num_crossings > 0) {
    RETURN_IF_ERROR(stream.CopyToDevice(arrays.crossings, host.crossings,
                                        host.num_crossings * sizeof(*host.crossings)));
  }
  if (edges_.num_edges == 0) return OkStatus();
  RETURN_IF_ERROR(stream.Fill(arrays.blocks, 0, edges_.num_blocks() * sizeof(*arrays.blocks)));
  LaunchTileSources(edges_, arrays.tile_sources, stream.handle());
  return gpu.AfterLaunch("find the sources of tiles");
}

}  // namespace edgemill

// One direction's index on the card, and what an iteration keeps account of there: which groups
// matter, which runs, and where blocks are.
#pragma once

#include <cstdint>

#include "engine/gpu/device_arena.h"
#include "engine/gpu/gpu.h"
#include "engine/loaded_graph.h"
#include "kernels/device_edges.h"
#include "kernels/edge_kernels.h"

namespace edgemill {

/// Plain pointers into an arena; does not own. Must stay where it is from Plan to Allocate.
class DeviceDirection {
 public:
  DeviceDirection() = default;
  DeviceDirection(const DeviceDirection&) = delete;
  DeviceDirection& operator=(const DeviceDirection&) = delete;

  /// Plans the arrays: 4 bytes a vertex; for 2,048 edges, 8 bytes of runs and 2 of groups; 20 bytes
  /// a block. `with_groups` is whether iterations choose groups. UsageError for a graph of more
  /// edges than runs can be counted.
  Status Plan(const LoadedGraph& graph, Direction direction, bool with_groups, DeviceArena* arena);
  /// Queues the upload of the index, and finds the owners of runs. The host's index must stay until
  /// the stream is done.
  Status Upload(Gpu& gpu, GpuStream& stream);

  bool planned() const { return planned_; }
  const DeviceEdges& edges() const { return edges_; }
  /// The host's index that this one is a copy of.
  const VertexIndexView& host_index() const { return host_index_; }
  uint32_t* groups() const { return groups_; }
  uint64_t group_bytes() const { return (edges_.num_groups() + 31) / 32 * 4; }
  uint32_t* runs() const { return runs_; }
  uint32_t* num_runs() const { return num_runs_; }
  uint32_t* block_counts() const { return block_counts_; }
  DeviceBlock* blocks() const { return blocks_; }

 private:
  bool planned_ = false;
  VertexIndexView host_index_;
  DeviceEdges edges_;
  uint32_t* low_ = nullptr;
  VertexId* crossings_ = nullptr;
  VertexId* run_owners_ = nullptr;
  DeviceBlock* blocks_ = nullptr;
  uint32_t* groups_ = nullptr;
  uint32_t* runs_ = nullptr;
  uint32_t* num_runs_ = nullptr;
  uint32_t* block_counts_ = nullptr;
};

}  // namespace edgemill

// The directions of a graph, as passes on a GPU read them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/gpu/program/pass_args.h"
#include "engine/gpu/workspace/pass_arrays.h"
#include "engine/program/arrays/on_device.h"
#include "engine/transfer/stream/device_direction.h"

namespace edgemill {

/// Indexes on the GPU, and what an iteration keeps account of there. In an undirected graph both
/// directions are one.
class DeviceDirections {
 public:
  /// Both must outlive it. The arrays must be planned, and be allocated when their directions are
  /// read.
  DeviceDirections(const LoadedGraph& graph, const PassArrays& arrays)
      : graph_(graph), arrays_(arrays) {}

  /// Queues the upload of the indexes.
  Status Upload(Gpu& gpu, GpuStream& stream);
  std::span<DeviceDirection> all() { return directions_; }
  DeviceDirection& of(Direction direction) { return directions_[Side(direction)]; }
  const DeviceEdges& edges(Direction direction) const {
    return directions_[Side(direction)].edges();
  }
  bool has_index(Direction direction) const { return arrays_.directions[Side(direction)].planned; }
  /// Indexes of the host, and where they are on the GPU.
  std::vector<IndexCopy> IndexCopies() const;
  /// Where passes over a direction note damaged blocks.
  uint32_t* damaged(Direction direction) const {
    return arrays_.counters->damaged + Side(direction);
  }
  /// The BadDataError of such a block.
  Status Damaged(Direction direction, uint32_t block) const;
  /// The same where passes noted one.
  Status CheckDamaged(const PassCounters& counters) const;

 private:
  size_t Side(Direction direction) const {
    return graph_.info().directed ? static_cast<size_t>(direction) : 0;
  }

  const LoadedGraph& graph_;
  const PassArrays& arrays_;
  std::array<DeviceDirection, 2> directions_;
};

}  // namespace edgemill

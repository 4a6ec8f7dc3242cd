// What passes on a GPU read of the directions of a graph.
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

/// The indexes on the GPU, and the arrays in which a pass marks groups and blocks. In an undirected
/// graph both directions are one.
class DeviceDirections {
 public:
  /// Both arguments must outlive it. The arrays must be planned and allocated before Upload.
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
  /// Returns the host's indexes, each with its copy on the GPU.
  std::vector<IndexCopy> IndexCopies() const;
  /// The place on the GPU where passes over a direction note a damaged block.
  uint32_t* damaged(Direction direction) const {
    return arrays_.counters->damaged + Side(direction);
  }
  /// Returns the BadDataError for a damaged block.
  Status Damaged(Direction direction, uint32_t block) const;
  /// Returns Damaged's error if passes noted a damaged block.
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

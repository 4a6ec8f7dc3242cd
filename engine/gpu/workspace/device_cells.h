// Makes the cells of a direction's lists on a GPU (kernels/gpu/cells/edge_cells.h), and owns them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/status.h"
#include "engine/cost/cell_forecast.h"
#include "engine/device/gpu.h"
#include "engine/graph/direction.h"
#include "engine/program/sets/vertex_range.h"
#include "kernels/gpu/cells/edge_cells.h"

namespace edgemill {

class GpuWorkspace;

/// Counts the lists of a direction by length, on the GPU. Waits.
StatusOr<LengthCounts> CountLengths(GpuWorkspace& workspace, Direction lists);

/// Shares tiles out among `num_shares` thread blocks. `range_begin` has the first tile of each
/// sender range, and the end. Returns the first tile of each share, a multiple of kWarpTiles, and
/// the end. To load a range's messages counts as some tiles.
std::vector<uint32_t> ShareCellTiles(std::span<const uint32_t> range_begin, uint32_t num_shares);

/// Does not change once it is made. Messages and partials are for one pass at a time.
class DeviceCells {
 public:
  /// Returns the most bytes that Create has allocated at a time.
  static uint64_t MostBytes(const CellShape& shape);
  /// Reads the lists of the vertices in `owners`, each once, and waits. `workspace` must outlive
  /// the cells. Errors: BadDataError for a damaged block; BudgetError, GpuError and the errors of
  /// GpuWorkspace::RunPass.
  static StatusOr<std::unique_ptr<DeviceCells>> Create(GpuWorkspace& workspace, Direction lists,
                                                       const VertexRange& owners);

  const EdgeCells& edges() const { return edges_; }
  std::byte* messages() const { return messages_; }  // one for each vertex
  std::byte* partials() const { return partials_; }  // one for each part
  /// Thread blocks of the combine step, and of the take step.
  uint32_t num_shares() const { return num_shares_; }
  uint32_t num_take_blocks() const;

 private:
  friend class CellMaker;
  DeviceCells() = default;

  EdgeCells edges_;
  std::byte* messages_ = nullptr;
  std::byte* partials_ = nullptr;
  uint64_t num_parts_ = 0;
  uint32_t num_shares_ = 0;
  std::vector<DeviceBuffer> memory_;
};

}  // namespace edgemill

// What passes learn of neighbours for later passes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "common/buffer.h"
#include "common/os/memory_budget.h"
#include "common/status.h"
#include "engine/graph/graph_blocks.h"
#include "engine/graph/sampled_neighbors.h"

namespace edgemill {

/// The memory of one graph. One thread sets and clears it between visits of blocks; threads of a
/// visit read it.
class NeighborMemory {
 public:
  /// All arguments must outlive it.
  NeighborMemory(const GraphContext& context, const GraphIndexes& indexes, GraphBlocks& blocks)
      : context_(context), indexes_(indexes), blocks_(blocks) {}

  /// Sets the memory for sampled neighbours, and whether later passes read lists from disk. Call it
  /// before any neighbour is sampled.
  void SetSpare(uint64_t bytes, bool from_disk);
  /// Makes pulls sample a neighbour of each vertex, if there is spare memory. Where ids are by
  /// degree, pulls sample the first one; else the choice depends on where lists are read from.
  Status SampleNeighbors(Direction direction);
  /// Whether pulls sample neighbours from lists that are read from disk.
  bool samples_from_disk() const;
  /// The sampled neighbours; null unless pulls sample them.
  SampledNeighbors* sampled_neighbors(Direction direction);

  /// Finds the last neighbour of each block, by one pass over all blocks, where the graph has
  /// duplicate edges and they are not known yet. For programs that count duplicate edges once.
  /// Reserves LastNeighborsBytes in the budget for each direction.
  Status FindLastNeighbors(Direction direction);
  /// 4 bytes a block of a graph with duplicate edges.
  static uint64_t LastNeighborsBytes(const GraphInfo& info);
  /// The last neighbour in the block before `block`: whether the first one in `block` is its
  /// duplicate. kInvalidVertex where there is none, or none is kept.
  VertexId LastNeighborBefore(Direction direction, uint64_t block) const {
    const Array<VertexId>& last = last_[SideOf(info(), direction)].of_blocks;
    return last.empty() || block == 0 ? kInvalidVertex : last[block - 1];
  }

  /// Gives all memory back.
  void Clear();

 private:
  struct LastNeighbors {
    MemoryReservation reservation;
    Array<VertexId> of_blocks;  // empty until they are known
  };

  const GraphInfo& info() const { return context_.store.info(); }

  const GraphContext context_;
  const GraphIndexes& indexes_;
  GraphBlocks& blocks_;
  uint64_t spare_bytes_ = 0;
  bool from_disk_ = false;
  std::array<std::optional<SampledNeighbors>, 2> sampled_;  // by side
  std::array<LastNeighbors, 2> last_;                       // by side
};

}  // namespace edgemill

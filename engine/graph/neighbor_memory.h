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

/// One graph's. One thread keeps and clears, between visits of blocks; threads of a visit read.
class NeighborMemory {
 public:
  /// All must outlive it.
  NeighborMemory(const GraphContext& context, const GraphIndexes& indexes, GraphBlocks& blocks)
      : context_(context), indexes_(indexes), blocks_(blocks) {}

  /// Memory for sampled neighbours, and whether later passes read lists from disk. Before any is
  /// sampled.
  void SetSpare(uint64_t bytes, bool from_disk);
  /// Makes pulls sample a neighbour of each vertex, where there is spare memory for them:
  /// the first where ids are by degree, else by where lists are read from.
  Status SampleNeighbors(Direction direction);
  /// Whether it does so of lists that are read from disk.
  bool samples_from_disk() const;
  /// Null unless they are sampled.
  SampledNeighbors* sampled_neighbors(Direction direction);

  /// Finds the last neighbour of each block, by one pass over all, where the graph has duplicate
  /// edges and it is not known yet. For programs that count these once. Within the budget:
  /// LastNeighborsBytes for each direction.
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

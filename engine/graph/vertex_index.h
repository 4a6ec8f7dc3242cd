// Where each vertex's list starts, exact beyond 2^32 edges, and which vertices have edges. Takes 4
// bytes and a bit a vertex, and 4 bytes a block.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/buffer.h"
#include "common/os/memory_budget.h"
#include "common/progress.h"
#include "common/status.h"
#include "common/types.h"
#include "engine/graph/direction.h"
#include "kernels/vertex_index_view.h"
#include "storage/read/block_reader.h"
#include "storage/read/graph_store.h"

namespace edgemill {

/// Which of a graph's one or two sides stores the lists of `direction`: an undirected graph stores
/// one side, which serves both directions.
inline size_t SideOf(const GraphInfo& info, Direction direction) {
  return info.directed ? static_cast<size_t>(direction) : 0;
}
/// The columns that store the neighbours and the weights of `direction`.
inline ColumnKind NeighborColumn(const GraphInfo& info, Direction direction) {
  return SideOf(info, direction) == 0 ? ColumnKind::kOutNeighbors : ColumnKind::kInNeighbors;
}
inline ColumnKind WeightColumn(const GraphInfo& info, Direction direction) {
  return SideOf(info, direction) == 0 ? ColumnKind::kOutWeights : ColumnKind::kInWeights;
}
/// Whether the graph has weights, but none in the lists of `direction`: it was ingested with
/// --weights-in. A graph without edges lacks nothing.
inline bool LacksWeights(const GraphStore& store, Direction direction) {
  const GraphInfo& info = store.info();
  return info.weights != WeightType::kNone && info.num_edges > 0 &&
         !store.has(WeightColumn(info, direction));
}

/// A stored graph, and what is needed to load it and read its blocks. All must outlive the loaded
/// graph.
struct GraphContext {
  const GraphStore& store;
  BlockReader& reader;
  int threads;
  MemoryBudget& budget;
  Progress& progress;
};

/// Owns one direction's index. Immutable once loaded; thread-safe.
class VertexIndex {
 public:
  /// Bytes that one direction's index takes.
  static uint64_t SizeBytes(const GraphInfo& info) {
    return 4 * (info.num_vertices + 1) + 4 * (info.num_blocks() + 1) +
           8 * ((info.num_vertices + 63) / 64);
  }

  /// Reads the offsets column of `direction` into memory reserved in the budget, and checks it: it
  /// never falls, starts at 0 and ends at the number of edges. BadDataError otherwise. Advances the
  /// progress by the number of vertices, plus 1.
  static StatusOr<VertexIndex> Load(const GraphContext& context, Direction direction);

  VertexIndexView view() const {
    return {low_.data(), crossings_.data(), static_cast<uint32_t>(crossings_.size()),
            static_cast<VertexId>(low_.size() - 1)};
  }
  /// The first vertex whose list starts in block `block` or after it: the number of vertices where
  /// there is none, and for the block after the last.
  VertexId FirstOfBlock(uint64_t block) const { return block_firsts_[block]; }
  /// Which of the vertices 64 * word + i, i < 64, have edges: bits i.
  uint64_t HaveEdges(uint64_t word) const { return have_edges_[word]; }

 private:
  /// Decodes every block of `column` into low_.
  Status ReadOffsets(const GraphContext& context, ColumnKind column);
  Status Check(EdgeIndex num_edges, int threads) const;

  MemoryReservation reservation_;
  Array<uint32_t> low_;
  std::vector<VertexId> crossings_;
  Array<VertexId> block_firsts_;
  Array<uint64_t> have_edges_;
};

/// An error that names a block whose contents cannot be right although its checksum is.
Status DamagedBlock(const GraphStore& store, ColumnKind column, uint64_t block,
                    std::string_view what);

}  // namespace edgemill

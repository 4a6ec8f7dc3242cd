// A graph that is ready for runs: its indexes are in memory, its blocks can be read.
#pragma once

#include <cstdint>
#include <memory>

#include "common/os/memory_budget.h"
#include "common/progress.h"
#include "common/status.h"
#include "engine/graph/decode_scratch.h"
#include "engine/graph/graph_blocks.h"
#include "engine/graph/graph_indexes.h"
#include "engine/graph/neighbor_memory.h"
#include "storage/read/block_reader.h"
#include "storage/read/graph_store.h"

namespace edgemill {

/// One graph, its indexes and its reader, which do not change. Beside them it has what passes use:
/// streams of its blocks, what passes learn of neighbours, and memory to decode blocks.
class LoadedGraph {
 public:
  /// Reads the indexes that `needs` names. One index of an undirected graph serves both directions.
  /// UsageError when the graph lacks the columns.
  static StatusOr<std::unique_ptr<LoadedGraph>> Load(const GraphContext& context,
                                                     const GraphNeeds& needs);
  LoadedGraph(const LoadedGraph&) = delete;
  LoadedGraph& operator=(const LoadedGraph&) = delete;

  const GraphStore& store() const { return context_.store; }
  const GraphInfo& info() const { return context_.store.info(); }
  BlockReader& reader() { return context_.reader; }
  MemoryBudget& budget() { return context_.budget; }
  Progress& progress() { return context_.progress; }
  int threads() const { return context_.threads; }
  uint64_t num_vertices() const { return info().num_vertices; }
  EdgeIndex num_edges() const { return info().num_edges; }
  uint64_t num_blocks() const { return num_blocks_; }
  /// The column with this direction's neighbours; out-neighbours for both of an undirected graph.
  ColumnKind neighbors(Direction direction) const { return NeighborColumn(info(), direction); }
  ColumnKind weights(Direction direction) const { return WeightColumn(info(), direction); }
  bool has_index(Direction direction) const { return indexes_.has(direction); }
  VertexIndexView index(Direction direction) const { return indexes_.view(direction); }
  /// Whether the lists of this direction can be read: index and neighbours are there.
  bool has_lists(Direction direction) const {
    return has_index(direction) && (num_edges() == 0 || store().has(neighbors(direction)));
  }

  const GraphIndexes& indexes() const { return indexes_; }
  GraphBlocks& blocks() { return blocks_; }
  NeighborMemory& neighbor_memory() { return neighbor_memory_; }
  DecodeScratch& decode_scratch() { return decode_scratch_; }
  /// Gives back all memory except that of these indexes, which keep their degrees. No pass may
  /// follow.
  void ReleaseAllButDegrees(bool out, bool in);

 private:
  explicit LoadedGraph(const GraphContext& context);

  const GraphContext context_;
  const uint64_t num_blocks_;
  GraphIndexes indexes_;
  GraphBlocks blocks_;
  NeighborMemory neighbor_memory_;
  DecodeScratch decode_scratch_;
};

}  // namespace edgemill

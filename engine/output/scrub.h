// Reads and checks every block of a graph.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/clock.h"
#include "common/os/memory_budget.h"
#include "common/progress.h"
#include "common/status.h"
#include "engine/graph/vertex_index.h"
#include "engine/output/block_check.h"
#include "engine/output/scrub_state.h"
#include "storage/read/block_reader.h"
#include "storage/read/graph_store.h"

namespace edgemill {

/// Checks all columns of an open graph, in order, block by block on several threads. The reader
/// checks checksums and identities, CheckPayload checks bounds and order. Scrub also checks the
/// order across block borders, the counts of the catalog, and every name. It checks that out- and
/// in-columns hold the same edges.
class Scrub {
 public:
  /// The most memory that a scrub takes beside `store` and reader: one direction's index.
  static uint64_t MemoryBytes(const GraphStore& store);

  /// `state_path` is where progress is saved every few seconds; empty: it is not saved. The scrub
  /// continues from `state`.
  Scrub(const GraphContext& context, std::string state_path, ScrubState state);

  /// Runs to the end. Ok also when faults were found: state() has them. Returns errors that prevent
  /// checking: CancelledError (the state is saved), BudgetError for the index.
  Status Run();

  /// Adds a fault when the graph directory's identity file is missing or damaged. Called after Run,
  /// because this fault has no place in a column. Returns an error where the file cannot be read.
  Status CheckIdentity();

  const ScrubState& state() const { return state_; }

 private:
  Status CheckColumn(ColumnKind column);
  Status CheckBatch(ColumnKind column, uint64_t begin, uint64_t end);
  Status CheckStream(ColumnKind column, uint64_t begin, uint64_t end);
  StatusOr<BlockFacts> CheckAlone(ColumnKind column, uint64_t block);
  void Fold(ColumnKind column, uint64_t block);
  void FinishColumn(ColumnKind column);
  void CheckNeighborSums(ColumnKind column);
  /// Decodes all names, once both columns have been read.
  Status CheckNames();
  Status LoadIndex(ColumnKind column);
  Status SaveState(bool now);

  const GraphContext context_;
  const std::string state_path_;
  ScrubState state_;
  Stopwatch since_saved_;
  bool offsets_good_ = true;  // offsets of the direction under way
  std::optional<VertexIndex> index_;
  std::vector<std::optional<BlockFacts>> facts_;  // for the batch under way
};

}  // namespace edgemill

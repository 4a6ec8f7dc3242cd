// Reading and checking every block of a graph.
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

/// Checks all columns of an open graph, in order, block by block on several threads. Checks
/// checksums and identities (by the reader), bounds and order (CheckPayload), and order over block
/// borders. Also checks counts against the catalog, that out- and in-columns hold the same edges,
/// and every name.
class Scrub {
 public:
  /// What a scrub takes in memory beside `store` and reader, at most: one direction's index.
  static uint64_t MemoryBytes(const GraphStore& store);

  /// `state_path` is where progress is saved every few seconds; empty: nowhere. Goes on from
  /// `state`.
  Scrub(const GraphContext& context, std::string state_path, ScrubState state);

  /// Runs to the end. Ok also when faults were found: they are in state(). Errors are those that
  /// keep it from checking: CancelledError (the state is saved), BudgetError for the index.
  Status Run();

  /// Adds a fault when the graph directory's identity file is missing or damaged. Called after Run,
  /// because this fault has no place in a column. An error where the file cannot be looked at.
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
  bool offsets_good_ = true;  // of the direction under way
  std::optional<VertexIndex> index_;
  std::vector<std::optional<BlockFacts>> facts_;  // of the batch under way
};

}  // namespace edgemill

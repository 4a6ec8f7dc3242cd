// How ingest divides its memory.
#pragma once

#include <cstdint>

#include "common/memory_budget.h"
#include "common/status.h"
#include "loaders/options/ingest_options.h"
#include "loaders/source/edge_source.h"

namespace edgemill {

/// What the passes may use. All bytes are part of the budget.
struct IngestPlan {
  int threads = 1;
  int sort_workers = 1;       // one more than threads where memory allows, so that reading overlaps
  uint64_t writer_bytes = 0;  // blocks on their way to disk
  uint64_t available_bytes = 0;  // all of what follows
  uint64_t id_set_bytes = 0;     // for each set of ids seen
  uint64_t spill_bytes = 0;      // pages on their way to temporary files
  uint64_t room_bytes = 0;       // available_bytes less ids and pages: what passes share in turn
  uint64_t chunk_bytes = 0;      // for all threads' chunks
  uint64_t max_sort_edges = 0;   // of a bucket
  uint64_t bucket_edges = 0;     // what buckets are cut for
  size_t max_streams = 0;        // spill streams open at once
  /// Blocks that each sort worker may hold until its turn to append.
  size_t max_waiting_blocks = 1;
  // What max_sort_edges is made of.
  uint64_t sort_bytes = 0;        // for all sort workers
  uint64_t sort_edge_bytes = 16;  // of one edge that is sorted
  uint64_t block_bytes = 0;       // of a block that is encoded
  uint64_t block_edges = 0;

  /// For the blocks of a sort worker, of which `waiting_blocks` wait for their turn.
  uint64_t EncodeBytes(size_t waiting_blocks) const;
  /// What one worker needs at the least.
  uint64_t LeastSortBytes() const;
  /// Divides sort_bytes among `workers`; false when that is too little for one. Sets the members
  /// that depend on it.
  bool SetSortWorkers(int workers, const IngestOptions& options);
  /// Bytes of a page when `streams` are being written.
  uint64_t PageBytes(size_t streams) const;
};

/// What is known of an input that decides how much memory its ingest takes.
struct IngestNeeds {
  bool weighted = false;
  int num_id_sets = 0;
  uint64_t renumbering_bytes = 0;
};

/// Plans for `options` on what `budget` has left. BudgetError with the least workable --memory when
/// that is too little.
StatusOr<IngestPlan> PlanIngest(const IngestOptions& options, const IngestNeeds& needs,
                                const MemoryBudget& budget);

}  // namespace edgemill

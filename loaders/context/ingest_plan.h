// How ingest divides its memory.
#pragma once

#include <cstdint>
#include <string_view>

#include "common/os/memory_budget.h"
#include "common/status.h"
#include "loaders/options/ingest_options.h"
#include "loaders/source/edge_source.h"
#include "loaders/spill/spill_page.h"

namespace edgemill {

/// How sorting divides its memory among workers.
struct SortPlan {
  int workers = 1;           // one more than threads where memory allows, so that reading overlaps
  uint64_t bytes = 0;        // for all workers
  uint64_t edge_bytes = 16;  // of one edge that is sorted
  uint64_t block_bytes = 0;  // of a block that is encoded
  uint64_t block_edges = 0;
  uint64_t edges_limit = 0;  // on max_edges, by the options; 0: none
  // SetWorkers decides the rest.
  uint64_t max_edges = 0;         // of a bucket
  uint64_t bucket_edges = 0;      // what buckets are cut for
  size_t max_waiting_blocks = 1;  // that each worker may hold until its turn to append

  /// For the blocks of a worker, of which `waiting_blocks` wait for their turn.
  uint64_t EncodeBytes(size_t waiting_blocks) const;
  /// What one worker needs at the least.
  uint64_t LeastBytes() const;
  /// Divides `bytes` among `workers`; false when the bytes are too few for one.
  bool SetWorkers(int workers);
};

/// How pages on their way to temporary files divide their memory.
struct PagePlan {
  uint64_t bytes = 0;        // of pages
  uint64_t table_bytes = 0;  // of page tables; more come out of the room
  size_t max_streams = 0;    // spill streams open at once
  bool may_grow = true;      // unless the options say how much they have

  /// Bytes of pages and their tables.
  uint64_t total_bytes() const { return bytes + table_bytes; }
  void SetTotal(uint64_t total);
  /// Bytes of a page when `streams` are being written.
  uint64_t PageBytes(size_t streams) const;
  /// Bytes of pages that hold `spilled` bytes in so many streams, the last page of each not full,
  /// with the spare ones.
  static uint64_t HoldingBytes(uint64_t spilled, size_t streams);
  /// Makes max_streams so small that pages are large. The page tables of `spilled` bytes of
  /// temporary files should take no more than a quarter of what pages take, as far as possible.
  /// Returns the least bytes of a page then.
  uint64_t FitTables(uint64_t spilled);
};

/// What the passes may use. All bytes are part of the budget.
struct IngestPlan {
  int threads = 1;
  uint64_t num_vertices = 0;     // where that is known before reading
  uint64_t writer_bytes = 0;     // blocks on their way to disk
  uint64_t available_bytes = 0;  // all of what follows
  uint64_t id_set_bytes = 0;     // for each set of ids seen
  /// Where vertices have names, while they are gathered: for known names.
  uint64_t name_filter_bytes = 0;
  uint64_t name_bytes = 0;   // and for new names
  uint64_t room_bytes = 0;   // available_bytes less ids and pages: what passes share in turn
  uint64_t chunk_bytes = 0;  // for all threads' chunks
  PagePlan pages;
  SortPlan sort;

  /// What must be left where pages get more memory.
  struct Rest {
    uint64_t bytes = 0;  // beside pages and before sorting
    int min_workers = 1;
    uint64_t min_bucket_edges = 1;
  };
  /// Gives pages and their tables `bytes` of the memory, of which `available` is free. Does so only
  /// if that is more than they have, and leaves what `rest` says.
  void GivePages(uint64_t bytes, const Rest& rest, uint64_t available);
  /// Gives pages enough that `bytes` stay in memory. Conditions: `beside` bytes are then left
  /// beside them, sorting has at least half its workers, and buckets are at least half as large.
  /// Otherwise pages get what sorting does not need for as many workers and buckets as large as
  /// now.
  void GrowPages(uint64_t bytes, size_t streams, uint64_t beside, uint64_t available);
};

/// What is known about an input that decides how much memory its ingest takes.
struct IngestNeeds {
  bool weighted = false;
  int num_id_sets = 0;
  bool named = false;         // vertices have names
  uint64_t input_bytes = 0;   // 0: unknown
  uint64_t num_vertices = 0;  // 0: unknown
  uint64_t renumbering_bytes = 0;
};

/// Plans for `options` on what `budget` has left. BudgetError with the least workable --memory when
/// that is too little.
StatusOr<IngestPlan> PlanIngest(const IngestOptions& options, const IngestNeeds& needs,
                                const MemoryBudget& budget);

/// BudgetError with a budget that works when `bytes`, for `what`, are more than `plan` and `budget`
/// have left.
Status CheckRoom(const IngestPlan& plan, const MemoryBudget& budget, uint64_t bytes,
                 std::string_view what);

/// Plans sorting anew, with what ids and renumbering have left of `budget`. BudgetError when that
/// is too little.
Status FitSorting(const MemoryBudget& budget, IngestPlan* plan);

/// About how many bytes a record takes in temporary files, packed: an edge between two of `num_ids`
/// ids, in one of `num_buckets` of edges.
double SpilledRecordEstimate(double num_ids, double num_buckets, SpilledWeight weight);

/// Threads, and the memory that is reserved for them.
struct ThreadMemory {
  int threads = 1;
  MemoryReservation memory;
};
/// Reserves memory for as many threads as `plan` and `budget` allow, of `each_bytes` a thread.
/// BudgetError when there is too little for one.
StatusOr<ThreadMemory> ReserveThreads(const IngestPlan& plan, MemoryBudget& budget,
                                      uint64_t each_bytes);

}  // namespace edgemill

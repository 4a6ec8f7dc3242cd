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
  int workers = 1;           // one more than threads if memory allows, to overlap reading
  uint64_t bytes = 0;        // for all workers together
  uint64_t edge_bytes = 16;  // memory to sort one edge
  uint64_t block_bytes = 0;  // memory of one encoded block
  uint64_t block_edges = 0;
  uint64_t edges_limit = 0;  // limit on max_edges, from the options; 0: none
  // SetWorkers sets the fields that follow.
  uint64_t max_edges = 0;         // the most edges of a bucket that a worker can sort
  uint64_t bucket_edges = 0;      // the number of edges that buckets should have
  size_t max_waiting_blocks = 1;  // blocks that a worker may hold until its turn to append

  /// Bytes that a worker needs to encode, when `waiting_blocks` blocks wait for their turn.
  uint64_t EncodeBytes(size_t waiting_blocks) const;
  /// The least bytes that one worker needs.
  uint64_t LeastBytes() const;
  /// Divides `bytes` among `workers`. Returns false when the share of one is too small.
  bool SetWorkers(int workers);
};

/// The memory of pages, in which temporary data is kept until it goes to files.
struct PagePlan {
  uint64_t bytes = 0;        // of pages
  uint64_t table_bytes = 0;  // of page tables; larger tables take of IngestPlan::pass_bytes
  size_t max_streams = 0;    // the most spill streams that are open at once
  bool may_grow = true;      // false if the options set the memory of pages

  /// Bytes of pages and their tables.
  uint64_t total_bytes() const { return bytes + table_bytes; }
  void SetTotal(uint64_t total);
  /// Bytes of a page when `streams` are being written.
  uint64_t PageBytes(size_t streams) const;
  /// Bytes of pages that hold `spilled` bytes in `streams` streams. They include spare pages, and
  /// the last page of each stream, which is not full.
  static uint64_t HoldingBytes(uint64_t spilled, size_t streams);
  /// Lowers max_streams, so that pages are large enough: the page tables of `spilled` bytes of
  /// temporary files should take at most a quarter of `bytes`, if possible. Returns the bytes of a
  /// page when max_streams streams are being written.
  uint64_t FitTables(uint64_t spilled);
};

/// The resources that the passes may use. All bytes are part of the budget.
struct IngestPlan {
  int threads = 1;
  uint64_t num_vertices = 0;     // 0 if it is not known before reading
  uint64_t writer_bytes = 0;     // for blocks that are not written to disk yet
  uint64_t available_bytes = 0;  // for all that follow
  uint64_t id_set_bytes = 0;     // for each set of ids seen
  /// For the filter of known names, while the names of vertices are gathered.
  uint64_t name_filter_bytes = 0;
  uint64_t name_bytes = 0;   // for new names, at the same time
  uint64_t pass_bytes = 0;   // available_bytes less ids, names and pages: each pass may use it all
  uint64_t chunk_bytes = 0;  // for the chunks of all threads, part of pass_bytes
  PagePlan pages;
  SortPlan sort;

  /// What must be left when pages get more memory.
  struct Reserve {
    uint64_t bytes = 0;  // beside pages, until sorting starts
    int min_workers = 1;
    uint64_t min_bucket_edges = 1;
  };
  /// Gives pages and their tables `bytes` of the `available` bytes of memory. Does nothing unless
  /// they had less before and `reserve` is left.
  void GivePages(uint64_t bytes, const Reserve& reserve, uint64_t available);
  /// Gives pages enough memory to hold `bytes`, on three conditions: `beside` bytes are left beside
  /// them, at least half of the sort workers are left, and buckets are at least half as large.
  /// Otherwise gives only memory that sorting does not need for its present workers and buckets.
  void GrowPages(uint64_t bytes, size_t streams, uint64_t beside, uint64_t available);
};

/// Facts about an input that decide how much memory its ingest needs.
struct IngestNeeds {
  bool weighted = false;
  int num_id_sets = 0;
  bool named = false;         // vertices have names
  uint64_t input_bytes = 0;   // 0: unknown
  uint64_t num_vertices = 0;  // 0: unknown
  uint64_t renumbering_bytes = 0;
};

/// Makes a plan for `options` within the memory that `budget` has left. If it is too little,
/// returns BudgetError with the least --memory that works.
StatusOr<IngestPlan> PlanIngest(const IngestOptions& options, const IngestNeeds& needs,
                                const MemoryBudget& budget);

/// The bytes of a budget with which PlanIngest works for any input that is not renumbered.
uint64_t LeastIngestBytes(const IngestOptions& options);

/// Returns BudgetError when `bytes`, for `what`, are more than `plan` and `budget` have left. The
/// error says which --memory works.
Status CheckMemory(const IngestPlan& plan, const MemoryBudget& budget, uint64_t bytes,
                   std::string_view what);

/// Plans sorting again, with the memory that ids and renumbering have left of `budget`. BudgetError
/// when it is too little.
Status FitSorting(const MemoryBudget& budget, IngestPlan* plan);

/// Estimates the bytes of a packed record in temporary files. There are `num_ids` ids, and the
/// edges are in `num_buckets` buckets.
double SpilledRecordEstimate(double num_ids, double num_buckets, SpilledWeight weight);

/// A number of threads, and the memory that is reserved for them.
struct ThreadMemory {
  int threads = 1;
  MemoryReservation memory;
};
/// Reserves `each_bytes` for each thread, for as many threads as `plan` and `budget` allow.
/// BudgetError when there is too little for one.
StatusOr<ThreadMemory> ReserveThreads(const IngestPlan& plan, MemoryBudget& budget,
                                      uint64_t each_bytes);

}  // namespace edgemill

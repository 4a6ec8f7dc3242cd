// The blocks that runs on one open graph share.
#pragma once

#include <memory>
#include <optional>

#include "common/os/memory_budget.h"
#include "common/status.h"
#include "common/thread_annotations.h"
#include "edgemill/edgemill.h"
#include "engine/run/run_options.h"
#include "storage/read/block_reader.h"
#include "storage/read/graph_store.h"

namespace edgemill {

/// A store and a reader, opened for the first run. Thread-safe.
class SharedBlocks {
 public:
  /// `bytes` bounds all that it takes: the table of blocks, buffers and cache.
  explicit SharedBlocks(uint64_t bytes) : budget_(MemoryBudget::kProcessBytes + bytes) {}

  /// A run's use of it. The run must end before.
  class Use {
   public:
    Use(SharedBlocks& blocks, int threads) : blocks_(blocks), threads_(threads) {}
    ~Use() { blocks_.Leave(threads_); }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    const GraphStore& store() const { return *blocks_.store_; }
    SharedReader reader() const { return {blocks_.reader_.get(), blocks_.cache_bytes_}; }

   private:
    SharedBlocks& blocks_;
    const int threads_;
  };

  /// A use by `threads` threads; null where the buffers are not for so many. Waits for other runs
  /// to leave enough of them. BudgetError with the least number of bytes; CancelledError; the
  /// errors of OpenForRun.
  StatusOr<std::unique_ptr<Use>> Join(const Graph& graph, int threads);

 private:
  Status Open(const Graph& graph) REQUIRES(mutex_);
  void Leave(int threads);

  Mutex mutex_;
  MemoryBudget budget_;
  // Set once, before the first Use.
  std::unique_ptr<GraphStore> store_;
  std::unique_ptr<BlockReader> reader_;
  uint64_t cache_bytes_ = 0;
  // Each directory may hold buffers as a thread does.
  int directories_ = 0;
  int most_threads_ = 0;
  int threads_left_ GUARDED_BY(mutex_) = 0;
  CondVar left_;
};

}  // namespace edgemill

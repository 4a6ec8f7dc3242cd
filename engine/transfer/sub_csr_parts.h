// The parts of a pass on the CPU that takes SubCSRs: some threads build the next part while others
// use the part before.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "common/buffer.h"
#include "common/clock.h"
#include "common/os/memory_budget.h"
#include "common/status.h"
#include "engine/graph/graph_blocks.h"
#include "engine/plan/staging_memory.h"
#include "engine/transfer/staging_queue.h"
#include "engine/transfer/sub_csr_builder.h"

namespace edgemill {

/// Belongs to one run. One thread starts its passes.
class SubCsrParts {
 public:
  /// Reserves `bytes`, from SubCsrPartsBytes, for the parts. Passes use `threads` threads for each
  /// part. BudgetError.
  static StatusOr<std::unique_ptr<SubCsrParts>> Create(uint64_t bytes, int threads,
                                                       MemoryBudget& budget);

  /// What a pass does with blocks.
  struct Pass {
    const SubCsrBuilder& builder;
    /// Reads the blocks, and calls the body for each on any thread (GraphBlocks::Visit).
    const std::function<Status(const GraphBlocks::Body&)>& read;
    /// Called for blocks that are used whole, on the threads that read.
    const GraphBlocks::Body& whole;
    /// Called for each SubCSR, on other threads.
    const std::function<void(const SubCsr&)>& use;
  };
  /// Runs a pass. Returns the first error of `read`, or of a cancellation.
  Status Run(const Pass& pass);

 private:
  explicit SubCsrParts(int threads) : threads_(threads) {}
  Status Build(const Pass& pass);
  Status Use(const Pass& pass);

  const int threads_;
  MemoryReservation reservation_;
  std::array<Buffer, kSubCsrParts> memory_;
  const Stopwatch clock_;
  std::optional<StagingQueue> queue_;
};

}  // namespace edgemill

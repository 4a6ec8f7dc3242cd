// Memory in which threads decode whole blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/buffer.h"
#include "common/check.h"
#include "common/os/memory_budget.h"
#include "common/status.h"
#include "kernels/cpu/block_ids.h"
#include "storage/format/graph_info.h"

namespace edgemill {

/// Belongs to one graph. Each thread has memory for the ids of a block and, where needed, its
/// weights. Between passes, one thread reserves or frees all of it.
class DecodeScratch {
 public:
  /// Reserves nothing yet. `info` and `budget` must outlive it.
  DecodeScratch(const GraphInfo& info, int threads, MemoryBudget& budget)
      : info_(info), threads_(threads), budget_(budget) {}

  /// The bytes that Reserve takes of the budget.
  static uint64_t SizeBytes(const GraphInfo& info, int threads, bool weights);
  /// Reserves the memory for ids, and with `weights` that for weights, unless it is reserved
  /// already. BudgetError.
  Status Reserve(bool weights);
  /// Gives the memory back.
  void Free();

  /// A thread's memory for ids, once it is reserved.
  BlockIds& ids(int thread) {
    CHECK_LT(static_cast<size_t>(thread), ids_.size());
    return ids_[static_cast<size_t>(thread)];
  }
  /// A thread's memory for DecodeWeights, once it is reserved.
  std::byte* weights(int thread) {
    CHECK_LT(static_cast<size_t>(thread), weights_.size());
    return weights_[static_cast<size_t>(thread)];
  }

 private:
  const GraphInfo& info_;
  const int threads_;
  MemoryBudget& budget_;
  MemoryReservation reservation_;
  Buffer memory_;
  std::vector<BlockIds> ids_;        // by thread, in memory_
  std::vector<std::byte*> weights_;  // by thread, in memory_
};

}  // namespace edgemill

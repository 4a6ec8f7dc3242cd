// Walks that wait for blocks of edges, in a list for each block.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/buffer.h"
#include "common/os/memory_budget.h"
#include "common/status.h"
#include "engine/output/walks/resident_blocks.h"
#include "storage/format/graph_info.h"

namespace edgemill {

/// The lists of waiting walks of one batch.
class WaitingWalks {
 public:
  /// The bytes for each block and for each walk.
  static uint64_t FixedBytes(const GraphInfo& info) {
    return info.num_blocks() * (2 * sizeof(uint32_t) + sizeof(uint64_t));
  }
  static constexpr uint64_t kWalkBytes = 2 * sizeof(uint32_t);

  /// BudgetError.
  static StatusOr<WaitingWalks> Create(const GraphInfo& info, uint64_t most_walks,
                                       MemoryBudget& budget);

  /// Walks 0 to count - 1, of which none waits.
  std::span<const uint32_t> StartAll(uint64_t count);
  /// `walk` waits for `block`. Thread-safe.
  void Add(uint32_t walk, uint64_t block);
  /// Loads the blocks for which most walks wait, as many as there are slots, and takes their walks
  /// off the lists. Empty where no walk waits. The answer is valid until the next call. Errors:
  /// ResidentBlocks::Load's.
  StatusOr<std::span<const uint32_t>> Take(ResidentBlocks& blocks);

 private:
  MemoryReservation reservation_;
  Array<uint32_t> next_;           // by walk: the one that waits for the same block
  Array<uint32_t> moving_;         // walks that do not wait
  std::vector<uint32_t> heads_;    // by block: a walk that waits, or kNoWalk
  std::vector<uint32_t> waiting_;  // by block: how many walks wait
  std::vector<uint64_t> wanted_;   // blocks for which walks wait
};

}  // namespace edgemill

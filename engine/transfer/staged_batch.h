// A batch of blocks in a staging buffer, on its way to the GPU: its blocks, and how much of the
// buffer they take. This file has only plain addresses. StagedTransfer has the CUDA streams and
// events.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/device/transfer.h"
#include "engine/plan/staging_layout.h"
#include "kernels/gpu/edge_kernels.h"
#include "storage/read/block_reader.h"

namespace edgemill {

/// How much of a staging buffer blocks take.
struct StagingUse {
  uint64_t host_bytes = 0;       // of pinned memory
  uint64_t device_bytes = 0;     // of memory on the GPU, at most
  uint64_t zero_copy_bytes = 0;  // of the TLB coverage
};

/// The limits of one staging buffer.
struct StagingLimits {
  uint64_t buffer_bytes = 0;     // on both sides
  uint64_t zero_copy_bytes = 0;  // the buffer's share of the TLB coverage
  uint32_t num_blocks = StagingLayout::kMaxBlocks;
};

/// A copy to the GPU: one column of block number `index` of a batch.
struct StagedCopy {
  const std::byte* from;
  uint32_t bytes;
  uint32_t index;
  bool is_weights;
};

/// A block as it is added to a batch.
struct StagedBlock {
  uint32_t index = 0;  // in the batch
  Transfer transfer = Transfer::kFilter;
  BlockPlace place;                                  // copies set its pointers, else they are final
  uint64_t moved_bytes = 0;                          // bytes that cross the link
  std::array<std::span<const std::byte>, 2> copies;  // neighbours, weights; empty: none
  BlockLease* lease = nullptr;                       // the batch keeps it; null: none
  double seconds = 0;                                // time of the thread that filled it in
};

/// What a batch's staging buffer is doing.
enum class StagingState : uint8_t {
  kFree,
  kFilling,    // blocks are added
  kSealed,     // no block is added any more; some are not filled in yet
  kFull,       // all blocks are filled in
  kSubmitted,  // the buffer's stream works on it
};
/// Whether a staging buffer may go from state `from` to state `to`.
constexpr bool MayFollow(StagingState from, StagingState to) {
  constexpr uint8_t kFollowers[] = {
      /* kFree */ 1 << static_cast<int>(StagingState::kFilling),
      /* kFilling: whoever submits batches may fill one too, and submits it at once */
      1 << static_cast<int>(StagingState::kSealed) | 1 << static_cast<int>(StagingState::kFull) |
          1 << static_cast<int>(StagingState::kSubmitted),
      /* kSealed */ 1 << static_cast<int>(StagingState::kFull),
      /* kFull */ 1 << static_cast<int>(StagingState::kSubmitted),
      /* kSubmitted */ 1 << static_cast<int>(StagingState::kFree)};
  return (kFollowers[static_cast<size_t>(from)] >> static_cast<int>(to) & 1) != 0;
}

/// The batch of one staging buffer.
struct StagedBatch {
  /// Seconds, by the run's clock.
  struct Times {
    double filling = 0;       // start of filling the buffer
    double fill_seconds = 0;  // of all threads together
  };

  std::byte* memory = nullptr;  // pinned: BlockPlace[], CopyRange[], then bytes (StagingLayout)
  StagingState state = StagingState::kFree;
  uint32_t num_writers = 0;  // threads that have taken a place and not filled it in yet
  StagingUse use;
  uint32_t num_blocks = 0;
  std::array<Transfer, StagingLayout::kMaxBlocks> transfers;  // by block; kResident: stays
  std::vector<StagedCopy> copies;
  std::vector<BlockLease> leases;  // of blocks that are used in place
  TransferAccounts moved;          // by engine
  Times times;

  BlockPlace* places() const { return reinterpret_cast<BlockPlace*>(memory); }
  CopyRange* copy_list() const {
    return reinterpret_cast<CopyRange*>(places() + StagingLayout::kMaxBlocks);
  }
  std::byte* bytes() const { return memory + StagingLayout::kListsBytes; }

  /// Whether a block that takes `more` fits too. An empty batch takes any block.
  bool Fits(const StagingUse& more, const StagingLimits& limits) const;
  /// Takes the next place, and `more` of the buffer. Returns the number of the place.
  uint32_t Reserve(const StagingUse& more);
  /// Fills in a place that Reserve returned.
  void Add(const StagedBlock& block);
  /// Makes the batch empty. `now`: the time when filling starts again.
  void Clear(double now);
};

/// How many blocks of a batch come in which way, in the order of the batch's places.
struct BatchParts {
  uint32_t resident = 0;  // blocks that stay on the GPU
  uint32_t packed = 0;    // whole or gathered blocks, with those that stay
  uint32_t sub_csrs = 0;
};
/// Puts the blocks of `batch` in the order of BatchParts.
BatchParts OrderByPart(StagedBatch* batch);

/// A stretch of the host's memory that is copied at once: one or more of a batch's copies.
struct JoinedCopy {
  const std::byte* from = nullptr;
  uint64_t bytes = 0;
  size_t first = 0;  // the copies [first, end) of the batch lie in it
  size_t end = 0;
  bool stays = false;  // on the GPU
};
/// Sorts the copies of `batch` by address. Joins adjacent copies if both stay on the GPU or neither
/// does. The first `num_resident` blocks stay.
std::vector<JoinedCopy> JoinCopies(StagedBatch* batch, uint32_t num_resident);

}  // namespace edgemill

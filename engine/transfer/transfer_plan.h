// The blocks that an edge pass wants, and the plan for how each gets to the kernels.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/cost/cost_model.h"
#include "engine/device/transfer.h"
#include "engine/plan/block_plan.h"
#include "engine/plan/staging_memory.h"
#include "engine/transfer/resident_set.h"

namespace edgemill {

/// What planning needs to know of a direction's blocks.
struct DirectionBlocks {
  uint64_t num_blocks = 0;
  uint64_t num_groups = 0;
  double group_bytes = 0;  // on average, weights included
  BlockPrices prices;

  /// Describes the blocks of `num_edges` edges, `block_edges` in each. All payloads, in `columns`
  /// columns, take `payload_bytes`.
  static DirectionBlocks Of(uint64_t num_edges, uint32_t block_edges, uint64_t payload_bytes,
                            uint32_t columns, const CostModel& model);

  uint64_t groups_before(uint64_t block) const {
    return std::min(block * prices.shape.num_groups, num_groups);
  }
  /// Returns the groups of one block. The last block may have fewer.
  uint32_t groups_of(uint64_t block) const {
    return static_cast<uint32_t>(groups_before(block + 1) - groups_before(block));
  }
};

/// What an edge pass asks for.
struct PassRequest {
  size_t side = 0;               // of the direction's blocks in the ResidentSet (AddSide)
  BlockRange blocks;             // the pass uses no other blocks
  bool zero_copy_first = false;  // zero-copied blocks come before copied ones
  bool rarely_reused = false;    // few passes want the blocks: they stay on the GPU only if all fit
  bool takes_sub_csrs = false;   // Transfer::kSubCsr is possible; else such blocks come whole

  bool operator==(const PassRequest&) const = default;
};

/// A pass, the groups that it wants, and where the direction's blocks are when it begins.
struct PassInputs {
  PassRequest request;
  std::span<const uint32_t> wanted_groups;  // by block: how many; empty: all groups
  const DirectionBlocks& blocks;
  ResidentView resident;
  std::span<const uint8_t> is_pinned;  // by block; empty: none is
  std::span<const float> priorities;   // of pinned blocks: highest first; empty: by number
};

/// How one pass's blocks get to its kernels. Later passes use the same memory again.
struct TransferPlan {
  /// The request, if the pass wants all groups. The plan then serves the same request again while
  /// the number of resident blocks is the same.
  std::optional<PassRequest> whole;
  uint32_t num_resident = 0;
  uint64_t wanted_resident = 0;             // wanted blocks that are on the GPU
  std::span<const uint32_t> wanted_groups;  // by block
  std::span<const uint64_t> missing;        // wanted blocks not on the GPU, in rising order
  /// The missing blocks that come from pinned memory, and those that the reader brings. Both are in
  /// the order in which they should come.
  std::span<const uint64_t> pinned;
  std::span<const uint64_t> from_reader;
  std::vector<Transfer> transfers;  // by block, if missing; kResident: it will stay

  PassCharges charges;  // prices of bringing the missing blocks, if blocks may stay
  /// Of the request's blocks, entry k counts those with k wanted groups. [0] is for blocks that are
  /// not on the GPU. [1] is for blocks on the GPU.
  std::array<std::vector<uint32_t>, 2> num_wanted;

  /// The memory of the spans above.
  struct Lists {
    std::vector<uint64_t> missing;
    std::vector<uint64_t> order;
    std::vector<uint32_t> all_groups;  // wanted groups, if all are wanted
  } lists;

  /// Allocates memory for passes over `num_blocks` blocks.
  void Reserve(uint64_t num_blocks);
  /// Forgets the last pass.
  void Clear();
  /// Whether the plan serves a pass with these inputs without a change.
  bool Serves(const PassInputs& inputs) const {
    return whole == inputs.request && num_resident == inputs.resident.num_resident &&
           inputs.wanted_groups.empty() && from_reader.empty();
  }
  /// Whether some blocks that the reader brings are moved by `transfer`.
  bool Has(Transfer transfer) const {
    return std::any_of(from_reader.begin(), from_reader.end(),
                       [&](uint64_t block) { return transfers[block] == transfer; });
  }
  static constexpr uint64_t kBytesABlock =
      2 * sizeof(uint64_t) + sizeof(double) + sizeof(uint32_t) + sizeof(Transfer);
  static_assert(kBytesABlock <= kChoiceBytesABlock);
};

}  // namespace edgemill

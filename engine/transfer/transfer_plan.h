// What an edge pass wants of a direction's blocks, and the plan for how each gets to the kernels.
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

/// A direction's blocks, as far as planning goes.
struct DirectionBlocks {
  uint64_t num_blocks = 0;
  uint64_t num_groups = 0;
  double group_bytes = 0;  // on average, weights included
  BlockPrices prices;

  /// The blocks of `num_edges` edges, `block_edges` in each. Their payloads in `columns` columns
  /// take `payload_bytes` together.
  static DirectionBlocks Of(uint64_t num_edges, uint32_t block_edges, uint64_t payload_bytes,
                            uint32_t columns, const CostModel& model);

  uint64_t groups_before(uint64_t block) const {
    return std::min(block * prices.shape.num_groups, num_groups);
  }
  /// Groups of one block: fewer in the last.
  uint32_t groups_of(uint64_t block) const {
    return static_cast<uint32_t>(groups_before(block + 1) - groups_before(block));
  }
};

/// An edge pass.
struct PassRequest {
  size_t side = 0;               // of the ResidentSet
  BlockRange blocks;             // of these alone
  bool zero_copy_first = false;  // zero-copied blocks come before copied ones
  bool once = false;  // later passes hardly want them: they stay on the GPU only if all do

  bool operator==(const PassRequest&) const = default;
};

/// A pass, what it wants, and where the direction's blocks are as it begins.
struct PassInputs {
  PassRequest request;
  std::span<const uint32_t> wanted_groups;  // by block: how many; empty: all of all
  const DirectionBlocks& blocks;
  ResidentView resident;
  std::span<const uint8_t> is_pinned;  // by block: in the host's pinned memory; empty: none
};

/// How one pass's blocks get to its kernels. Memory for it is touched once, and used again.
struct TransferPlan {
  /// Set where the pass wants all groups: the same request is served by the same plan, as long as
  /// as many blocks are resident.
  std::optional<PassRequest> whole;
  uint32_t num_resident = 0;
  uint64_t wanted_resident = 0;             // wanted blocks that are on the GPU
  std::span<const uint32_t> wanted_groups;  // by block
  std::span<const uint64_t> missing;        // wanted blocks that are not on the GPU, rising
  /// The missing blocks that come from pinned memory, and those that the reader brings; each in the
  /// order in which they are to come.
  std::span<const uint64_t> pinned;
  std::span<const uint64_t> from_reader;
  std::vector<Transfer> transfers;  // by block, of those missing; kResident: it is to stay

  PassCharges charges;  // of the missing blocks, where blocks may stay
  /// How many blocks of the range want so many of their groups: [0] of those that are missing, [1]
  /// of those on the GPU; entry k counts blocks of which k groups are wanted.
  std::array<std::vector<uint32_t>, 2> num_wanting;

  /// What the spans above may be of.
  struct Lists {
    std::vector<uint64_t> missing;
    std::vector<uint64_t> order;
    std::vector<uint32_t> alike;  // wanted groups, where the request names none
  } lists;

  /// Touches memory for passes over `num_blocks`.
  void Reserve(uint64_t num_blocks);
  /// Forgets the pass before.
  void Clear();
  /// Whether a pass of these inputs is served by the plan as it is.
  bool Serves(const PassInputs& inputs) const {
    return whole == inputs.request && num_resident == inputs.resident.num_resident &&
           inputs.wanted_groups.empty() && from_reader.empty();
  }
  /// Whether the reader is to compact some of it.
  bool Compacts() const {
    return std::any_of(from_reader.begin(), from_reader.end(),
                       [&](uint64_t block) { return transfers[block] == Transfer::kCompaction; });
  }
  static constexpr uint64_t kBytesABlock =
      2 * sizeof(uint64_t) + sizeof(double) + sizeof(uint32_t) + sizeof(Transfer);
  static_assert(kBytesABlock <= kChoiceBytesABlock);
};

}  // namespace edgemill

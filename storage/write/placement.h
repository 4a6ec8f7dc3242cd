// Which data directory a block goes to: rendezvous hashing weighted by capacity (Garaph,
// section 2.2).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/os/uuid.h"
#include "storage/format/block_format.h"

namespace edgemill {

/// A data directory as placement sees it.
struct PlacementTarget {
  Uuid uuid;
  /// The directory's share of the blocks is its weight over the sum of weights. 1 to
  /// kMaxPlacementWeight.
  uint32_t weight = 1;
};

inline constexpr uint32_t kMaxPlacementWeight = 64;

/// The weights for directories with `free_bytes` bytes free. The smallest gets 1, others the power
/// of two nearest to their ratio to it, at most kMaxPlacementWeight. Weights are coarse, so that
/// similar disks get equal shares; a disk that is nearly full gets little.
std::vector<uint32_t> PlacementWeights(std::span<const uint64_t> free_bytes);

/// Returns the index in `targets` (not empty) of the directory for a block. Each directory draws
/// one XXH3-64 for each unit of weight from (graph, column, block, directory uuid, unit), and the
/// largest draw wins. So every directory gets its share. An additional directory takes blocks from
/// the others, and no block moves between them. Pure; thread-safe. Cost: one short hash a unit of
/// weight.
uint8_t PlaceBlock(const Uuid& graph, ColumnKind column, uint64_t block,
                   std::span<const PlacementTarget> targets);

}  // namespace edgemill

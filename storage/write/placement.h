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
  /// Share of the blocks, in whole parts of the sum of weights; 1 to kMaxPlacementWeight.
  uint32_t weight = 1;
};

inline constexpr uint32_t kMaxPlacementWeight = 64;

/// The weights for directories in which so many bytes are free: 1 for the fewest, powers of two for
/// more, rounded to the nearest and at most kMaxPlacementWeight. Coarse, so that disks that are
/// alike get shares alike; and a disk that is nearly full gets little.
std::vector<uint32_t> PlacementWeights(std::span<const uint64_t> rooms);

/// The index in `targets` (not empty) of the directory for a block: each directory draws one
/// XXH3-64 a unit of weight from (graph, column, block, directory uuid, unit), the largest draw
/// wins. So every directory gets its share, and a directory more takes blocks from the others
/// without moving any between them. Pure; thread-safe. Cost: one short hash a unit of weight.
uint8_t PlaceBlock(const Uuid& graph, ColumnKind column, uint64_t block,
                   std::span<const PlacementTarget> targets);

}  // namespace edgemill

// Weights, or values of an edge column, as the payload of a block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "storage/format/block_format.h"
#include "storage/format/graph_info.h"

namespace edgemill {

/// A payload, which lies in the memory of the weights or of the packer.
struct PackedWeights {
  BlockContents contents;
  std::span<const std::byte> payload;
};

/// Makes the payload of `weights`, which `type` holds exactly or rounds (kFloat32). If `text_ranks`
/// is not empty, weights are indices in it, and the values there are packed. `small` and `memory`,
/// which has MaxPackedBytes, are used in part.
PackedWeights PackWeights(WeightType type, std::span<const double> weights,
                          std::span<const uint32_t> text_ranks, std::vector<uint32_t>* small,
                          std::byte* memory);

}  // namespace edgemill

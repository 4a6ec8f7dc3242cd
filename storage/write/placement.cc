#include "storage/write/placement.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "common/check.h"

namespace edgemill {

std::vector<uint32_t> PlacementWeights(std::span<const uint64_t> free_bytes) {
  std::vector<uint32_t> weights;
  if (free_bytes.empty()) return weights;
  const uint64_t smallest =
      std::max<uint64_t>(1, *std::min_element(free_bytes.begin(), free_bytes.end()));
  for (const uint64_t bytes : free_bytes) {
    const double ratio = static_cast<double>(bytes) / static_cast<double>(smallest);
    uint32_t weight = 1;
    // The border between two powers of two is their geometric mean: 2^(k + 1/2).
    while (weight < kMaxPlacementWeight && ratio * ratio > 2.0 * weight * weight) weight *= 2;
    weights.push_back(weight);
  }
  return weights;
}

uint8_t PlaceBlock(const Uuid& graph, ColumnKind column, uint64_t block,
                   std::span<const PlacementTarget> targets) {
  CHECK(!targets.empty());
  CHECK_LE(targets.size(), size_t{256});
  if (targets.size() == 1) return 0;
  // graph 16, directory 16, block 8, unit 4, column 4
  std::array<std::byte, 48> input{};
  const uint32_t column_number = static_cast<uint32_t>(column);
  std::memcpy(&input[0], graph.bytes.data(), 16);
  std::memcpy(&input[32], &block, 8);
  std::memcpy(&input[44], &column_number, 4);
  size_t best = 0;
  uint64_t best_draw = 0;
  for (size_t i = 0; i < targets.size(); ++i) {
    std::memcpy(&input[16], targets[i].uuid.bytes.data(), 16);
    for (uint32_t unit = 0; unit < targets[i].weight; ++unit) {
      std::memcpy(&input[40], &unit, 4);
      const uint64_t draw = Checksum64(input);
      if (draw > best_draw) {
        best_draw = draw;
        best = i;
      }
    }
  }
  return static_cast<uint8_t>(best);
}

}  // namespace edgemill

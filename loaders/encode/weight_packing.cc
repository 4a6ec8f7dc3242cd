#include "loaders/encode/weight_packing.h"

#include <bit>

#include "common/check.h"
#include "storage/format/group_codec.h"

namespace edgemill {

PackedWeights PackWeights(WeightType type, std::span<const double> weights,
                          std::span<const uint32_t> text_ranks, std::vector<uint32_t>* small,
                          std::byte* memory) {
  const auto count = static_cast<uint32_t>(weights.size());
  if (type == WeightType::kFloat64) return {{Codec::kRaw64, count}, std::as_bytes(weights)};
  small->resize(count);
  if (type == WeightType::kFloat32) {
    for (uint32_t i = 0; i < count; ++i) {
      (*small)[i] = std::bit_cast<uint32_t>(static_cast<float>(weights[i]));
    }
    return {{Codec::kRaw32, count}, std::as_bytes(std::span(*small))};
  }
  for (uint32_t i = 0; i < count; ++i) {
    (*small)[i] = static_cast<uint32_t>(static_cast<int32_t>(weights[i]));
  }
  if (!text_ranks.empty()) {
    for (uint32_t& value : *small) {
      CHECK_LT(value, text_ranks.size());
      value = text_ranks[value];
    }
  }
  return {{Codec::kPackedValues, count}, {memory, PackValues(*small, memory)}};
}

}  // namespace edgemill

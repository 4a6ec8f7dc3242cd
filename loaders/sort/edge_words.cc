#include "loaders/sort/edge_words.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "loaders/buckets/record_hash.h"

namespace edgemill {
namespace {

using IntRecord = SpilledRecord<int32_t>;

std::span<const IntRecord> RecordsOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const IntRecord*>(bytes.data()), bytes.size() / sizeof(IntRecord)};
}

}  // namespace

std::optional<EdgeWords> EdgeWords::Of(std::span<const std::byte> records, SpilledWeight weight,
                                       const KeyRange& range) {
  if (weight != SpilledWeight::kInt32) return std::nullopt;
  int32_t least = std::numeric_limits<int32_t>::max();
  int32_t most = std::numeric_limits<int32_t>::min();
  for (const IntRecord& record : RecordsOf(records)) {
    least = std::min(least, int32_t{record.weight});
    most = std::max(most, int32_t{record.weight});
  }
  EdgeWords words;
  words.range_ = range;
  words.least_weight_ = least;
  words.weight_bits_ = std::bit_width(static_cast<uint32_t>(most) - static_cast<uint32_t>(least));
  if (std::bit_width(range.last - range.first) + words.weight_bits_ > 64) return std::nullopt;
  return words;
}

const uint64_t* EdgeWords::Sort(std::span<const std::byte> records, uint64_t* memory,
                                uint64_t* sum) const {
  const std::span<const IntRecord> all = RecordsOf(records);
  const int weight_bits = weight_bits_;
  const uint64_t first = range_.first, furthest = range_.last - range_.first;
  const int64_t least = least_weight_;
  uint64_t hash = 0, most = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    const uint64_t key = all[i].key, distance = key - first;
    const int32_t weight = all[i].weight;
    most = std::max(most, distance);
    memory[i] = distance << weight_bits | static_cast<uint64_t>(weight - least);
    hash += RecordHash(key, static_cast<double>(weight));
  }
  if (most > furthest) return nullptr;
  *sum = hash;
  return RadixSortAbove(weight_bits, memory, memory + all.size(), all.size(), 0, furthest);
}

}  // namespace edgemill

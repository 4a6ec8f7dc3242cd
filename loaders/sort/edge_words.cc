#include "loaders/sort/edge_words.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "common/check.h"
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
  words.least_ = least;
  words.weight_bits_ = std::bit_width(static_cast<uint32_t>(most) - static_cast<uint32_t>(least));
  if (std::bit_width(range.last - range.first) + words.weight_bits_ > 64) return std::nullopt;
  return words;
}

bool EdgeWords::SortTo(std::span<const std::byte> records, WeightedKey* out, uint64_t* sum) const {
  const std::span<const IntRecord> all = RecordsOf(records);
  const size_t size = all.size();
  // The words and what sorting needs beside them take as much as the result.
  uint64_t* const words = reinterpret_cast<uint64_t*>(out);
  const int weight_bits = weight_bits_;
  const uint64_t first = range_.first, furthest = range_.last - range_.first;
  const auto least = static_cast<uint32_t>(least_);
  uint64_t hash = 0, most = 0;
  for (size_t i = 0; i < size; ++i) {
    const uint64_t key = all[i].key, distance = key - first;
    const int32_t weight = all[i].weight;
    most = std::max(most, distance);
    words[i] = distance << weight_bits | (static_cast<uint32_t>(weight) - least);
    hash += RecordHash(key, static_cast<double>(weight));
  }
  if (most > furthest) return false;
  *sum = hash;
  const uint64_t* const sorted =
      RadixSortAbove(weight_bits, words, words + size, size, 0, furthest);
  CHECK(sorted != nullptr);
  // In place: words from the first half from the back, from the second half from the front, so that
  // each is read before it is written over.
  const uint64_t mask = (uint64_t{1} << weight_bits) - 1;
  const auto expand = [&](size_t i) {
    uint64_t word;
    std::memcpy(&word, sorted + i, sizeof(word));
    const auto weight = static_cast<int32_t>(least + static_cast<uint32_t>(word & mask));
    const WeightedKey edge{first + (word >> weight_bits), static_cast<double>(weight)};
    std::memcpy(out + i, &edge, sizeof(edge));
  };
  if (sorted == words) {
    for (size_t i = size; i-- > 0;) expand(i);
  } else {
    for (size_t i = 0; i < size; ++i) expand(i);
  }
  return true;
}

}  // namespace edgemill

// Sorting keys, and records of keys and weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "loaders/sort/edge_words.h"
#include "loaders/spill/spill_page.h"

namespace edgemill {

/// A key with the weight that belongs to it.
struct WeightedKey {
  uint64_t key;
  double weight;
};

/// Sorts numbers. About 8 ns a number, by Highway's vector quicksort.
void SortNumbers(std::span<uint64_t> numbers);

/// Whether all `keys` lie in `range`; sets `*sum` to the sum of their RecordHash.
bool CheckKeys(std::span<const uint64_t> keys, const KeyRange& range, uint64_t* sum);

/// What a pass over some records finds.
struct RecordFacts {
  bool inside = true;       // all keys lie in the range
  uint64_t sum = 0;         // of their RecordHash
  uint32_t max_target = 0;  // the largest target
  // The least and the greatest of integer weights.
  int32_t min_weight = 0;
  int32_t max_weight = 0;
};
RecordFacts ScanRecords(std::span<const std::byte> records, SpilledWeight weight,
                        const KeyRange& range);

/// The distance of a weight from the least.
constexpr uint32_t WeightDistance(int32_t weight, int32_t least) {
  return static_cast<uint32_t>(weight) - static_cast<uint32_t>(least);
}
/// Writes `records`, which have integer weights, to `memory` as sorted words. The payload of a
/// word is the distance of the weight from the least. Returns the words.
std::span<uint64_t> SortWithWeights(std::span<const std::byte> records, const EdgeWords& words,
                                    int32_t min_weight, uint64_t* memory);

/// Writes `records`, of which ScanRecords returned `facts`, to `edges`, sorted by key. Equal keys
/// keep their order. Takes about 14 ns a record, or 24 ns if keys and places do not fit one word.
void SortRecords(std::span<const std::byte> records, SpilledWeight weight, const KeyRange& range,
                 const RecordFacts& facts, WeightedKey* edges);

}  // namespace edgemill

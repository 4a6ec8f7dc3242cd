#include "loaders/sort/record_sort.h"

#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>

#include "common/check.h"
#include "loaders/buckets/record_hash.h"

namespace edgemill {
namespace {

/// How many keys are read twice while they are in the first-level cache.
constexpr size_t kLookKeys = 2048;

template <typename R>
double WeightOf(const R& record) {
  return static_cast<double>(record.weight);
}
double WeightOf(const SpilledRecord<void>&) { return 0; }

/// SortRecords by `words`, each of which holds a key and the place of its record.
template <typename R>
void SortByWords(std::span<const R> records, const EdgeWords& words, WeightedKey* edges) {
  // Words lie in the upper half of the edges' memory. Each is read before an edge overwrites it.
  uint64_t* const sorted = reinterpret_cast<uint64_t*>(edges) + records.size();
  for (size_t i = 0; i < records.size(); ++i) sorted[i] = words.WordOf(records[i].key, i);
  SortNumbers({sorted, records.size()});
  for (size_t i = 0; i < records.size(); ++i) {
    uint64_t word;
    std::memcpy(&word, &sorted[i], sizeof(word));
    edges[i] = {words.KeyOf(word), WeightOf(records[words.PayloadOf(word)])};
  }
}

/// SortRecords by keys and the records' places side by side.
template <typename R>
void SortByPairs(std::span<const R> records, WeightedKey* edges) {
  static_assert(sizeof(hwy::uint128_t) == sizeof(WeightedKey));
  auto* const pairs = reinterpret_cast<hwy::uint128_t*>(edges);
  for (size_t i = 0; i < records.size(); ++i) pairs[i] = {.lo = i, .hi = records[i].key};
  hwy::Sorter()(pairs, records.size(), hwy::SortAscending());
  for (size_t i = 0; i < records.size(); ++i) {
    const hwy::uint128_t pair = pairs[i];
    edges[i] = {pair.hi, WeightOf(records[pair.lo])};
  }
}

template <typename R>
std::span<const R> RecordsOf(std::span<const std::byte> bytes) {
  CHECK_EQ(bytes.size() % sizeof(R), 0u);  // records have no gap between them
  return {reinterpret_cast<const R*>(bytes.data()), bytes.size() / sizeof(R)};
}

}  // namespace

void SortNumbers(std::span<uint64_t> numbers) {
  hwy::Sorter()(numbers.data(), numbers.size(), hwy::SortAscending());
}

bool CheckKeys(std::span<const uint64_t> keys, const KeyRange& range, uint64_t* sum) {
  CHECK_LE(range.first, range.last);
  uint64_t hash = 0, furthest = 0;
  for (size_t first = 0; first < keys.size(); first += kLookKeys) {
    const auto part = keys.subspan(first, std::min(kLookKeys, keys.size() - first));
    hash += Summarize(part, 0).sum;
    for (const uint64_t key : part) furthest = std::max(furthest, key - range.first);
  }
  *sum = hash;
  return furthest <= range.last - range.first;
}

RecordFacts ScanRecords(std::span<const std::byte> records, SpilledWeight weight,
                        const KeyRange& range) {
  RecordFacts facts;
  uint64_t furthest = 0;
  WithRecordType(weight, [&]<typename R>(const R*) {
    facts.min_weight = std::numeric_limits<int32_t>::max();
    facts.max_weight = std::numeric_limits<int32_t>::min();
    for (const R& record : RecordsOf<R>(records)) {
      const uint64_t key = record.key;
      furthest = std::max(furthest, key - range.first);
      facts.max_target = std::max(facts.max_target, static_cast<uint32_t>(key));
      facts.sum += RecordHash(key, WeightOf(record));
      if constexpr (std::is_same_v<R, SpilledRecord<int32_t>>) {
        facts.min_weight = std::min(facts.min_weight, int32_t{record.weight});
        facts.max_weight = std::max(facts.max_weight, int32_t{record.weight});
      }
    }
  });
  facts.inside = furthest <= range.last - range.first;
  return facts;
}

std::span<uint64_t> SortWithWeights(std::span<const std::byte> records, const EdgeWords& words,
                                    int32_t min_weight, uint64_t* memory) {
  const auto all = RecordsOf<SpilledRecord<int32_t>>(records);
  for (size_t i = 0; i < all.size(); ++i) {
    memory[i] = words.WordOf(all[i].key, WeightDistance(all[i].weight, min_weight));
  }
  const std::span<uint64_t> sorted(memory, all.size());
  SortNumbers(sorted);
  return sorted;
}

void SortRecords(std::span<const std::byte> records, SpilledWeight weight, const KeyRange& range,
                 const RecordFacts& facts, WeightedKey* edges) {
  WithRecordType(weight, [&]<typename R>(const R*) {
    const std::span<const R> all = RecordsOf<R>(records);
    const auto words = EdgeWords::Of(range, facts.max_target, std::bit_width(all.size()));
    if (words.has_value()) {
      SortByWords(all, *words, edges);
    } else {
      SortByPairs(all, edges);
    }
  });
}

}  // namespace edgemill

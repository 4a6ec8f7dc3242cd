#include "loaders/sort/sorted_bucket.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "common/check.h"
#include "common/random.h"
#include "loaders/sort/duplicate_merger.h"

namespace edgemill {
namespace {

/// The records of a slice are a multiple of this number, so that reads stay aligned.
constexpr uint64_t kSliceGrain = 4096;

/// The side of a bucket with one key that is loaded in slices: the one with more records. If both
/// have as many, it is the side from the lesser id, whose order both directions take
/// (MergeDirections).
int SideToSlice(const Bucket& bucket) {
  if (bucket.count(0) != bucket.count(1)) return bucket.count(0) > bucket.count(1) ? 0 : 1;
  return bucket.first_key >> 32 <= (bucket.first_key & 0xffffffff) ? 0 : 1;
}

/// The range in which the keys of `bucket` can lie.
KeyRange RangeOf(const BucketSet& set, const Bucket& bucket) {
  return {bucket.first_key, std::min(bucket.last_key, std::max(bucket.first_key, set.max_key()))};
}

}  // namespace

SortUnit WholeBucket(const BucketSet& set, size_t index, uint64_t max_edges) {
  CHECK_LT(index, set.buckets().size());
  const Bucket& bucket = set.buckets()[index];
  SortUnit unit{.bucket = index, .count = bucket.count()};
  if (unit.count > max_edges) {
    CHECK(bucket.has_single_key());
    unit.kind = SortUnit::Kind::kFold;
  }
  return unit;
}

std::vector<SortUnit> UnitsOf(const BucketSet& set, uint64_t max_edges, DuplicateRule rule) {
  CHECK_GT(max_edges, 0u);
  std::vector<SortUnit> units;
  for (size_t i = 0; i < set.buckets().size(); ++i) {
    const Bucket& bucket = set.buckets()[i];
    if (bucket.count() == 0) continue;
    if (bucket.count() <= max_edges || rule != DuplicateRule::kKeep) {
      units.push_back(WholeBucket(set, i, max_edges));
      continue;
    }
    CHECK(bucket.has_single_key());
    const int side = SideToSlice(bucket);
    const uint64_t count = bucket.count(side);
    const uint64_t slice =
        max_edges < kSliceGrain ? max_edges : max_edges / kSliceGrain * kSliceGrain;
    for (uint64_t first = 0; first < count; first += slice) {
      const uint64_t size = std::min(slice, count - first);
      units.push_back({i, first, size, first + size == count, side, SortUnit::Kind::kSlice});
    }
  }
  return units;
}

uint64_t SortedBucket::MemoryBytes(uint64_t max_edges, bool weighted) {
  return 2 * (max_edges * (weighted ? sizeof(WeightedKey) : sizeof(uint64_t)));
}

StatusOr<SortedBucket> SortedBucket::Create(uint64_t max_edges, bool weighted,
                                            MemoryBudget& budget) {
  SortedBucket sorted;
  const uint64_t bytes = MemoryBytes(max_edges, weighted);
  sorted.max_edges_ = max_edges;
  ASSIGN_OR_RETURN(sorted.reservation_, budget.Reserve(bytes, "sorting edges"));
  ASSIGN_OR_RETURN(sorted.data_, Buffer::Allocate(bytes / 2));
  ASSIGN_OR_RETURN(sorted.scratch_, Buffer::Allocate(bytes / 2));
  return sorted;
}

Status SortedBucket::Load(const BucketSet& set, const SortUnit& unit, const BucketRules& rules) {
  CHECK_LT(unit.bucket, set.buckets().size());
  counts_ = {};
  has_negative_weight_ = false;
  std::byte* starts_memory = nullptr;
  if (unit.kind == SortUnit::Kind::kFold) {
    ASSIGN_OR_RETURN(starts_memory, LoadFolded(set, unit, rules));
  } else {
    CHECK_LE(unit.count, max_edges_);
    ASSIGN_OR_RETURN(starts_memory, rules.weighted() ? LoadWeighted(set, unit, rules)
                                                     : LoadUnweighted(set, unit, rules));
  }
  if (FinishKeys(rules, starts_memory)) return OkStatus();
  return set.buckets()[unit.bucket].BadRecords(
      unit.side, "edges that begin here: an end is not a vertex of the graph");
}

Status SortedBucket::VerifySum(const Bucket& bucket, const SortUnit& unit, int side, uint64_t sum) {
  CHECK(unit.kind != SortUnit::Kind::kFold);  // VisitSide checks the records of a fold
  slice_sum_ = sum;
  return unit.kind == SortUnit::Kind::kSlice ? OkStatus() : bucket.CheckRecords(side, sum);
}

StatusOr<std::byte*> SortedBucket::LoadUnweighted(const BucketSet& set, const SortUnit& unit,
                                                  const BucketRules& rules) {
  const Bucket& bucket = set.buckets()[unit.bucket];
  uint64_t* const data = data_.as<uint64_t>().data();
  uint64_t* const scratch = scratch_.as<uint64_t>().data();
  const bool match = rules.symmetrize && unit.kind == SortUnit::Kind::kWhole;
  const uint64_t forward = match ? bucket.count(0) : unit.count;
  CHECK(!match || unit.first == 0);  // whole directions are matched
  std::span<uint64_t> keys(data, unit.count);
  const std::span<uint64_t> sides[2] = {keys.first(forward), keys.subspan(forward)};
  for (int side = 0; side < (match ? 2 : 1); ++side) {
    const std::span<uint64_t> own = sides[side];
    const int which = unit.side + side;
    RETURN_IF_ERROR(bucket.records[size_t(which)]->Read(side == 0 ? unit.first * 8 : 0,
                                                        std::as_writable_bytes(own)));
    uint64_t sum = 0;
    if (!CheckKeys(own, RangeOf(set, bucket), &sum)) return bucket.KeyOutside(which);
    RETURN_IF_ERROR(VerifySum(bucket, unit, which, sum));
    SortNumbers(own);
  }
  if (match) keys = std::span(scratch, MergeDirections(sides[0], sides[1], scratch));
  keys_ = keys;
  if (rules.duplicates != DuplicateRule::kKeep) keys_ = keys.first(MergeEqual(keys));
  counts_.merged = keys.size() - keys_.size();
  weights_ = {};
  return match ? data_.data() : scratch_.data();
}

StatusOr<bool> SortedBucket::LoadWords(const BucketRules& rules, std::span<const std::byte> records,
                                       const KeyRange& range, const RecordFacts& facts) {
  const auto words = EdgeWords::Of(
      range, facts.max_target, std::bit_width(WeightDistance(facts.max_weight, facts.min_weight)));
  if (!words.has_value()) return false;
  const std::span<uint64_t> sorted =
      SortWithWeights(records, *words, facts.min_weight, data_.as<uint64_t>().data());
  const auto exchanged = [&words](uint64_t a, uint64_t b) { return words->DifferBelowKey(a, b); };
  if (rules.order_matters() && std::ranges::adjacent_find(sorted, exchanged) != sorted.end()) {
    return false;
  }
  // Writes keys and weights apart, to the memory where the records were.
  uint64_t* const keys = scratch_.as<uint64_t>().data();
  double* const weights = reinterpret_cast<double*>(keys + sorted.size());
  ASSIGN_OR_RETURN(const uint64_t kept,
                   MergeEqual({sorted, *words, facts.min_weight}, rules, keys, weights));
  counts_.merged = sorted.size() - kept;
  keys_ = std::span(keys, kept);
  weights_ = std::span(weights, kept);
  has_negative_weight_ = facts.min_weight < 0 &&
                         std::ranges::any_of(weights_, [](double weight) { return weight < 0; });
  return true;
}

StatusOr<std::byte*> SortedBucket::LoadWeighted(const BucketSet& set, const SortUnit& unit,
                                                const BucketRules& rules) {
  const Bucket& bucket = set.buckets()[unit.bucket];
  const KeyRange range = RangeOf(set, bucket);
  WeightedKey* const data = data_.as<WeightedKey>().data();
  WeightedKey* const scratch = scratch_.as<WeightedKey>().data();
  const bool merge = rules.duplicates != DuplicateRule::kKeep;
  const bool match = rules.symmetrize && unit.kind == SortUnit::Kind::kWhole;
  const uint64_t first_side = match ? bucket.count(0) : unit.count;
  CHECK_LE(first_side, unit.count);
  uint64_t counts[2] = {first_side, unit.count - first_side};
  WeightedKey* sides[2] = {data, data + first_side};
  // The second side is empty, unless sides are matched.
  for (int side = 0; side < 2; ++side) {
    uint64_t& count = counts[side];
    if (count == 0) continue;
    const SpillStream& stream = *bucket.records[size_t(unit.side + side)];
    const std::span<std::byte> records = scratch_.bytes().first(count * set.record_bytes());
    RETURN_IF_ERROR(stream.Read(side == 0 ? unit.first * set.record_bytes() : 0, records));
    const RecordFacts facts = ScanRecords(records, set.weight(), range);
    if (!facts.inside) return bucket.KeyOutside(unit.side + side);
    RETURN_IF_ERROR(VerifySum(bucket, unit, unit.side + side, facts.sum));
    if (!match && set.weight() == SpilledWeight::kInt32) {
      ASSIGN_OR_RETURN(const bool loaded, LoadWords(rules, records, range, facts));
      if (loaded) return data_.data();
    }
    SortRecords(records, set.weight(), range, facts, sides[side]);
    if (!merge) continue;
    ASSIGN_OR_RETURN(const uint64_t kept, MergeEqual(sides[side], count, rules));
    counts_.merged += count - kept;
    count = kept;
  }
  WeightedKey* sorted = data;
  uint64_t size = counts[0];
  if (match) {
    ASSIGN_OR_RETURN(size, MergeDirections(std::span(sides[0], counts[0]),
                                           std::span(sides[1], counts[1]), rules, scratch));
    sorted = scratch;
  }
  // Writes keys and weights apart, to the memory that is free now.
  std::byte* const apart = sorted == data ? scratch_.data() : data_.data();
  keys_ = std::span(reinterpret_cast<uint64_t*>(apart), size);
  weights_ = std::span(reinterpret_cast<double*>(apart) + size, size);
  for (uint64_t i = 0; i < size; ++i) {
    keys_[i] = sorted[i].key;
    weights_[i] = sorted[i].weight;
    has_negative_weight_ |= sorted[i].weight < 0;
  }
  return reinterpret_cast<std::byte*>(sorted);
}

StatusOr<std::byte*> SortedBucket::LoadFolded(const BucketSet& set, const SortUnit& unit,
                                              const BucketRules& rules) {
  const Bucket& bucket = set.buckets()[unit.bucket];
  CHECK(bucket.has_single_key() && rules.duplicates != DuplicateRule::kKeep);
  WeightedKey sides[2], edge{bucket.first_key, 0};
  uint64_t counts[2] = {};
  // Counts as sorting does. Unweighted edges of both directions are matched one by one, and the
  // rest is merged. Weighted edges of each direction are merged before they are matched.
  counts_.merged = std::max(bucket.count(0), bucket.count(1)) - 1;
  if (rules.weighted()) {
    counts_.merged = 0;
    for (int side = 0; side < 2; ++side) {
      if (bucket.count(side) == 0) continue;
      ASSIGN_OR_RETURN(const double weight, FoldWeights(bucket, side, set.weight(), rules));
      sides[side] = {bucket.first_key, weight};
      counts[side] = 1;
      counts_.merged += bucket.count(side) - 1;
    }
    ASSIGN_OR_RETURN(const uint64_t size,
                     MergeDirections(std::span(&sides[0], counts[0]),
                                     std::span(&sides[1], counts[1]), rules, &edge));
    CHECK_EQ(size, 1u);
  }
  keys_ = data_.as<uint64_t>().first(1);
  keys_[0] = edge.key;
  weights_ = {};
  if (rules.weighted()) {
    weights_ = std::span(reinterpret_cast<double*>(keys_.data() + 1), 1);
    weights_[0] = edge.weight;
    has_negative_weight_ = edge.weight < 0;
  }
  return scratch_.data();
}

bool SortedBucket::FinishKeys(const BucketRules& rules, std::byte* starts_memory) {
  uint64_t most = keys_.empty() ? 0 : keys_.back() >> 32;  // the largest id
  if (rules.ids != nullptr && !rules.ids->is_identity()) {
    most = rules.ids->RankKeys(keys_);  // ranks rise with ids: the order stays
  }
  SourceStart* const starts = reinterpret_cast<SourceStart*>(starts_memory);
  size_t num_starts = 0;
  uint64_t previous = keys_.empty() ? 0 : ~keys_[0];
  uint64_t loops = 0, duplicates = 0;
  for (size_t i = 0; i < keys_.size(); ++i) {
    const uint64_t key = keys_[i];
    most = std::max<uint64_t>(most, static_cast<uint32_t>(key));
    loops += static_cast<uint32_t>(key >> 32) == static_cast<uint32_t>(key);
    duplicates += key == previous;
    starts[num_starts] = {static_cast<uint32_t>(key >> 32), static_cast<uint32_t>(i)};
    num_starts += key >> 32 != previous >> 32;
    previous = key;
  }
  starts_ = std::span(starts, num_starts);
  counts_.loops = loops;
  counts_.duplicates = duplicates;
  counts_.keys_sum = 0;
  if (rules.sums_keys) {
    for (const uint64_t key : keys_) counts_.keys_sum += Mix64(key);
  }
  return most < rules.num_vertices;
}

}  // namespace edgemill

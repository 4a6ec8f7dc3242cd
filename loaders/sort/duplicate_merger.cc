#include "loaders/sort/duplicate_merger.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "common/cancel.h"
#include "common/check.h"
#include "common/random.h"
#include "loaders/buckets/record_hash.h"

namespace edgemill {
namespace {

double Combine(DuplicateRule rule, double first, double second) {
  switch (rule) {
    case DuplicateRule::kMin:
      return std::min(first, second);
    case DuplicateRule::kMax:
      return std::max(first, second);
    case DuplicateRule::kSum:
      return first + second;
    case DuplicateRule::kKeep:
    case DuplicateRule::kFirst:
      break;
  }
  return first;
}

/// "the weights of edge u -> v " and `what`, as an error.
Status WeightsError(uint64_t key, const BucketRules& rules, std::string_view what) {
  const InputName source = rules.InputNameOf(static_cast<uint32_t>(key >> 32));
  const InputName target = rules.InputNameOf(static_cast<uint32_t>(key));
  const Status error =
      BadDataError(StrCat("the weights of edge ", source.text, " -> ", target.text, " ", what));
  return rules.at ? rules.at(source.id, target.id, error) : error;
}

/// Whether `weight` lies between the least and the greatest finite number of type W.
template <typename W>
bool Holds(double weight) {
  return weight >= std::numeric_limits<W>::lowest() && weight <= std::numeric_limits<W>::max();
}

/// Under kSum: the error when the weights add up to more than their type holds.
Status CheckSum(const WeightedKey& edge, const BucketRules& rules) {
  if (rules.duplicates != DuplicateRule::kSum) return OkStatus();
  const auto error = [&](std::string_view numbers, std::string_view instead) {
    const std::string what = StrCat("add up to ", edge.weight, ", more than ", numbers, " hold: ");
    return WeightsError(edge.key, rules, what + std::string(instead));
  };
  switch (rules.weights) {
    case WeightType::kInt32:
      if (Holds<int32_t>(edge.weight)) return OkStatus();
      return error("32-bit integers", "use --weights float64");
    case WeightType::kFloat32:
      if (Holds<float>(edge.weight)) return OkStatus();
      return error("32-bit floating-point numbers", "use --weights float64");
    case WeightType::kFloat64:
      if (Holds<double>(edge.weight)) return OkStatus();
      return error("floating-point numbers", "scale the weights");
    case WeightType::kNone:
      break;
  }
  return OkStatus();
}

Status WeightsDiffer(uint64_t key, const BucketRules& rules) {
  return WeightsError(key, rules,
                      "and of its reverse differ: say which to take with "
                      "--merge first|min|max|sum");
}

/// Calls `visit(weight)` for each weight of `side` of a bucket whose keys are all equal, in the
/// input's order. BadDataError when the records are not those that were appended.
template <typename Visit>
Status VisitSide(const Bucket& bucket, int side, SpilledWeight type, Visit visit) {
  constexpr uint64_t kChunkRecords = 32768;
  CHECK(bucket.has_single_key());
  const uint64_t record_bytes = SpilledRecordBytes(type);
  ASSIGN_OR_RETURN(Buffer memory, Buffer::Allocate(kChunkRecords * record_bytes));
  const uint64_t count = bucket.count(side);
  uint64_t sum = 0;
  bool alike = true;
  for (uint64_t first = 0; first < count; first += kChunkRecords) {
    RETURN_IF_ERROR(CheckCancelled());
    const auto bytes = memory.bytes().first(std::min(kChunkRecords, count - first) * record_bytes);
    RETURN_IF_ERROR(bucket.records[size_t(side)]->Read(first * record_bytes, bytes));
    VisitRecords(bytes, type, [&](size_t, uint64_t key, double weight) {
      alike &= key == bucket.first_key;
      sum += RecordHash(key, weight);
      visit(weight);
    });
  }
  if (!alike) return bucket.KeyOutside(side);
  return bucket.CheckRecords(side, sum);
}

/// A hash of several weights that does not depend on their order.
struct WeightsHash {
  uint64_t first = 0;
  uint64_t second = 0;

  void Add(double weight) {
    const auto bits = std::bit_cast<uint64_t>(weight + 0.0);  // -0 and 0 are the same weight
    first += Mix64(bits);
    second += Mix64(~bits);
  }
  bool operator==(const WeightsHash&) const = default;
};

/// How many elements from the front of `edges` have the key of the first one.
size_t RunLength(std::span<const WeightedKey> edges) {
  size_t length = 1;
  while (length < edges.size() && edges[length].key == edges[0].key) ++length;
  return length;
}

bool SameWeights(std::span<WeightedKey> a, std::span<WeightedKey> b) {
  const auto less = [](const WeightedKey& x, const WeightedKey& y) { return x.weight < y.weight; };
  const auto equal = [](const WeightedKey& x, const WeightedKey& y) {
    return x.weight == y.weight;
  };
  std::vector<WeightedKey> sorted_a(a.begin(), a.end());
  std::vector<WeightedKey> sorted_b(b.begin(), b.end());
  std::sort(sorted_a.begin(), sorted_a.end(), less);
  std::sort(sorted_b.begin(), sorted_b.end(), less);
  return std::equal(sorted_a.begin(), sorted_a.end(), sorted_b.begin(), sorted_b.end(), equal);
}

/// Merges each run of equal keys among `size` sorted edges `at(i)` into one edge, by
/// rules.duplicates. Calls `keep` with the number of earlier results and this edge. Returns the
/// number of results.
template <typename At, typename Keep>
StatusOr<uint64_t> MergeRuns(uint64_t size, const BucketRules& rules, At at, Keep keep) {
  const bool merge = rules.duplicates != DuplicateRule::kKeep;
  const bool check = rules.duplicates == DuplicateRule::kSum;
  uint64_t kept = 0;
  for (uint64_t i = 0; i < size; ++kept) {
    WeightedKey merged = at(i++);
    for (; merge && i < size && at(i).key == merged.key; ++i) {
      merged.weight = Combine(rules.duplicates, merged.weight, at(i).weight);
    }
    if (check) RETURN_IF_ERROR(CheckSum(merged, rules));
    keep(kept, merged);
  }
  return kept;
}

}  // namespace

uint64_t MergeEqual(std::span<uint64_t> keys) {
  return static_cast<uint64_t>(std::unique(keys.begin(), keys.end()) - keys.begin());
}

StatusOr<uint64_t> MergeEqual(WeightedKey* edges, uint64_t size, const BucketRules& rules) {
  CHECK(rules.duplicates != DuplicateRule::kKeep);
  return MergeRuns(
      size, rules, [=](uint64_t i) { return edges[i]; },
      [=](uint64_t kept, const WeightedKey& merged) { edges[kept] = merged; });
}

StatusOr<uint64_t> MergeEqual(const SortedWords& edges, const BucketRules& rules, uint64_t* keys,
                              double* weights) {
  const std::span<const uint64_t> sorted = edges.sorted;
  const EdgeWords words = edges.words;
  const int32_t min_weight = edges.min_weight;
  return MergeRuns(
      sorted.size(), rules,
      [=](uint64_t i) {
        const auto distance = static_cast<int64_t>(words.PayloadOf(sorted[i]));
        return WeightedKey{words.KeyOf(sorted[i]), static_cast<double>(min_weight + distance)};
      },
      [=](uint64_t kept, const WeightedKey& merged) {
        keys[kept] = merged.key;
        weights[kept] = merged.weight;
      });
}

uint64_t MergeDirections(std::span<const uint64_t> forward, std::span<const uint64_t> backward,
                         uint64_t* out) {
  // Equal keys pair up one by one. The surplus of one side follows.
  size_t i = 0, j = 0;
  uint64_t size = 0;
  while (i < forward.size() && j < backward.size()) {
    const uint64_t a = forward[i], b = backward[j];
    out[size++] = std::min(a, b);
    i += a <= b;
    j += b <= a;
  }
  size = static_cast<uint64_t>(
      std::copy(forward.begin() + static_cast<ptrdiff_t>(i), forward.end(), out + size) - out);
  return static_cast<uint64_t>(
      std::copy(backward.begin() + static_cast<ptrdiff_t>(j), backward.end(), out + size) - out);
}

StatusOr<uint64_t> MergeDirections(std::span<WeightedKey> forward, std::span<WeightedKey> backward,
                                   const BucketRules& rules, WeightedKey* out) {
  uint64_t size = 0;
  const auto take = [&](std::span<WeightedKey>& from, size_t count) {
    std::copy_n(from.begin(), count, out + size);
    size += count;
    from = from.subspan(count);
  };
  while (!forward.empty() && !backward.empty()) {
    if (forward[0].key != backward[0].key) {
      std::span<WeightedKey>& lesser = forward[0].key < backward[0].key ? forward : backward;
      take(lesser, RunLength(lesser));
      continue;
    }
    const uint64_t key = forward[0].key;
    const size_t num_forward = RunLength(forward);
    const size_t num_backward = RunLength(backward);
    if (SameWeights(forward.first(num_forward), backward.first(num_backward))) {
      // Takes the order of the direction from the lesser id, so that both columns have one order.
      const bool from_lesser = key >> 32 <= (key & 0xffffffff);
      take(from_lesser ? forward : backward, num_forward);
      (from_lesser ? backward : forward) = (from_lesser ? backward : forward).subspan(num_forward);
      continue;
    }
    if (rules.duplicates == DuplicateRule::kKeep) {
      return WeightsDiffer(key, rules);
    }
    const bool from_lesser = key >> 32 < (key & 0xffffffff);
    WeightedKey merged = from_lesser ? forward[0] : backward[0];
    merged.weight =
        Combine(rules.duplicates, merged.weight, (from_lesser ? backward[0] : forward[0]).weight);
    RETURN_IF_ERROR(CheckSum(merged, rules));
    out[size++] = merged;
    forward = forward.subspan(num_forward);
    backward = backward.subspan(num_backward);
  }
  take(forward, forward.size());
  take(backward, backward.size());
  return size;
}

StatusOr<double> FoldWeights(const Bucket& bucket, int side, SpilledWeight type,
                             const BucketRules& rules) {
  CHECK_GT(bucket.count(side), 0u);  // zero weights cannot be folded
  WeightedKey folded{bucket.first_key, 0};
  bool any = false;
  RETURN_IF_ERROR(VisitSide(bucket, side, type, [&](double weight) {
    folded.weight = any ? Combine(rules.duplicates, folded.weight, weight) : weight;
    any = true;
  }));
  RETURN_IF_ERROR(CheckSum(folded, rules));
  return folded.weight;
}

StatusOr<bool> SidesAgree(const Bucket& bucket, SpilledWeight type) {
  CHECK(bucket.has_single_key());
  if (bucket.count(0) != bucket.count(1)) return false;
  if (type == SpilledWeight::kNone) return true;
  WeightsHash hashes[2];
  for (int side = 0; side < 2; ++side) {
    RETURN_IF_ERROR(
        VisitSide(bucket, side, type, [&](double weight) { hashes[side].Add(weight); }));
  }
  return hashes[0] == hashes[1];
}

Status CheckSameWeights(const Bucket& bucket, SpilledWeight type, const BucketRules& rules) {
  if (bucket.count(0) == 0 || bucket.count(1) == 0) return OkStatus();
  ASSIGN_OR_RETURN(const bool agree, SidesAgree(bucket, type));
  return agree ? OkStatus() : WeightsDiffer(bucket.first_key, rules);
}

}  // namespace edgemill

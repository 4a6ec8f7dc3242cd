// What becomes of parallel edges in a sorted run: kept, merged, or matched with the other
// direction's.
#pragma once

#include <cstdint>

#include "common/status.h"
#include "loaders/sort/edge_words.h"
#include "loaders/sort/record_sort.h"
#include "loaders/sort/sorted_bucket.h"

namespace edgemill {

/// Leaves one of each key at the front of sorted `keys`; returns how many are left.
uint64_t MergeEqual(std::span<uint64_t> keys);
/// The same with weights combined by rules.duplicates (not kKeep), in the order they came in.
/// BadDataError for a sum that the weight type cannot hold.
StatusOr<uint64_t> MergeEqual(WeightedKey* edges, uint64_t size, const BucketRules& rules);

/// Keys and weights in words (SortWithWeights).
struct SortedWords {
  std::span<const uint64_t> sorted;
  const EdgeWords& words;
  int32_t min_weight;
};
/// The same of `edges`, to `keys` and `weights`, with any rule.
StatusOr<uint64_t> MergeEqual(const SortedWords& edges, const BucketRules& rules, uint64_t* keys,
                              double* weights);

/// Merges sorted `forward` with sorted `backward` (edges that the input has the other way round)
/// into `out`: each key as often as in the one that has more of it. Returns the number of edges in
/// `out`.
uint64_t MergeDirections(std::span<const uint64_t> forward, std::span<const uint64_t> backward,
                         uint64_t* out);
/// The same with weights. Where both have a key their weights must agree as multisets, or
/// rules.duplicates must say what to do: kFirst takes the direction from the lesser id, kSum adds
/// the two sums. BadDataError that names the edge otherwise.
StatusOr<uint64_t> MergeDirections(std::span<WeightedKey> forward, std::span<WeightedKey> backward,
                                   const BucketRules& rules, WeightedKey* out);

/// The weight that MergeEqual gives the edge whose records are all of `side` of `bucket`, at least
/// one, spilled as `type`. Reads them once, in chunks: memory does not grow with their number.
StatusOr<double> FoldWeights(const Bucket& bucket, int side, SpilledWeight type,
                             const BucketRules& rules);
/// Checks what MergeDirections checks under kKeep, of a bucket whose keys are all equal: that both
/// sides have the same weights equally often, unless one is empty. Compares sums of hashes, in
/// chunks: memory does not grow with their number.
Status CheckSameWeights(const Bucket& bucket, SpilledWeight type, const BucketRules& rules);
/// Whether the two sides of such a bucket hold equally many records with the same weights.
StatusOr<bool> SidesAgree(const Bucket& bucket, SpilledWeight type);

}  // namespace edgemill

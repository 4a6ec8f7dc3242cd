// Keeps parallel edges of a sorted run, merges them, or matches them with those of the other
// direction.
#pragma once

#include <cstdint>

#include "common/status.h"
#include "loaders/sort/edge_words.h"
#include "loaders/sort/record_sort.h"
#include "loaders/sort/sorted_bucket.h"

namespace edgemill {

/// Moves one of each key to the front of sorted `keys`. Returns how many there are.
uint64_t MergeEqual(std::span<uint64_t> keys);
/// The same with weights. Combines the weights of equal keys in their order, by rules.duplicates
/// (not kKeep). BadDataError for a sum that the weight type cannot hold.
StatusOr<uint64_t> MergeEqual(WeightedKey* edges, uint64_t size, const BucketRules& rules);

/// Keys and weights in the words that SortWithWeights returns.
struct SortedWords {
  std::span<const uint64_t> sorted;
  const EdgeWords& words;
  int32_t min_weight;
};
/// The same for sorted words, with any rule. Writes the results to `keys` and `weights`.
StatusOr<uint64_t> MergeEqual(const SortedWords& edges, const BucketRules& rules, uint64_t* keys,
                              double* weights);

/// Merges sorted `forward` with sorted `backward` (the reversed edges of the input) into `out`. If
/// a key is m times in one and n times in the other, it is max(m, n) times in `out`. Returns the
/// number of edges in `out`.
uint64_t MergeDirections(std::span<const uint64_t> forward, std::span<const uint64_t> backward,
                         uint64_t* out);
/// The same with weights. If both directions have a key, its weights must be the same multisets, or
/// rules.duplicates must combine them: kFirst takes the direction from the lesser id, kSum adds the
/// two sums. Otherwise returns a BadDataError that names the edge.
StatusOr<uint64_t> MergeDirections(std::span<WeightedKey> forward, std::span<WeightedKey> backward,
                                   const BucketRules& rules, WeightedKey* out);

/// The weight into which MergeEqual merges all records of `side` of `bucket`. There is at least
/// one, their keys are equal, and they are spilled as `type`. Reads them in chunks, so that memory
/// does not grow with their number.
StatusOr<double> FoldWeights(const Bucket& bucket, int side, SpilledWeight type,
                             const BucketRules& rules);
/// The check of MergeDirections under kKeep, for a bucket whose keys are all equal. Both sides must
/// have the same weights equally often, unless one side is empty. Compares sums of hashes and reads
/// in chunks, so that memory does not grow with the number of records.
Status CheckSameWeights(const Bucket& bucket, SpilledWeight type, const BucketRules& rules);
/// Whether the two sides of such a bucket hold equally many records with the same weights.
StatusOr<bool> SidesAgree(const Bucket& bucket, SpilledWeight type);

}  // namespace edgemill

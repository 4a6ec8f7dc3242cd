// What becomes of parallel edges in a sorted run: kept, merged, or matched with the other
// direction's.
#pragma once

#include <cstdint>

#include "common/status.h"
#include "loaders/radix_sort.h"
#include "loaders/sorted_bucket.h"

namespace edgemill {

/// Leaves one of each key in sorted `keys[0, size)`; returns how many are left.
uint64_t MergeEqual(uint64_t* keys, uint64_t size);
/// The same with weights combined by rules.duplicates (not kKeep), in the order they came in.
/// BadDataError for a sum that the weight type cannot hold.
StatusOr<uint64_t> MergeEqual(WeightedKey* edges, uint64_t size, const BucketRules& rules);

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

}  // namespace edgemill

// The hash that stands for a vertex's name until all names are known and have ranks.
#pragma once

#include <cstdint>
#include <string_view>

namespace edgemill {

/// The id that edges carry instead of `name`: 63 bits of its XXH3-128 hash. Two names with the same
/// hash are found when names get their ranks, and the ingest then fails with this seed. For 100
/// million names, one seed of about 2,000 gives such a pair.
uint64_t HashName(std::string_view name, uint64_t seed);

/// A random seed, which the author of the names cannot predict.
uint64_t DrawNameSeed();

/// A hash of `name` that is independent of HashName's when the seeds differ.
uint64_t MarkOfName(std::string_view name, uint64_t seed);

}  // namespace edgemill

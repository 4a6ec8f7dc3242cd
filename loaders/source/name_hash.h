// The hash that stands for a vertex's name until all names are known and have ranks.
#pragma once

#include <cstdint>
#include <string_view>

namespace edgemill {

/// The id that edges carry in the place of `name`: half of its XXH3-128, below 2^63. Two names with
/// one hash are found when names get their ranks. A graph cannot be made of them with this seed:
/// 100 million names hold such a pair once in two thousand times.
uint64_t HashName(std::string_view name, uint64_t seed);

/// A seed that the author of the names could not foresee.
uint64_t DrawNameSeed();

/// A hash of `name` that has nothing in common with HashName's where the seeds differ.
uint64_t MarkOfName(std::string_view name, uint64_t seed);

}  // namespace edgemill

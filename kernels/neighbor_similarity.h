// Measures of how similar two vertices are, by the neighbours that they share.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "kernels/portable_atomics.h"

namespace edgemill {

enum class SimilarityMeasure : uint8_t {
  kJaccard,
  kSorensen,
  kOverlap,
  kCosine,
  kCommon,
  kAdamicAdar,
  kAllocation
};

/// The names of all measures, as an option has them.
inline constexpr std::string_view kSimilarityMeasures =
    "jaccard|sorensen|overlap|cosine|common|adamic-adar|allocation";

/// The measure of one of these names.
inline SimilarityMeasure SimilarityMeasureOf(std::string_view name) {
  if (name == "jaccard") return SimilarityMeasure::kJaccard;
  if (name == "sorensen") return SimilarityMeasure::kSorensen;
  if (name == "overlap") return SimilarityMeasure::kOverlap;
  if (name == "cosine") return SimilarityMeasure::kCosine;
  if (name == "common") return SimilarityMeasure::kCommon;
  return name == "adamic-adar" ? SimilarityMeasure::kAdamicAdar : SimilarityMeasure::kAllocation;
}

/// Whether shared neighbours have weights, which are added up.
constexpr bool WeighsNeighbors(SimilarityMeasure measure) {
  return measure == SimilarityMeasure::kAdamicAdar || measure == SimilarityMeasure::kAllocation;
}

/// The value for vertices with `one` and `other` neighbours, of which `shared` are the same. For
/// measures that weigh neighbours, `shared` is the sum of weights.
inline double SimilarityOf(SimilarityMeasure measure, double shared, double one, double other) {
  if (shared == 0) return 0;
  switch (measure) {
    case SimilarityMeasure::kJaccard:
      return shared / (one + other - shared);
    case SimilarityMeasure::kSorensen:
      return 2 * shared / (one + other);
    case SimilarityMeasure::kOverlap:
      return shared / std::min(one, other);
    case SimilarityMeasure::kCosine:
      return shared / std::sqrt(one * other);
    default:
      return shared;
  }
}

namespace internal {

/// The upper half of the product a * b.
EM_HOST_DEVICE inline uint64_t MultiplyHigh(uint64_t a, uint64_t b) {
#if defined(__CUDA_ARCH__)
  return __umul64hi(a, b);
#else
  return static_cast<uint64_t>((static_cast<unsigned __int128>(a) * b) >> 64);
#endif
}

/// The binary logarithm of n, which is at least 1. It is computed by whole numbers alone, so that
/// all processors get the same bits.
EM_HOST_DEVICE inline double BinaryLog(uint32_t n) {
  constexpr int kBits = 52;  // behind the point
  uint32_t whole = 0;
  while ((uint64_t{n} >> (whole + 1)) != 0) ++whole;
  uint64_t rest = uint64_t{n} << (63 - whole);  // from 1 up to 2, in units of 2^-63
  uint64_t log = whole;
  for (int i = 0; i < kBits; ++i) {  // the square is 2 or more where the next bit is 1
    rest = MultiplyHigh(rest, rest);
    const bool is_set = (rest >> 63) != 0;
    log = log << 1 | (is_set ? 1 : 0);
    if (!is_set) rest <<= 1;
  }
  return static_cast<double>(log) * 0x1p-52;
}

}  // namespace internal

/// What a shared neighbour of `holders` vertices counts: 1 / ln(holders) by_log, else 1 / holders.
/// With one holder, no other vertex shares it, and it counts 0. The same bits on every processor.
EM_HOST_DEVICE inline double NeighborWeight(uint32_t holders, bool by_log) {
  constexpr double kInverseLn2 = 1.4426950408889634;
  if (holders < 2) return 0;
  return by_log ? kInverseLn2 / internal::BinaryLog(holders) : 1 / static_cast<double>(holders);
}

}  // namespace edgemill

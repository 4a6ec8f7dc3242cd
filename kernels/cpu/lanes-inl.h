// Vectors of 32-bit numbers, for the instruction set that is being compiled: prefix sums, and sets
// of lanes. Sources that Highway compiles for each instruction set include this file once each
// time.
#if defined(EDGEMILL_KERNELS_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef EDGEMILL_KERNELS_LANES_INL_H_
#undef EDGEMILL_KERNELS_LANES_INL_H_
#else
#define EDGEMILL_KERNELS_LANES_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace edgemill::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

/// The lanes of a vector: 4, 8 or 16, by the instruction set.
using Lanes = hn::CappedTag<uint32_t, 16>;
using Vector = hn::Vec<Lanes>;
constexpr uint32_t kLanes = hn::MaxLanes(Lanes());

/// Computes prefix sums over a sequence of vectors.
class RunningSum {
 public:
  explicit RunningSum(uint32_t start) : carry_(hn::Set(Lanes(), start)) {}

  HWY_INLINE Vector Add(Vector values) {
    const Lanes d32;
    const Vector lane = hn::Iota(d32, 0);
    Vector sums = hn::Add(values, hn::ShiftLeftLanes<1>(d32, values));
    sums = hn::Add(sums, hn::ShiftLeftLanes<2>(d32, sums));
    // Blocks have four lanes. Odd blocks add the sum of the block before. Then the upper half adds
    // the sum of the lower half.
    if constexpr (kLanes > 4) {
      const Vector block = hn::ShiftRight<2>(lane);
      const auto odd = hn::Ne(hn::And(block, hn::Set(d32, 1)), hn::Zero(d32));
      const auto before = hn::IndicesFromVec(
          d32, hn::IfThenElseZero(odd, hn::Sub(hn::ShiftLeft<2>(block), hn::Set(d32, 1))));
      sums = hn::Add(sums, hn::IfThenElseZero(odd, hn::TableLookupLanes(sums, before)));
    }
    if constexpr (kLanes > 8) {
      const auto upper = hn::Gt(lane, hn::Set(d32, 7));
      const auto lower_half = hn::IndicesFromVec(d32, hn::Set(d32, 7));
      sums = hn::Add(sums, hn::IfThenElseZero(upper, hn::TableLookupLanes(sums, lower_half)));
    }
    // The total does not include carry_, so that only one addition depends on the last vector.
    const Vector total =
        hn::TableLookupLanes(sums, hn::IndicesFromVec(d32, hn::Set(d32, kLanes - 1)));
    sums = hn::Add(sums, carry_);
    carry_ = hn::Add(carry_, total);
    return sums;
  }

 private:
  Vector carry_;
};

#if HWY_MAX_BYTES > 16

/// Returns the greatest lane.
HWY_INLINE uint32_t GreatestOf(Vector lanes) {
  alignas(64) uint32_t numbers[kLanes];
  hn::Store(lanes, Lanes(), numbers);
  return *std::max_element(numbers, numbers + kLanes);
}

/// Returns the bitwise "or" of all lanes.
HWY_INLINE uint32_t OrOfLanes(Vector lanes) {
  const hn::Half<Lanes> half;
  const auto halves = hn::Or(hn::LowerHalf(half, lanes), hn::UpperHalf(half, lanes));
#if HWY_MAX_BYTES > 32
  const hn::Half<hn::Half<Lanes>> quarter;
  auto four = hn::Or(hn::LowerHalf(quarter, halves), hn::UpperHalf(quarter, halves));
#else
  auto four = halves;
#endif
  four = hn::Or(four, hn::Shuffle1032(four));
  return hn::GetLane(hn::Or(four, hn::Shuffle2301(four)));
}

/// The set of all lanes. Sets of lanes are bits of a number.
constexpr uint32_t kAllLanes = (uint32_t{1} << kLanes) - 1;

#if HWY_TARGET <= HWY_AVX3

using LaneMask = hn::Mask<Lanes>;

HWY_INLINE LaneMask LanesOf(uint32_t bits) { return LaneMask{static_cast<__mmask16>(bits)}; }

/// Puts the numbers at `from`, in order, into the lanes of the set `bits`. Other lanes are 0.
HWY_INLINE Vector Expand(const uint32_t* from, uint32_t bits) {
  return Vector{
      _mm512_maskz_expand_epi32(static_cast<__mmask16>(bits), hn::LoadU(Lanes(), from).raw)};
}

/// Returns the set of a vector's lanes whose bytes at `bytes` have the highest bit set.
HWY_INLINE uint32_t HeadBits(const uint8_t* bytes) {
  return static_cast<uint32_t>(
      _mm_movemask_epi8(hn::LoadU(hn::CappedTag<uint8_t, 16>(), bytes).raw));
}

#else

/// For each set of eight lanes, the rank of each lane in the set: which number Expand puts there.
constexpr std::array<std::array<uint8_t, 8>, 256> MakeRanks() {
  std::array<std::array<uint8_t, 8>, 256> ranks{};
  for (uint32_t bits = 0; bits < 256; ++bits) {
    uint8_t rank = 0;
    for (uint32_t lane = 0; lane < 8; ++lane) {
      if (bits >> lane & 1) ranks[bits][lane] = rank++;
    }
  }
  return ranks;
}
inline constexpr auto kRanks = MakeRanks();

HWY_INLINE auto LanesOf(uint32_t bits) {
  const Lanes d32;
  const Vector lane_bit = hn::Shl(hn::Set(d32, 1), hn::Iota(d32, 0));
  return hn::Ne(hn::And(hn::Set(d32, bits), lane_bit), hn::Zero(d32));
}

HWY_INLINE Vector Expand(const uint32_t* from, uint32_t bits) {
  const Lanes d32;
  const Vector rank =
      hn::PromoteTo(d32, hn::LoadU(hn::Rebind<uint8_t, Lanes>(), kRanks[bits].data()));
  return hn::IfThenElseZero(
      LanesOf(bits), hn::TableLookupLanes(hn::LoadU(d32, from), hn::IndicesFromVec(d32, rank)));
}

HWY_INLINE uint32_t HeadBits(const uint8_t* bytes) {
  return static_cast<uint32_t>(
             _mm_movemask_epi8(hn::LoadU(hn::CappedTag<uint8_t, 8>(), bytes).raw)) &
         255;
}

#endif

/// Returns for each lane the last lane of the set that is not after it; lane 0 if there is none.
HWY_INLINE auto LastOf(uint32_t bits) {
  const Lanes d32;
  const hn::RebindToSigned<Lanes> signed32;
  const Vector up_to = hn::Sub(hn::Shl(hn::Set(d32, 2), hn::Iota(d32, 0)), hn::Set(d32, 1));
  // The number of the highest bit is the exponent of the set as a float: 16 bits are exact.
  const Vector set = hn::And(hn::Set(d32, bits | 1), up_to);
  const auto number = hn::ConvertTo(hn::RebindToFloat<Lanes>(), hn::BitCast(signed32, set));
  return hn::IndicesFromVec(
      d32, hn::Sub(hn::ShiftRight<23>(hn::BitCast(d32, number)), hn::Set(d32, 127)));
}

#endif

#endif

}  // namespace edgemill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

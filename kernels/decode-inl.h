// Decoding a group, for whatever instruction set this is being compiled: included once each, by the
// sources that Highway compiles repeatedly.
#if defined(EDGEMILL_KERNELS_DECODE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef EDGEMILL_KERNELS_DECODE_INL_H_
#undef EDGEMILL_KERNELS_DECODE_INL_H_
#else
#define EDGEMILL_KERNELS_DECODE_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "kernels/decode.h"

HWY_BEFORE_NAMESPACE();
namespace edgemill::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Writes zeros to 128 values.
HWY_INLINE void Clear(uint32_t* values) {
  const hn::CappedTag<uint32_t, 16> d32;
  for (uint32_t i = 0; i < kGroupSize; i += hn::Lanes(d32))
    hn::Store(hn::Zero(d32), d32, values + i);
}

/// Writes the exceptions' high bits, above `header.width`, to their places, zeros to all others.
///
/// Before the values themselves: the vectors that gather these stores come some time after them,
/// and so need not wait for each to reach the cache. By fours, the last again where there are
/// fewer: how often the loop runs is seldom mispredicted then.
HWY_INLINE void PlaceHighBits(const GroupHeader& header, const uint8_t* bytes, uint32_t* values) {
  Clear(values);
  const uint32_t entry_bits = 7 + header.high_bits;
  const uint64_t high_mask = (uint64_t{1} << header.high_bits) - 1;
  const uint32_t last = header.exceptions - 1;
  for (uint32_t i = 0; i < header.exceptions; i += 4) {
    for (uint32_t step = 0; step < 4; ++step) {
      const uint32_t bit = std::min(i + step, last) * entry_bits;
      uint64_t window;
      std::memcpy(&window, bytes + bit / 8, sizeof(window));
      window >>= bit % 8;
      values[window & 127] |= static_cast<uint32_t>((window >> 7 & high_mask) << header.width);
    }
  }
}

/// Puts the 128 values of `width` bits at `bytes` below what `values` holds, one at a time: any
/// width, any processor.
HWY_INLINE void AddLowBitsOneByOne(const uint8_t* bytes, uint32_t width, uint32_t* values) {
  const uint64_t mask = (uint64_t{1} << width) - 1;
  for (uint32_t i = 0, bit = 0; i < kGroupSize; ++i, bit += width) {
    uint64_t window;
    std::memcpy(&window, bytes + bit / 8, sizeof(window));
    values[i] |= static_cast<uint32_t>(window >> (bit % 8) & mask);
  }
}

/// Whether prefix sums of values as wide as the header allows might wrap around.
HWY_INLINE bool MayWrap(const GroupHeader& header) {
  return header.width + (header.exceptions > 0 ? header.high_bits : 0) > 32 - 7;
}

#if HWY_TARGET == HWY_SCALAR

HWY_INLINE void AddLowBits(const uint8_t* bytes, uint32_t width, uint32_t* values) {
  AddLowBitsOneByOne(bytes, width, values);
}

HWY_INLINE void SumUp(uint32_t* values, uint32_t start) {
  values[0] += start;
  for (uint32_t i = 1; i < kGroupSize; ++i) values[i] += values[i - 1];
}

HWY_INLINE bool Rises(const uint32_t* sums) {
  bool rising = true;
  for (uint32_t i = 1; i < kGroupSize; ++i) rising &= sums[i] >= sums[i - 1];
  return rising;
}

#else

/// As many values as this processor takes at once: 4, 8 or 16.
using Lanes = hn::CappedTag<uint32_t, 16>;
using Vector = hn::Vec<Lanes>;
constexpr uint32_t kLanes = hn::MaxLanes(Lanes());

#if HWY_MAX_BYTES == 16

/// The widest values whose bits, wherever they start in a byte, fit a 32-bit window.
inline constexpr uint32_t kWidestWindow = 25;

/// How four values of one width come out of 16 bytes: which bytes make each one's window, and its
/// shift.
struct QuadLayout {
  alignas(16) std::array<uint8_t, 16> bytes;
  alignas(16) std::array<uint32_t, 4> shifts;
};

/// Layouts by width, for quads that start on a byte and, at odd widths, in the middle of one.
constexpr std::array<std::array<QuadLayout, 2>, kWidestWindow + 1> MakeLayouts() {
  std::array<std::array<QuadLayout, 2>, kWidestWindow + 1> layouts{};
  for (uint32_t width = 0; width <= kWidestWindow; ++width) {
    for (uint32_t half = 0; half < 2; ++half) {
      for (uint32_t lane = 0; lane < 4; ++lane) {
        const uint32_t bit = (half * 4 * width) % 8 + lane * width;
        for (uint32_t byte = 0; byte < 4; ++byte) {
          layouts[width][half].bytes[4 * lane + byte] = static_cast<uint8_t>(bit / 8 + byte);
        }
        layouts[width][half].shifts[lane] = bit % 8;
      }
    }
  }
  return layouts;
}
inline constexpr auto kLayouts = MakeLayouts();

/// Puts the 128 values of `width` bits at `bytes` below what `values` holds: four values' bytes are
/// shuffled into their lanes.
HWY_INLINE void AddLowBits(const uint8_t* bytes, uint32_t width, uint32_t* values) {
  if (width > kWidestWindow) return AddLowBitsOneByOne(bytes, width, values);
  const Lanes d32;
  const hn::Repartition<uint8_t, Lanes> d8;
  const Vector mask = hn::Set(d32, (uint32_t{1} << width) - 1);
  for (uint32_t half = 0; half < 2; ++half) {
    const auto shuffle = hn::Load(d8, kLayouts[width][half].bytes.data());
    const Vector shift = hn::Load(d32, kLayouts[width][half].shifts.data());
    const uint8_t* from = bytes + half * (4 * width / 8);
    for (uint32_t i = 4 * half; i < kGroupSize; i += 8, from += width) {
      const auto windows = hn::TableLookupBytes(hn::LoadU(d8, from), shuffle);
      const Vector low = hn::And(hn::Shr(hn::BitCast(d32, windows), shift), mask);
      hn::Store(hn::Or(hn::Load(d32, values + i), low), d32, values + i);
    }
  }
}

#else

/// How values of one width come out of a vector of bytes: each lane takes the two words that its
/// value may lie in, and shifts them together. A vector's values fill at most a vector, whatever
/// the width.
struct Windows {
  explicit Windows(uint32_t width) {
    const Vector bit = hn::Mul(hn::Iota(Lanes(), 0), hn::Set(Lanes(), width));
    low_word = hn::ShiftRight<5>(bit);
    high_word = hn::Min(hn::Add(low_word, hn::Set(Lanes(), 1)), hn::Set(Lanes(), kLanes - 1));
    right = hn::And(bit, hn::Set(Lanes(), 31));
    left = hn::Sub(hn::Set(Lanes(), 31), right);  // after a shift by one: never by 32
    mask = hn::Set(Lanes(), static_cast<uint32_t>((uint64_t{1} << width) - 1));
  }
  /// The values that start at `bytes`, up to a vector of them.
  HWY_INLINE Vector At(const uint8_t* bytes) const {
    const hn::Repartition<uint8_t, Lanes> d8;
    const Vector words = hn::BitCast(Lanes(), hn::LoadU(d8, bytes));
    const Vector low = hn::TableLookupLanes(words, hn::IndicesFromVec(Lanes(), low_word));
    const Vector high = hn::TableLookupLanes(words, hn::IndicesFromVec(Lanes(), high_word));
    const Vector window = hn::Or(hn::Shr(low, right), hn::Shl(hn::Add(high, high), left));
    return hn::And(window, mask);
  }

  Vector low_word, high_word, right, left, mask;
};

/// Puts the 128 values of `width` bits at `bytes` below what `values` holds.
HWY_INLINE void AddLowBits(const uint8_t* bytes, uint32_t width, uint32_t* values) {
  const Lanes d32;
  const Windows windows(width);
  for (uint32_t i = 0; i < kGroupSize; i += kLanes, bytes += kLanes * width / 8) {
    hn::Store(hn::Or(hn::Load(d32, values + i), windows.At(bytes)), d32, values + i);
  }
}

#endif

/// Prefix sums of `values` in place, from `start` on.
HWY_INLINE void SumUp(uint32_t* values, uint32_t start) {
  const Lanes d32;
  const Vector lane = hn::Iota(d32, 0);
  // Blocks are four lanes. Odd ones take the sum of the one before, the upper half of the lower.
  const Vector block = hn::ShiftRight<2>(lane);
  const auto odd = hn::Ne(hn::And(block, hn::Set(d32, 1)), hn::Zero(d32));
  const auto block_before = hn::IndicesFromVec(
      d32, hn::IfThenElseZero(odd, hn::Sub(hn::ShiftLeft<2>(block), hn::Set(d32, 1))));
  const auto upper = hn::Gt(lane, hn::Set(d32, 7));
  const auto lower_half = hn::IndicesFromVec(d32, hn::Set(d32, 7 % kLanes));
  const auto last = hn::IndicesFromVec(d32, hn::Set(d32, kLanes - 1));
  Vector carry = hn::Set(d32, start);
  for (uint32_t i = 0; i < kGroupSize; i += kLanes) {
    Vector sums = hn::Load(d32, values + i);
    sums = hn::Add(sums, hn::ShiftLeftLanes<1>(d32, sums));
    sums = hn::Add(sums, hn::ShiftLeftLanes<2>(d32, sums));
    if constexpr (kLanes > 4) {
      const Vector before = hn::TableLookupLanes(sums, block_before);
      sums = hn::Add(sums, hn::IfThenElseZero(odd, before));
    }
    if constexpr (kLanes > 8) {
      const Vector before = hn::TableLookupLanes(sums, lower_half);
      sums = hn::Add(sums, hn::IfThenElseZero(upper, before));
    }
    // The vector's own sum, so that only an addition waits for the vector before.
    const Vector total = hn::TableLookupLanes(sums, last);
    hn::Store(hn::Add(sums, carry), d32, values + i);
    carry = hn::Add(carry, total);
  }
}

/// Whether no prefix sum is less than the one before. A zero stands before the first.
HWY_INLINE bool Rises(const uint32_t* sums) {
  const Lanes d32;
  Vector falls = hn::Zero(d32);
  for (uint32_t i = 0; i < kGroupSize; i += kLanes) {
    const Vector before = hn::LoadU(d32, sums + i - 1);
    falls = hn::Or(falls, hn::VecFromMask(d32, hn::Lt(hn::Load(d32, sums + i), before)));
  }
  return hn::AllTrue(d32, hn::Eq(falls, hn::Zero(d32)));
}

#endif

/// Writes the group's 128 values, exceptions applied.
HWY_INLINE void GroupValues(const PackedView& view, const GroupHeader& header, uint32_t* values) {
  const uint8_t* bytes = reinterpret_cast<const uint8_t*>(view.data(header));
  PlaceHighBits(header, bytes + 16 * header.width, values);
  AddLowBits(bytes, header.width, values);
}

HWY_INLINE void GroupSums(const PackedView& view, uint32_t group, GroupPrefix* prefix) {
  const GroupHeader header = view.header(group);
  uint32_t* const sums = prefix->sums();
  GroupValues(view, header, sums);
  SumUp(sums, 0);
  prefix->rising = !MayWrap(header) || Rises(sums);
  prefix->base = header.base;
}

}  // namespace edgemill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

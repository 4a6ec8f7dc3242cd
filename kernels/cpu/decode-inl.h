// Decodes a group, for the instruction set that is being compiled. Sources that Highway compiles
// for each instruction set include this file once each time.
#if defined(EDGEMILL_KERNELS_DECODE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef EDGEMILL_KERNELS_DECODE_INL_H_
#undef EDGEMILL_KERNELS_DECODE_INL_H_
#else
#define EDGEMILL_KERNELS_DECODE_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "kernels/cpu/decode.h"
#include "kernels/cpu/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace edgemill::HWY_NAMESPACE {

/// Writes zeros to 128 values.
HWY_INLINE void Clear(uint32_t* values) {
  const hn::CappedTag<uint32_t, 16> d32;
  for (uint32_t i = 0; i < kGroupSize; i += hn::Lanes(d32))
    hn::Store(hn::Zero(d32), d32, values + i);
}

/// Writes the exceptions' high bits to their places, shifted left by `header.width`. Writes zeros
/// to all other places.
///
/// This comes before the values' low bits. The vector loads of these places then come late enough
/// not to wait for the stores. Exceptions are taken by fours, and the last one is repeated to fill
/// up. The number of iterations is then seldom mispredicted.
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

/// Adds the low bits, 128 values of `width` bits at `bytes`, to `values`, one at a time. Works for
/// any width on any processor.
HWY_INLINE void AddLowBitsOneByOne(const uint8_t* bytes, uint32_t width, uint32_t* values) {
  const uint64_t mask = (uint64_t{1} << width) - 1;
  for (uint32_t i = 0, bit = 0; i < kGroupSize; ++i, bit += width) {
    uint64_t window;
    std::memcpy(&window, bytes + bit / 8, sizeof(window));
    values[i] |= static_cast<uint32_t>(window >> (bit % 8) & mask);
  }
}

/// Whether prefix sums may wrap around, by the widest values that the header allows.
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

#if HWY_MAX_BYTES == 16

/// The most bits of a value that fit in a 32-bit window, wherever in a byte the value starts.
inline constexpr uint32_t kWidestWindow = 25;

/// How to get four values of one width from 16 bytes: the four bytes of each value's window, and
/// its shift.
struct QuadLayout {
  alignas(16) std::array<uint8_t, 16> bytes;
  alignas(16) std::array<uint32_t, 4> shifts;
};

/// Layouts by width, for four values that start on a byte, or in the middle of one (odd widths).
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

/// Adds the low bits, 128 values of `width` bits at `bytes`, to `values`. Shuffles the bytes of
/// four values into their lanes.
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

/// How to get values of one width from a vector of bytes. Each lane takes the two words that may
/// hold its value, and shifts them together. The bits of a vector of values always fit in one
/// vector.
struct BitWindows {
  /// For values that start `first_bit` bits (below 8) after the address from which they are loaded.
  explicit BitWindows(uint32_t width, uint32_t first_bit = 0) {
    const Vector bit = hn::Add(hn::Mul(hn::Iota(Lanes(), 0), hn::Set(Lanes(), width)),
                               hn::Set(Lanes(), first_bit));
    low_word = hn::ShiftRight<5>(bit);
    high_word = hn::Min(hn::Add(low_word, hn::Set(Lanes(), 1)), hn::Set(Lanes(), kLanes - 1));
    right = hn::And(bit, hn::Set(Lanes(), 31));
    left = hn::Sub(hn::Set(Lanes(), 31), right);  // a shift by 1 comes first, so it is never 32
    mask = hn::Set(Lanes(), static_cast<uint32_t>((uint64_t{1} << width) - 1));
  }
  /// Returns a vector of the values that start at `bytes`.
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

/// A group's exceptions: their places, and the high bits that are added to the low bits there.
struct Exceptions {
  uint64_t places[2];                              // a bit for each of the 128 values
  alignas(64) uint32_t high[kGroupSize + kLanes];  // in order of place; already shifted

  /// Returns the high bits of a vector of values from `place` on. They are 0 where a value is no
  /// exception.
  HWY_INLINE Vector Above(uint32_t place) const {
    const uint32_t word = place / 64, bit = place % 64;
    uint64_t lanes = places[word] >> bit;
    if (word == 0) lanes |= places[1] << 1 << (63 - bit);
    const auto before = std::popcount(places[word] & ((uint64_t{1} << bit) - 1)) +
                        (word == 0 ? 0 : std::popcount(places[0]));
    return Expand(high + before, static_cast<uint32_t>(lanes) & kAllLanes);
  }
};

/// Unpacks entries one at a time. They may have any number of high bits, and any order.
HWY_INLINE void UnpackOneByOne(const GroupHeader& header, const uint32_t* words,
                               Exceptions* exceptions) {
  uint32_t by_place[kGroupSize] = {};
  exceptions->places[0] = exceptions->places[1] = 0;
  VisitExceptions(header, words, [&](uint32_t place, uint32_t high_bits) {
    exceptions->places[place / 64] |= uint64_t{1} << place % 64;
    by_place[place] |= static_cast<uint32_t>(uint64_t{high_bits} << header.width);
  });
  uint32_t* high = exceptions->high;
  for (uint32_t place = 0; place < kGroupSize; ++place) {
    if (exceptions->places[place / 64] >> place % 64 & 1) *high++ = by_place[place];
  }
}

/// Unpacks a vector of entries at a time. Four lanes hold 128 bits, one for each value. A shift
/// puts each entry's bit into the right lane and gives 0 in other lanes. The bits of all entries
/// are combined by "or".
HWY_INLINE void Unpack(const GroupHeader& header, const uint32_t* words, Exceptions* exceptions) {
  exceptions->places[0] = exceptions->places[1] = 0;
  if (header.exceptions == 0) return;
  const uint32_t entry_bits = 7 + header.high_bits;
  if (entry_bits > 32) return UnpackOneByOne(header, words, exceptions);
  const Lanes d32;
  const Vector lane = hn::Iota(d32, 0);
  const Vector one = hn::Set(d32, 1);
  const Vector first_bit = hn::ShiftLeft<5>(hn::And(lane, hn::Set(d32, 3)));
  const Vector quad = hn::ShiftRight<2>(lane);
  const BitWindows entries(entry_bits);
  const uint8_t* bytes = reinterpret_cast<const uint8_t*>(words + 4 * header.width);
  const auto width = static_cast<int>(header.width);
  const auto is_first = hn::Eq(lane, hn::Zero(d32));
  const auto lane_before =
      hn::IndicesFromVec(d32, hn::IfThenZeroElse(is_first, hn::Sub(lane, one)));
  const auto last_lane = hn::IndicesFromVec(d32, hn::Set(d32, kLanes - 1));
  Vector bits = hn::Zero(d32);
  Vector disorder = hn::Zero(d32);
  Vector last_beyond = hn::Zero(d32);  // one more than the last vector's last place
  for (uint32_t i = 0; i < header.exceptions; i += kLanes, bytes += kLanes * entry_bits / 8) {
    const Vector entry = entries.At(bytes);
    hn::StoreU(hn::ShiftLeftSame(hn::ShiftRight<7>(entry), width), d32, exceptions->high + i);
    const auto is_one = hn::Lt(lane, hn::Set(d32, header.exceptions - i));
    const Vector place = hn::IfThenElse(is_one, hn::And(entry, hn::Set(d32, kGroupSize - 1)),
                                        hn::Set(d32, kGroupSize));
    const Vector beyond = hn::Add(place, one);
    const Vector before =
        hn::IfThenElse(is_first, last_beyond, hn::TableLookupLanes(beyond, lane_before));
    last_beyond = hn::TableLookupLanes(beyond, last_lane);
    disorder = hn::Or(disorder,
                      hn::IfThenZeroElse(hn::Lt(before, beyond), hn::IfThenElseZero(is_one, one)));
    for (uint32_t first = 0; first < kLanes; first += kLanes / 4) {
      const Vector from = hn::Add(quad, hn::Set(d32, first));
      const Vector bit =
          hn::Sub(hn::TableLookupLanes(place, hn::IndicesFromVec(d32, from)), first_bit);
      bits = hn::Or(bits, hn::IfThenElseZero(hn::Lt(bit, hn::Set(d32, 32)), hn::Shl(one, bit)));
    }
  }
  // The encoder never writes places out of order, but all decoders must give the same result.
  if (!hn::AllTrue(d32, hn::Eq(disorder, hn::Zero(d32)))) {
    return UnpackOneByOne(header, words, exceptions);
  }
  alignas(64) uint64_t halves[kLanes / 2];
  hn::Store(bits, d32, reinterpret_cast<uint32_t*>(halves));
  for (uint32_t i = 0; i < kLanes / 2; ++i) exceptions->places[i % 2] |= halves[i];
}

/// Calls `visit(i, values)` for one vector after the other: `values` are the values from i on.
template <typename Visit>
HWY_INLINE void VisitValues(const PackedView& view, const GroupHeader& header, Visit visit) {
  Exceptions exceptions;
  const uint32_t* const words = view.data(header);
  Unpack(header, words, &exceptions);
  const BitWindows windows(header.width);
  const uint8_t* bytes = reinterpret_cast<const uint8_t*>(words);
  const uint32_t* high = exceptions.high;
  for (uint32_t i = 0; i < kGroupSize; i += kLanes, bytes += kLanes * header.width / 8) {
    const auto lanes = static_cast<uint32_t>(exceptions.places[i / 64] >> i % 64) & kAllLanes;
    visit(i, hn::Or(windows.At(bytes), Expand(high, lanes)));
    high += std::popcount(lanes);
  }
}

#endif

/// Replaces `values` by their prefix sums, which begin with `start`.
HWY_INLINE void SumUp(uint32_t* values, uint32_t start) {
  RunningSum sum(start);
  for (uint32_t i = 0; i < kGroupSize; i += kLanes) {
    hn::Store(sum.Add(hn::Load(Lanes(), values + i)), Lanes(), values + i);
  }
}

/// Whether no prefix sum is less than the one before. sums[-1] must be 0.
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

#if HWY_MAX_BYTES > 16 && HWY_TARGET != HWY_SCALAR

/// Writes the group's 128 values, exceptions applied.
HWY_INLINE void GroupValues(const PackedView& view, const GroupHeader& header, uint32_t* values) {
  VisitValues(view, header, [&](uint32_t i, Vector some) { hn::Store(some, Lanes(), values + i); });
}

/// Writes the prefix sums of the group's values, from `start` on.
HWY_INLINE void GroupSums(const PackedView& view, const GroupHeader& header, uint32_t start,
                          uint32_t* sums) {
  RunningSum sum(start);
  VisitValues(view, header,
              [&](uint32_t i, Vector some) { hn::Store(sum.Add(some), Lanes(), sums + i); });
}

#else

/// Writes the group's 128 values, exceptions applied.
HWY_INLINE void GroupValues(const PackedView& view, const GroupHeader& header, uint32_t* values) {
  const uint8_t* bytes = reinterpret_cast<const uint8_t*>(view.data(header));
  PlaceHighBits(header, bytes + 16 * header.width, values);
  AddLowBits(bytes, header.width, values);
}

/// Writes the prefix sums of the group's values, from `start` on.
HWY_INLINE void GroupSums(const PackedView& view, const GroupHeader& header, uint32_t start,
                          uint32_t* sums) {
  GroupValues(view, header, sums);
  SumUp(sums, start);
}

#endif

HWY_INLINE void GroupSums(const PackedView& view, uint32_t group, GroupPrefix* prefix) {
  const GroupHeader header = view.header(group);
  uint32_t* const sums = prefix->sums();
  GroupSums(view, header, 0, sums);
  prefix->rising = !MayWrap(header) || Rises(sums);
  prefix->base = header.base;
}

}  // namespace edgemill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

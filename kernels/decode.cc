#include "kernels/decode.h"

#include <array>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/decode.cc"
#include <hwy/foreach_target.h>  // compiles the rest of this file once an instruction set
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace edgemill::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The 128 values of `width` bits at `bytes`, one at a time: any width, any processor.
HWY_INLINE void UnpackWidthOneByOne(const uint8_t* bytes, uint32_t width, uint32_t* values) {
  const uint64_t mask = (uint64_t{1} << width) - 1;
  for (uint32_t i = 0, bit = 0; i < kGroupSize; ++i, bit += width) {
    uint64_t window;
    std::memcpy(&window, bytes + bit / 8, sizeof(window));
    values[i] = static_cast<uint32_t>(window >> (bit % 8) & mask);
  }
}

#if HWY_TARGET == HWY_SCALAR

HWY_INLINE void UnpackWidth(const uint8_t* bytes, uint32_t width, uint32_t* values) {
  UnpackWidthOneByOne(bytes, width, values);
}

/// Prefix sums of `values` in place; returns whether they rise.
HWY_INLINE bool SumUp(uint32_t* values) {
  uint32_t sum = 0;
  bool rising = true;
  for (uint32_t i = 0; i < kGroupSize; ++i) {
    sum += values[i];
    rising &= sum >= values[i];
    values[i] = sum;
  }
  return rising;
}

#else

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

/// The 128 values of `width` bits at `bytes`, without exceptions.
HWY_INLINE void UnpackWidth(const uint8_t* bytes, uint32_t width, uint32_t* values) {
  if (width > kWidestWindow) return UnpackWidthOneByOne(bytes, width, values);
  const hn::Full128<uint32_t> d32;
  const hn::Full128<uint8_t> d8;
  const auto& layouts = kLayouts[width];
  const auto shuffle0 = hn::Load(d8, layouts[0].bytes.data());
  const auto shuffle1 = hn::Load(d8, layouts[1].bytes.data());
  const auto shift0 = hn::Load(d32, layouts[0].shifts.data());
  const auto shift1 = hn::Load(d32, layouts[1].shifts.data());
  const auto mask = hn::Set(d32, (uint32_t{1} << width) - 1);
  const uint32_t middle = 4 * width / 8;
  for (uint32_t i = 0; i < kGroupSize; i += 8, bytes += width) {
    const auto low = hn::TableLookupBytes(hn::LoadU(d8, bytes), shuffle0);
    const auto high = hn::TableLookupBytes(hn::LoadU(d8, bytes + middle), shuffle1);
    hn::Store(hn::And(hn::Shr(hn::BitCast(d32, low), shift0), mask), d32, values + i);
    hn::Store(hn::And(hn::Shr(hn::BitCast(d32, high), shift1), mask), d32, values + i + 4);
  }
}

/// Prefix sums of `values` in place; returns whether they rise.
HWY_INLINE bool SumUp(uint32_t* values) {
  const hn::Full128<uint32_t> d32;
  auto carry = hn::Zero(d32);
  auto wrapped = hn::Zero(d32);
  for (uint32_t i = 0; i < kGroupSize; i += 4) {
    const auto gaps = hn::Load(d32, values + i);
    const auto pairs = hn::Add(gaps, hn::ShiftLeftLanes<1>(d32, gaps));
    const auto fours = hn::Add(pairs, hn::ShiftLeftLanes<2>(d32, pairs));
    const auto running = hn::Add(fours, carry);
    // A sum wrapped exactly when it is less than its last term.
    wrapped = hn::Or(wrapped, hn::VecFromMask(d32, hn::Lt(running, gaps)));
    hn::Store(running, d32, values + i);
    carry = hn::Broadcast<3>(running);
  }
  return hn::AllTrue(d32, hn::Eq(wrapped, hn::Zero(d32)));
}

#endif

/// Puts the exceptions' high bits in place.
HWY_INLINE void Patch(const GroupHeader& header, const uint8_t* bytes, uint32_t* values) {
  const uint32_t entry_bits = 7 + header.high_bits;
  const uint64_t high_mask = (uint64_t{1} << header.high_bits) - 1;
  for (uint32_t i = 0, bit = 0; i < header.exceptions; ++i, bit += entry_bits) {
    uint64_t window;
    std::memcpy(&window, bytes + bit / 8, sizeof(window));
    window >>= bit % 8;
    values[window & 127] |= static_cast<uint32_t>((window >> 7 & high_mask) << header.width);
  }
}

void Values(const PackedView& view, uint32_t group, uint32_t* values) {
  const GroupHeader header = view.header(group);
  const uint32_t* words = view.data(header);
  UnpackWidth(reinterpret_cast<const uint8_t*>(words), header.width, values);
  Patch(header, reinterpret_cast<const uint8_t*>(words + 4 * header.width), values);
}

void Prefix(const PackedView& view, uint32_t group, GroupPrefix* prefix) {
  uint32_t* sums = prefix->sums();
  Values(view, group, sums);
  prefix->rising = SumUp(sums);
  prefix->base = view.header(group).base;
}

}  // namespace edgemill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace edgemill {

HWY_EXPORT(Values);
HWY_EXPORT(Prefix);

void DecodeGroupPrefix(const PackedView& view, uint32_t group, GroupPrefix* prefix) {
  HWY_DYNAMIC_DISPATCH(Prefix)(view, group, prefix);
}

void DecodeGroupValues(const PackedView& view, uint32_t group, uint32_t* values) {
  HWY_DYNAMIC_DISPATCH(Values)(view, group, values);
}

}  // namespace edgemill
#endif

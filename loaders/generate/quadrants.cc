#include "loaders/generate/quadrants.h"

#include <algorithm>
#include <cstring>

#include "common/check.h"
#include "common/random.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "loaders/generate/quadrants.cc"
#include <hwy/foreach_target.h>  // compiles the rest of this file once an instruction set
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace edgemill::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// A vector whose number of lanes divides 16.
using Lanes = hn::CappedTag<uint32_t, 16>;

/// Shifts `bits` up and puts the lanes of `mask` below them, its first lane lowest.
template <typename Mask>
HWY_INLINE uint32_t AppendBits(uint32_t bits, Mask mask) {
  const Lanes d;
  uint8_t stored[8];
  hn::StoreMaskBits(d, mask, stored);
  uint16_t lanes = stored[0];
  if (hn::Lanes(d) > 8) lanes = static_cast<uint16_t>(lanes | stored[1] << 8);
  return bits << hn::Lanes(d) | lanes;
}

/// Computes, from each number of a batch, the next bit of an edge's source and of its target. Bits
/// are stored backwards: the bit of the first number is the highest.
void MarkQuadrants(const uint32_t* points, const QuadrantEnds& ends, uint8_t* source_bits,
                   uint8_t* target_bits) {
  const Lanes d;
  const auto a = hn::Set(d, ends.a), ab = hn::Set(d, ends.ab), abc = hn::Set(d, ends.abc);
  for (size_t i = 0; i < Mt19937::kBatch; i += 16) {
    uint32_t sources = 0, targets = 0;
    for (size_t j = 0; j < 16; j += hn::Lanes(d)) {
      const auto point = hn::Reverse(d, hn::LoadU(d, points + i + j));
      const auto upper = hn::Lt(point, ab);
      const auto right = hn::Or(hn::And(hn::Gt(point, a), upper), hn::Gt(point, abc));
      sources = AppendBits(sources, hn::Not(upper));
      targets = AppendBits(targets, right);
    }
    const auto source = static_cast<uint16_t>(sources), target = static_cast<uint16_t>(targets);
    const size_t place = (Mt19937::kBatch - 16 - i) / 8;
    std::memcpy(source_bits + place, &source, sizeof(source));
    std::memcpy(target_bits + place, &target, sizeof(target));
  }
}

/// Does the work of LabelShuffle for `count` labels.
void ShuffleLabels(uint32_t* labels, size_t count, uint32_t mask, int shift,
                   const LabelShuffle::Round* rounds) {
  const auto shuffle = [&](auto d, size_t i) {
    const auto kept = hn::Set(d, mask);
    auto label = hn::LoadU(d, labels + i);
    for (int round = 0; round < LabelShuffle::kRounds; ++round) {
      label = hn::Add(hn::Mul(label, hn::Set(d, rounds[round].multiplier)),
                      hn::Set(d, rounds[round].increment));
      label = hn::And(label, kept);
      label = hn::Xor(label, hn::ShiftRightSame(label, shift));
    }
    hn::StoreU(label, d, labels + i);
  };
  const hn::ScalableTag<uint32_t> d;
  size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) shuffle(d, i);
  for (; i < count; ++i) shuffle(hn::CappedTag<uint32_t, 1>(), i);
}

}  // namespace edgemill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace edgemill {
namespace {

/// Returns `count` bits (at most 32), from bit `first` on, counted from the lowest.
uint32_t BitsAt(const uint8_t* bits, size_t first, int count) {
  uint64_t word;
  std::memcpy(&word, bits + first / 8, sizeof(word));
  return static_cast<uint32_t>(word >> first % 8 & ((uint64_t{1} << count) - 1));
}

/// Moves the lowest `count` bits (at most 32) above the bits of a batch.
void RaiseBits(uint8_t* bits, size_t count) {
  const uint64_t left = BitsAt(bits, 0, static_cast<int>(count));
  std::memcpy(bits + Mt19937::kBatch / 8, &left, sizeof(left));
}

}  // namespace

HWY_EXPORT(MarkQuadrants);
HWY_EXPORT(ShuffleLabels);

void QuadrantStream::Refill() {
  CHECK_LT(num_left_, 32u);  // RaiseBits moves at most 32
  std::array<uint32_t, Mt19937::kBatch> points;
  random_.Fill(points);
  RaiseBits(source_bits_.data(), num_left_);
  RaiseBits(target_bits_.data(), num_left_);
  HWY_DYNAMIC_DISPATCH(MarkQuadrants)
  (points.data(), ends_, source_bits_.data(), target_bits_.data());
  num_left_ += points.size();
}

void QuadrantStream::Draw(int scale, std::span<NarrowEdge> edges) {
  CHECK(scale >= 0 && scale <= 32);  // the bits of an id
  for (NarrowEdge& edge : edges) {
    if (num_left_ < static_cast<size_t>(scale)) Refill();
    num_left_ -= static_cast<size_t>(scale);
    edge = {BitsAt(source_bits_.data(), num_left_, scale),
            BitsAt(target_bits_.data(), num_left_, scale)};
  }
}

LabelShuffle::LabelShuffle(int bits, uint64_t seed)
    : mask_(static_cast<uint32_t>((uint64_t{1} << bits) - 1)), shift_(std::max(1, bits / 2)) {
  for (int i = 0; i < kRounds; ++i) {
    rounds_[static_cast<size_t>(i)] = {
        static_cast<uint32_t>(Mix64(seed + 2 * static_cast<uint64_t>(i))) | 1,
        static_cast<uint32_t>(Mix64(seed + 2 * static_cast<uint64_t>(i) + 1))};
  }
}

void LabelShuffle::Apply(std::span<NarrowEdge> edges) const {
  static_assert(sizeof(NarrowEdge) == 2 * sizeof(uint32_t));
  HWY_DYNAMIC_DISPATCH(ShuffleLabels)
  (&edges.data()->source, 2 * edges.size(), mask_, shift_, rounds_.data());
}

}  // namespace edgemill
#endif

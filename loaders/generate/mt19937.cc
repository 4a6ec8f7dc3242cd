#include "loaders/generate/mt19937.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "loaders/generate/mt19937.cc"
#include <hwy/foreach_target.h>  // compiles the rest of this file once an instruction set
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace edgemill::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Computes the words of the next batch, and puts them behind those of the last one. Puts the next
/// random numbers into `numbers`.
void NextBatch(uint32_t* words, uint32_t* numbers) {
  constexpr size_t kBatch = Mt19937::kBatch;
  constexpr size_t kShift = 397;  // a word depends on those 624, 623 and 227 places before it
  // At most 16 lanes: these divide 624, and read no word that is not computed yet.
  const hn::CappedTag<uint32_t, 16> d;
  const auto zero = hn::Zero(d), one = hn::Set(d, 1);
  const auto top = hn::Set(d, 0x80000000u), twist = hn::Set(d, 0x9908b0dfu);
  const auto mask_b = hn::Set(d, 0x9d2c5680u), mask_c = hn::Set(d, 0xefc60000u);
  for (size_t i = 0; i < kBatch; i += hn::Lanes(d)) {
    const auto next = hn::LoadU(d, words + i + 1);
    const auto joined = hn::Or(hn::And(hn::Load(d, words + i), top), hn::AndNot(top, next));
    const auto odd = hn::And(hn::Sub(zero, hn::And(next, one)), twist);
    auto word = hn::Xor(hn::LoadU(d, words + i + kShift), hn::ShiftRight<1>(joined));
    word = hn::Xor(word, odd);
    hn::Store(word, d, words + kBatch + i);
    word = hn::Xor(word, hn::ShiftRight<11>(word));
    word = hn::Xor(word, hn::And(hn::ShiftLeft<7>(word), mask_b));
    word = hn::Xor(word, hn::And(hn::ShiftLeft<15>(word), mask_c));
    hn::StoreU(hn::Xor(word, hn::ShiftRight<18>(word)), d, numbers + i);
  }
}

}  // namespace edgemill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace edgemill {

HWY_EXPORT(NextBatch);

Mt19937::Mt19937(uint32_t seed) {
  words_[0] = seed;
  for (uint32_t i = 1; i < kBatch; ++i) {
    words_[i] = 1812433253u * (words_[i - 1] ^ (words_[i - 1] >> 30)) + i;
  }
}

void Mt19937::Fill(std::span<uint32_t, kBatch> numbers) {
  HWY_DYNAMIC_DISPATCH(NextBatch)(words_.data(), numbers.data());
  std::copy_n(words_.begin() + kBatch, kBatch, words_.begin());
}

}  // namespace edgemill
#endif

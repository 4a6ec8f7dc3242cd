#include "loaders/buckets/record_hash.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "loaders/buckets/record_hash.cc"
#include <hwy/foreach_target.h>  // compiles the rest of this file once an instruction set
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace edgemill::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

KeySummary SummarizeKeys(const uint64_t* keys, size_t size, uint64_t reference) {
  KeySummary summary;
  size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<uint64_t> d64;
  const hn::Repartition<uint32_t, decltype(d64)> d32;
  const auto same = hn::Set(d64, reference);
  auto sum = hn::Zero(d64), differs = hn::Zero(d64);
  // Computes RecordHash of many keys at once.
  const auto key_constant = hn::Set(d64, RecordHashConstants::kKey);
  const auto low_constant = hn::BitCast(d32, hn::Set(d64, RecordHashConstants::kLow));
  const auto high_constant = hn::BitCast(d32, hn::Set(d64, RecordHashConstants::kHigh));
  for (const size_t lanes = hn::Lanes(d64); i + lanes <= size; i += lanes) {
    const auto key = hn::LoadU(d64, keys + i);
    differs = hn::Or(differs, hn::Xor(key, same));
    const auto mixed = hn::Xor(key, key_constant);
    const auto low = hn::MulEven(hn::BitCast(d32, mixed), low_constant);
    const auto high = hn::MulEven(hn::BitCast(d32, hn::ShiftRight<32>(mixed)), high_constant);
    const auto swapped = hn::BitCast(d64, hn::Shuffle2301(hn::BitCast(d32, high)));
    const auto both = hn::Xor(low, swapped);
    sum = hn::Add(sum,
                  hn::MulEven(hn::BitCast(d32, both), hn::BitCast(d32, hn::ShiftRight<32>(both))));
  }
  HWY_ALIGN uint64_t sums[hn::MaxLanes(d64)], differences[hn::MaxLanes(d64)];
  hn::Store(sum, d64, sums);
  hn::Store(differs, d64, differences);
  for (size_t lane = 0; lane < hn::Lanes(d64); ++lane) {
    summary.sum += sums[lane];
    summary.differs |= differences[lane];
  }
#endif
  for (; i < size; ++i) {
    summary.sum += RecordHash(keys[i]);
    summary.differs |= keys[i] ^ reference;
  }
  return summary;
}

}  // namespace edgemill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace edgemill {

HWY_EXPORT(SummarizeKeys);

KeySummary Summarize(std::span<const uint64_t> keys, uint64_t reference) {
  return HWY_DYNAMIC_DISPATCH(SummarizeKeys)(keys.data(), keys.size(), reference);
}

}  // namespace edgemill
#endif

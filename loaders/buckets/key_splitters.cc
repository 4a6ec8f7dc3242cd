#include "loaders/buckets/key_splitters.h"

#include <array>

#include "common/check.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "loaders/buckets/key_splitters.cc"
#include <hwy/foreach_target.h>  // compiles the rest of this file once an instruction set
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace edgemill::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Computes the entries of `count` keys, limited to those of `range`. A key's distance from the
/// first border is converted to a double. The entry is the double's exponent and the first ten bits
/// of its fraction. The distance's low bits are dropped first, so that the double is exact.
void FindEntries(const uint64_t* keys, size_t count, const KeyEntries& range, uint64_t* entries) {
  const uint64_t border = range.border, first = range.first, last = range.last;
  constexpr int kDroppedBits = 11, kEntryShift = 52 - 10;
  const auto find = [&](auto d, size_t i) {
    const auto distance =
        hn::Sub(hn::Max(hn::LoadU(d, keys + i), hn::Set(d, border)), hn::Set(d, border));
    const auto dropped = hn::ShiftRight<kDroppedBits>(distance);
    const auto number = hn::ConvertTo(hn::RebindToFloat<decltype(d)>(),
                                      hn::BitCast(hn::RebindToSigned<decltype(d)>(), dropped));
    const auto entry = hn::ShiftRight<kEntryShift>(hn::BitCast(d, number));
    hn::StoreU(hn::Min(hn::Max(entry, hn::Set(d, first)), hn::Set(d, last)), d, entries + i);
  };
  const hn::ScalableTag<uint64_t> d;
  size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) find(d, i);
  for (; i < count; ++i) find(hn::CappedTag<uint64_t, 1>(), i);
}

}  // namespace edgemill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace edgemill {

HWY_EXPORT(FindEntries);

KeySplitters::KeySplitters(std::vector<uint64_t> first_keys) : first_keys_(std::move(first_keys)) {
  CHECK(!first_keys_.empty() && first_keys_[0] == 0);
  CHECK(std::adjacent_find(first_keys_.begin(), first_keys_.end(), std::greater_equal<>()) ==
        first_keys_.end());  // no range is empty
  first_border_ = first_keys_[size() > 1 ? 1 : 0];
  const uint64_t second_border = first_keys_[std::min<size_t>(2, size() - 1)];
  // The table starts at half the distance of the second border. So the second border gets an entry
  // behind the first one, which all shorter distances share.
  const uint64_t between = first_border_ + (second_border - first_border_) / 2;
  FindEntries({&between, 1}, 0, ~uint64_t{0}, &first_entry_);
  std::vector<uint64_t> entries(size());
  FindEntries(first_keys_, first_entry_, ~uint64_t{0}, entries.data());
  table_.resize(entries.back() - first_entry_ + 1);
  // For each entry, finds the first and last range by the borders in the entry and before it.
  for (size_t range = 1; range < size(); ++range) {
    Span& entry = table_[entries[range] - first_entry_];
    if (entry.high == 0) entry.low = static_cast<uint32_t>(range - 1);
    entry.high = static_cast<uint32_t>(range);
  }
  for (size_t i = 1; i < table_.size(); ++i) {
    if (table_[i].high == 0) table_[i] = {table_[i - 1].high, table_[i - 1].high};
  }
}

KeySplitters KeySplitters::FromSample(std::vector<uint64_t> sample, size_t ranges) {
  CHECK_GT(ranges, 0u);
  std::sort(sample.begin(), sample.end());
  std::vector<uint64_t> first_keys{0};
  for (size_t i = 1; i < ranges && !sample.empty(); ++i) {
    const uint64_t key = sample[i * sample.size() / ranges];
    if (key > first_keys.back()) first_keys.push_back(key);
  }
  return KeySplitters(std::move(first_keys));
}

void KeySplitters::FindEntries(std::span<const uint64_t> keys, uint64_t first, uint64_t last,
                               uint64_t* entries) const {
  HWY_DYNAMIC_DISPATCH(FindEntries)
  (keys.data(), keys.size(), {first_border_, first, last}, entries);
}

void KeySplitters::FindAll(std::span<const uint64_t> keys, uint16_t* ranges) const {
  CHECK_LE(size(), kMaxRanges);  // numbers of ranges have 16 bits
  std::array<uint64_t, 512> entries;
  while (!keys.empty()) {
    const auto some = keys.first(std::min(entries.size(), keys.size()));
    FindEntries(some, first_entry_, first_entry_ + table_.size() - 1, entries.data());
    for (size_t i = 0; i < some.size(); ++i) {
      *ranges++ = static_cast<uint16_t>(FindIn(table_[entries[i] - first_entry_], some[i]));
    }
    keys = keys.subspan(some.size());
  }
}

}  // namespace edgemill
#endif

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

/// KeySplitters::Find up to the entry, at most `last_entry`, for `count` keys.
void FindEntries(const uint64_t* keys, size_t count, uint64_t first_border, uint64_t first_entry,
                 uint64_t last_entry, uint64_t* entries) {
  const auto find = [&](auto d, size_t i) {
    const auto first = hn::Set(d, first_entry);
    const auto distance = hn::Sub(hn::Max(hn::LoadU(d, keys + i), hn::Set(d, first_border)),
                                  hn::Set(d, first_border));
    const auto dropped = hn::ShiftRight<KeySplitters::kDroppedBits>(distance);
    const auto number = hn::ConvertTo(hn::RebindToFloat<decltype(d)>(),
                                      hn::BitCast(hn::RebindToSigned<decltype(d)>(), dropped));
    const auto entry = hn::ShiftRight<KeySplitters::kEntryShift>(hn::BitCast(d, number));
    const auto within = hn::Min(hn::Max(entry, first), hn::Set(d, first_entry + last_entry));
    hn::StoreU(hn::Sub(within, first), d, entries + i);
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
  first_border_ = first_keys_[size() > 1 ? 1 : 0];
  const uint64_t second_border = first_keys_[std::min<size_t>(2, size() - 1)];
  // So that the second border has an entry behind the first.
  first_entry_ = EntryOf((second_border - first_border_) / 2);
  table_.resize(EntryOf(first_keys_.back() - first_border_) + 1);
  // Each entry's first and last border, by those in it and before it.
  for (size_t range = 1; range < size(); ++range) {
    Span& entry = table_[EntryOf(first_keys_[range] - first_border_)];
    if (entry.high == 0) entry.low = static_cast<uint32_t>(range - 1);
    entry.high = static_cast<uint32_t>(range);
  }
  for (size_t i = 1; i < table_.size(); ++i) {
    if (table_[i].high == 0) table_[i] = {table_[i - 1].high, table_[i - 1].high};
  }
}

KeySplitters KeySplitters::FromSample(std::vector<uint64_t> sample, size_t ranges) {
  std::sort(sample.begin(), sample.end());
  std::vector<uint64_t> first_keys{0};
  for (size_t i = 1; i < ranges && !sample.empty(); ++i) {
    const uint64_t key = sample[i * sample.size() / ranges];
    if (key > first_keys.back()) first_keys.push_back(key);
  }
  return KeySplitters(std::move(first_keys));
}

void KeySplitters::FindAll(std::span<const uint64_t> keys, uint16_t* ranges) const {
  std::array<uint64_t, 512> entries;
  while (!keys.empty()) {
    const auto some = keys.first(std::min(entries.size(), keys.size()));
    HWY_DYNAMIC_DISPATCH(FindEntries)
    (some.data(), some.size(), first_border_, first_entry_, table_.size() - 1, entries.data());
    for (size_t i = 0; i < some.size(); ++i) {
      *ranges++ = static_cast<uint16_t>(FindIn(table_[entries[i]], some[i]));
    }
    keys = keys.subspan(some.size());
  }
}

}  // namespace edgemill
#endif

#include "loaders/buckets/key_splitters.h"

#include <bit>

#include "common/check.h"

namespace edgemill {
namespace {
constexpr int kTableBits = 14;
}  // namespace

KeySplitters::KeySplitters(std::vector<uint64_t> first_keys) : first_keys_(std::move(first_keys)) {
  CHECK(!first_keys_.empty() && first_keys_[0] == 0);
  shift_ = std::max(0, static_cast<int>(std::bit_width(first_keys_.back())) - kTableBits);
  const uint64_t entries = (first_keys_.back() >> shift_) + 1;
  table_.resize(entries);
  uint32_t range = 0;
  for (uint64_t i = 0; i < entries; ++i) {
    const uint64_t first = i << shift_;
    while (range + 1 < size() && first_keys_[range + 1] <= first) ++range;
    table_[i].low = range;
    const uint64_t last = first | ((uint64_t{1} << shift_) - 1);
    uint32_t high = range;
    while (high + 1 < size() && first_keys_[high + 1] <= last) ++high;
    table_[i].high = high;
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

}  // namespace edgemill

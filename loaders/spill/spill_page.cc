#include "loaders/spill/spill_page.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <type_traits>
#include <utility>

#include "common/check.h"
#include "storage/format/group_codec.h"

namespace edgemill {
namespace {

/// How many weights are packed at a time. Their memory fits a small stack.
constexpr size_t kPayloadWeights = 8192;
static_assert(kPayloadWeights <= kMaxBlockValues && kPayloadWeights % kGroupSize == 0);
/// The most leading bits by which records are sorted: two passes of a byte each.
constexpr uint32_t kMaxHighBits = 16;
constexpr uint32_t kPageDigitBits = 8;

struct PageHeader {
  uint32_t count;        // of records
  uint8_t second_bits;   // of the second end, less second_base
  uint8_t high_bits;     // leading bits, by which records are sorted
  uint8_t low_bits;      // bits below these
  uint8_t weight;        // SpilledWeight
  uint32_t first_base;   // the least first end
  uint32_t second_base;  // the least second end

  // Words of 64 bits behind the header.
  uint64_t high_words() const { return (count + (uint64_t{1} << high_bits) + 63) / 64; }
  uint64_t low_words() const { return (uint64_t{count} * low_bits + 63) / 64; }
  uint64_t key_bytes() const { return sizeof(PageHeader) + 8 * (high_words() + low_words()); }
};
static_assert(sizeof(PageHeader) == 16);

uint64_t RoundUp8(uint64_t bytes) { return (bytes + 7) / 8 * 8; }

/// Makes one number of the two ends of a key, without the bits that no key of a page needs.
class PageKeys {
 public:
  explicit PageKeys(const PageHeader& header)
      : second_bits_(header.second_bits),
        first_base_(header.first_base),
        second_base_(header.second_base) {}
  uint64_t Compact(uint64_t key) const {
    const uint64_t first = (key >> 32) - first_base_;
    return first << second_bits_ | ((key & 0xffffffff) - second_base_);
  }
  uint64_t Restore(uint64_t compact) const {
    const uint64_t second = compact & ((uint64_t{1} << second_bits_) - 1);
    return ((compact >> second_bits_) + first_base_) << 32 | (second + second_base_);
  }

 private:
  uint32_t second_bits_;
  uint64_t first_base_;
  uint64_t second_base_;
};

/// The bases and the widths of `records`' keys.
template <typename R>
PageHeader HeaderOf(std::span<const R> records) {
  uint32_t least[2] = {~0u, ~0u}, most[2] = {0, 0};
  for (const R& record : records) {
    const uint64_t key = record.key;
    const uint32_t ends[2] = {static_cast<uint32_t>(key >> 32), static_cast<uint32_t>(key)};
    for (int i = 0; i < 2; ++i) {
      least[i] = std::min(least[i], ends[i]);
      most[i] = std::max(most[i], ends[i]);
    }
  }
  PageHeader header{.count = static_cast<uint32_t>(records.size()),
                    .second_bits = static_cast<uint8_t>(std::bit_width(most[1] - least[1])),
                    .high_bits = 0,
                    .low_bits = 0,
                    .weight = 0,
                    .first_base = least[0],
                    .second_base = least[1]};
  const uint32_t bits = header.second_bits + std::bit_width(most[0] - least[0]);
  const uint32_t wanted = static_cast<uint32_t>(std::bit_width(records.size())) - 1;
  header.high_bits = static_cast<uint8_t>(std::min({wanted, kMaxHighBits, bits}));
  header.low_bits = static_cast<uint8_t>(bits - header.high_bits);
  return header;
}

/// One pass of a stable counting sort by the 8 bits of keys from `shift` on. Each record gets the
/// key that `key_of` returns.
template <typename R, typename KeyOf>
void ScatterByDigit(std::span<const R> from, std::array<uint32_t, 1 << kPageDigitBits>& counts,
                    uint32_t shift, KeyOf key_of, R* to) {
  uint32_t position = 0;
  for (uint32_t& count : counts) position += std::exchange(count, position);
  for (const R& record : from) {
    R moved = record;
    const uint64_t key = key_of(record.key);
    moved.key = key;
    to[counts[key >> shift & 0xff]++] = moved;
  }
}

/// Sorts `records` by the high bits of their keys, and makes the keys compact. The result is in
/// `scratch`, which has room for twice as many records.
template <typename R>
std::span<const R> SortByHighBits(std::span<const R> records, const PageHeader& header,
                                  R* scratch) {
  const PageKeys range(header);
  // The upper digit ends at the top bit. The lower digit may include bits that need not be sorted.
  const uint32_t bits = header.high_bits + header.low_bits;
  const uint32_t high_shift = bits - std::min(bits, kPageDigitBits);
  const uint32_t low_shift = high_shift - std::min(high_shift, kPageDigitBits);
  std::array<uint32_t, 1 << kPageDigitBits> low_counts{}, high_counts{};
  for (const R& record : records) {
    const uint64_t key = range.Compact(record.key);
    ++low_counts[key >> low_shift & 0xff];
    ++high_counts[key >> high_shift & 0xff];
  }
  R* const half = scratch + records.size();
  ScatterByDigit(
      records, low_counts, low_shift, [&](uint64_t key) { return range.Compact(key); }, half);
  ScatterByDigit(
      std::span<const R>(half, records.size()), high_counts, high_shift,
      [](uint64_t key) { return key; }, scratch);
  return {scratch, records.size()};
}

/// Writes numbers of a fixed width of at most 63 bits one behind the other, least significant bit
/// first.
class BitWriter {
 public:
  BitWriter(uint64_t* words, uint32_t width)
      : word_(words), width_(width), mask_((uint64_t{1} << width) - 1) {}
  void Put(uint64_t value) {
    value &= mask_;
    pending_ |= value << used_;
    used_ += width_;
    if (used_ < 64) return;
    *word_++ = pending_;
    used_ -= 64;
    pending_ = used_ == 0 ? 0 : value >> (width_ - used_);
  }
  void End() {
    if (used_ > 0) *word_ = pending_;
  }

 private:
  uint64_t* word_;
  const uint32_t width_;
  const uint64_t mask_;
  uint64_t pending_ = 0;
  uint32_t used_ = 0;  // bits of pending_, less than 64
};

/// Bits [bit, bit + 64) of `words`. The caller masks those that it does not need.
uint64_t BitsAt(const uint64_t* words, uint64_t bit) {
  const uint64_t word = words[bit / 64] >> (bit % 64);
  return bit % 64 == 0 ? word : word | words[bit / 64 + 1] << (64 - bit % 64);
}

template <typename R>
uint64_t PackWeights(std::span<const R> sorted, std::byte* out) {
  using W = decltype(sorted[0].weight);
  std::byte* at = out;
  if constexpr (!std::is_same_v<W, int32_t>) {
    for (const R& record : sorted) {
      std::memcpy(at, &record.weight, sizeof(W));
      at += sizeof(W);
    }
    std::memset(at, 0, RoundUp8(static_cast<uint64_t>(at - out)) - static_cast<uint64_t>(at - out));
    return RoundUp8(static_cast<uint64_t>(at - out));
  } else {
    std::array<uint32_t, kPayloadWeights> values;
    for (size_t first = 0; first < sorted.size(); first += kPayloadWeights) {
      const size_t count = std::min(kPayloadWeights, sorted.size() - first);
      for (size_t i = 0; i < count; ++i) {
        values[i] = static_cast<uint32_t>(sorted[first + i].weight);
      }
      const uint64_t bytes = PackValues(std::span(values).first(count), at + sizeof(uint64_t));
      std::memcpy(at, &bytes, sizeof(bytes));
      std::memset(at + sizeof(uint64_t) + bytes, 0, RoundUp8(bytes) - bytes);
      at += sizeof(uint64_t) + RoundUp8(bytes);
    }
    return static_cast<uint64_t>(at - out);
  }
}

/// Sets the weights of `records`. False when `packed` is not exactly these weights.
template <typename R>
bool UnpackWeights(std::span<const std::byte> packed, std::span<R> records) {
  using W = decltype(records[0].weight);
  if constexpr (!std::is_same_v<W, int32_t>) {
    if (packed.size() != RoundUp8(records.size() * sizeof(W))) return false;
    for (size_t i = 0; i < records.size(); ++i) {
      std::memcpy(&records[i].weight, packed.data() + i * sizeof(W), sizeof(W));
    }
    return true;
  } else {
    std::array<uint32_t, kPayloadWeights> values;
    for (size_t first = 0; first < records.size(); first += kPayloadWeights) {
      const size_t count = std::min(kPayloadWeights, records.size() - first);
      uint64_t bytes = 0;
      if (packed.size() < sizeof(bytes)) return false;
      std::memcpy(&bytes, packed.data(), sizeof(bytes));
      packed = packed.subspan(sizeof(bytes));
      if (bytes > packed.size() || RoundUp8(bytes) > packed.size()) return false;
      const auto view = PackedView::Open(packed.first(bytes), static_cast<uint32_t>(count));
      if (!view.ok()) return false;
      UnpackValues(*view, values.data());
      for (size_t i = 0; i < count; ++i) {
        records[first + i].weight = static_cast<int32_t>(values[i]);
      }
      packed = packed.subspan(RoundUp8(bytes));
    }
    return packed.empty();
  }
}

/// Sets the keys of `records`. False when `words` hold the leading bits of more or fewer keys.
template <typename R>
bool UnpackKeys(const PageHeader& header, const uint64_t* words, std::span<R> records) {
  const PageKeys range(header);
  const uint64_t* const lows = words + header.high_words();
  const uint32_t low_bits = header.low_bits;
  const uint64_t low_mask = (uint64_t{1} << low_bits) - 1;
  size_t i = 0;
  for (uint64_t word = 0; word < header.high_words(); ++word) {
    for (uint64_t ones = words[word]; ones != 0; ones &= ones - 1) {
      if (i == records.size()) return false;
      const uint64_t position = word * 64 + static_cast<uint64_t>(std::countr_zero(ones));
      const uint64_t low = BitsAt(lows, i * low_bits) & low_mask;
      // Positions increase by 1 or more, so the difference is not negative.
      records[i].key = range.Restore((position - i) << low_bits | low);
      ++i;
    }
  }
  return i == records.size();
}

template <typename R>
uint64_t PackRecords(std::span<const R> records, SpilledWeight weight, R* scratch, std::byte* out) {
  PageHeader header = HeaderOf(records);
  header.weight = static_cast<uint8_t>(weight);
  const std::span<const R> sorted = SortByHighBits(records, header, scratch);
  std::memcpy(out, &header, sizeof(header));
  auto* const words = reinterpret_cast<uint64_t*>(out + sizeof(header));
  std::fill_n(words, header.high_words(), 0);
  BitWriter lows(words + header.high_words(), header.low_bits);
  for (size_t i = 0; i < sorted.size(); ++i) {
    const uint64_t key = sorted[i].key;
    const uint64_t position = (key >> header.low_bits) + i;
    words[position / 64] |= uint64_t{1} << (position % 64);
    lows.Put(key);
  }
  lows.End();
  uint64_t bytes = header.key_bytes();
  if constexpr (sizeof(R) > sizeof(uint64_t)) bytes += PackWeights(sorted, out + bytes);
  return bytes;
}

template <typename R>
bool UnpackRecords(const PageHeader& header, std::span<const std::byte> packed,
                   std::span<R> records) {
  const auto* const words = reinterpret_cast<const uint64_t*>(packed.data() + sizeof(header));
  if (!UnpackKeys(header, words, records)) return false;
  const auto weights = packed.subspan(header.key_bytes());
  if constexpr (sizeof(R) > sizeof(uint64_t)) {
    return UnpackWeights(weights, records);
  } else {
    return weights.empty();
  }
}

}  // namespace

uint64_t MaxPackedPageBytes(uint64_t records, SpilledWeight weight) {
  // At most 64 bits for each key, and for the leading bits two bits for each record.
  const uint64_t keys = sizeof(PageHeader) + 8 * records + 8 * (2 * records / 64 + 2) + 8;
  if (weight != SpilledWeight::kInt32) {
    return keys + RoundUp8(records * SpilledWeightBytes(weight));
  }
  const uint64_t payloads = (records + kPayloadWeights - 1) / kPayloadWeights;
  return keys + payloads * 16 + NumGroups(static_cast<uint32_t>(records)) * (8 + kGroupSize * 4) +
         payloads * (8 + kGroupSize * 4);
}

uint64_t PackPage(std::span<const std::byte> records, SpilledWeight weight,
                  std::span<std::byte> scratch, std::byte* out) {
  CHECK_GE(scratch.size(), 2 * records.size());
  return WithRecordType(weight, [&]<typename R>(R*) {
    const size_t count = records.size() / sizeof(R);
    CHECK(count > 0 && count <= kMaxPageRecords && count * sizeof(R) == records.size());
    return PackRecords(std::span(reinterpret_cast<const R*>(records.data()), count), weight,
                       reinterpret_cast<R*>(scratch.data()), out);
  });
}

bool UnpackPage(std::span<const std::byte> packed, SpilledWeight weight,
                std::span<std::byte> records) {
  PageHeader header;
  if (packed.size() < sizeof(header)) return false;
  std::memcpy(&header, packed.data(), sizeof(header));
  const uint32_t bits = header.high_bits + header.low_bits;
  if (header.count == 0 || header.count > kMaxPageRecords || header.second_bits > 32 ||
      header.high_bits > kMaxHighBits || bits > 64 || header.low_bits > 63 ||
      bits < header.second_bits || header.weight != static_cast<uint8_t>(weight) ||
      header.key_bytes() > packed.size()) {
    return false;
  }
  return WithRecordType(weight, [&]<typename R>(R*) {
    if (header.count * sizeof(R) != records.size()) return false;
    return UnpackRecords(header, packed,
                         std::span(reinterpret_cast<R*>(records.data()), header.count));
  });
}

}  // namespace edgemill

#include "storage/format/byte_form.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "storage/format/group_packing.h"

namespace edgemill {
namespace {

/// A number below this is its own code; a code from this number on says how many extra bytes the
/// number has.
constexpr uint32_t kFirstEscape = 252;
/// Up to this width, eight values (one in each byte of a 64-bit word) are packed at once.
constexpr uint32_t kWidestQuick = 7;

/// The bytes that `number` takes in addition to its code.
uint32_t ExtraBytes(uint32_t number) {
  return number < kFirstEscape ? 0 : (static_cast<uint32_t>(std::bit_width(number)) + 7) / 8;
}

/// Writes a code for each number, and the extra bytes of large numbers.
class NumberWriter {
 public:
  NumberWriter(uint8_t* codes, uint8_t* extra) : codes_(codes), extra_(extra) {}
  void Put(uint32_t number) {
    const uint32_t count = ExtraBytes(number);
    *codes_++ = static_cast<uint8_t>(count == 0 ? number : kFirstEscape - 1 + count);
    std::memcpy(extra_, &number, sizeof(number));  // bytes beyond `count` are overwritten
    extra_ += count;
  }
  uint8_t* extra_end() const { return extra_; }

 private:
  uint8_t* codes_;
  uint8_t* extra_;
};

/// Reads the extra bytes of a form, in order. May read the four bytes behind them too.
class ExtraReader {
 public:
  explicit ExtraReader(const uint8_t* next) : next_(next) {}
  /// The number that `code` stands for. Without branches: codes follow no pattern.
  uint32_t Number(uint8_t code) {
    constexpr uint32_t kMasks[] = {0, 0xff, 0xffff, 0xffffff, 0xffffffff};
    const uint32_t count = code < kFirstEscape ? 0u : code - (kFirstEscape - 1);
    uint32_t window;
    std::memcpy(&window, next_, sizeof(window));
    next_ += count;
    return (window & kMasks[count]) | (count == 0 ? code : 0u);
  }

  const uint8_t* next() const { return next_; }

 private:
  const uint8_t* next_;
};

/// A group's 128 bytes as words, so that a compiler takes several at a time.
using ByteGroup = std::array<uint64_t, kGroupSize / 8>;

/// Moves the values of `width` (at most 8) bits in each word, one a byte, together.
void Compact(uint32_t width, ByteGroup* group) {
  constexpr uint64_t kEvenBytes = 0x00ff00ff00ff00ff;
  constexpr uint64_t kEvenPairs = 0x0000ffff0000ffff;
  const uint64_t low_bits = ((uint64_t{1} << width) - 1) * 0x0101010101010101;
  for (uint64_t& word : *group) {
    const uint64_t bytes = word & low_bits;
    const uint64_t pairs = (bytes & kEvenBytes) | (bytes & ~kEvenBytes) >> (8 - width);
    const uint64_t fours = (pairs & kEvenPairs) | (pairs & ~kEvenPairs) >> (16 - 2 * width);
    word = (fours & 0xffffffff) | fours >> 32 << (4 * width);
  }
}

/// Which of 64 bytes are above `most` (below 128): a bit each.
uint64_t BytesAbove(const uint8_t* bytes, uint32_t most) {
  constexpr uint64_t kLow7 = 0x7f7f7f7f7f7f7f7f;
  const uint64_t reach = (127 - most) * 0x0101010101010101;
  uint64_t above = 0;
  for (uint32_t i = 0; i < 64; i += 8) {
    uint64_t word;
    std::memcpy(&word, bytes + i, sizeof(word));
    const uint64_t high_bits = (((word & kLow7) + reach) | word) & ~kLow7;
    above |= (high_bits >> 7) * 0x0102040810204080 >> 56 << i;
  }
  return above;
}

/// Packs the 128 numbers with `codes` into `width` (at most kWidestQuick) bits at `words`.
GroupHeader PackQuick(const uint8_t* codes, uint32_t width, ExtraReader& extra, uint32_t* words) {
  ByteGroup low;
  std::memcpy(low.data(), codes, kGroupSize);
  uint8_t* const low_bytes = reinterpret_cast<uint8_t*>(low.data());
  // At these widths an escape code counts as wide, and every number that an escape code stands for
  // is wide.
  GroupExceptions exceptions;
  for (uint32_t half = 0; half < kGroupSize; half += 64) {
    uint64_t wide = BytesAbove(codes + half, (1u << width) - 1);
    for (; wide != 0; wide &= wide - 1) {
      const uint32_t i = half + static_cast<uint32_t>(std::countr_zero(wide));
      const uint32_t number = extra.Number(codes[i]);
      low_bytes[i] = static_cast<uint8_t>(number);
      exceptions.Add(i, number >> width);
    }
  }
  Compact(width, &low);
  uint8_t* out = reinterpret_cast<uint8_t*>(words);
  for (const uint64_t packed : low) {
    std::memcpy(out, &packed, sizeof(packed));
    out += width;
  }
  return exceptions.WriteBehind(width, words);
}

/// The same for any width.
GroupHeader PackAnyWidth(const uint8_t* codes, uint32_t width, ExtraReader& extra,
                         uint32_t* words) {
  uint32_t values[kGroupSize];
  for (uint32_t i = 0; i < kGroupSize; ++i) values[i] = extra.Number(codes[i]);
  return PackGroupAtWidth(values, width, words);
}

Status NoByteForm(std::string_view what) { return BadDataError(StrCat("its byte form ", what)); }

}  // namespace

std::span<const std::byte> MakeByteForm(const PackedView& view, uint32_t first_group,
                                        uint32_t num_groups, std::vector<std::byte>* memory) {
  const size_t num_codes = size_t{num_groups} * (1 + kGroupSize);
  memory->resize(std::max(memory->size(), num_groups + 5 * num_codes + kByteFormSlackBytes));
  uint8_t* const widths = reinterpret_cast<uint8_t*>(memory->data());
  NumberWriter numbers(widths + num_groups, widths + num_groups + num_codes);
  uint32_t base = 0;
  for (uint32_t i = 0; i < num_groups; ++i) {
    const GroupHeader header = view.header(first_group + i);
    widths[i] = static_cast<uint8_t>(header.width);
    numbers.Put(ZigZag(header.base - base));
    base = header.base;
  }
  for (uint32_t i = 0; i < num_groups; ++i) {
    uint32_t values[kGroupSize];
    UnpackGroup(view, first_group + i, values);
    for (const uint32_t value : values) numbers.Put(value);
  }
  return std::span(*memory).first(static_cast<size_t>(numbers.extra_end() - widths));
}

Status RebuildPacked(std::span<const std::byte> form, uint32_t num_values,
                     std::span<std::byte> payload) {
  const uint32_t num_groups = NumGroups(num_values);
  const size_t num_codes = size_t{num_groups} * (1 + kGroupSize);
  if (form.size() < num_groups + num_codes) return NoByteForm("is too short");
  if (payload.size() < size_t{8} * num_groups) return NoByteForm("gives another length");
  const uint8_t* const widths = reinterpret_cast<const uint8_t*>(form.data());
  const uint8_t* const codes = widths + num_groups;
  const uint8_t* const end = widths + form.size();
  ExtraReader extra(codes + num_codes);
  uint64_t* const headers = reinterpret_cast<uint64_t*>(payload.data());
  uint32_t base = 0;
  for (uint32_t group = 0; group < num_groups && extra.next() <= end; ++group) {
    base += UnZigZag(extra.Number(codes[group]));
    headers[group] = base;
  }
  std::byte* out = payload.data() + size_t{8} * num_groups;
  uint32_t word_offset = 0;
  for (uint32_t group = 0; group < num_groups; ++group) {
    if (extra.next() > end) return NoByteForm("is too short");
    const uint32_t width = widths[group];
    if (width > 32 || width == 31) return NoByteForm("has a group with an impossible width");
    // A buffer apart from the payload, so that whole words may be written beyond its end.
    uint32_t words[kMaxGroupWords + kGroupSlackWords];
    const uint8_t* const group_codes = codes + num_groups + size_t{group} * kGroupSize;
    GroupHeader header = width <= kWidestQuick ? PackQuick(group_codes, width, extra, words)
                                               : PackAnyWidth(group_codes, width, extra, words);
    const size_t bytes = size_t{4} * header.num_words();
    const size_t room = static_cast<size_t>(payload.data() + payload.size() - out);
    if (header.exceptions >= kGroupSize || bytes > room || word_offset > 0xffff) {
      return NoByteForm("gives another length");
    }
    header.base = static_cast<uint32_t>(headers[group]);
    header.word_offset = word_offset;
    headers[group] = header.Pack();
    std::memcpy(out, words, bytes);
    out += bytes;
    word_offset += header.num_words();
  }
  if (extra.next() != end) return NoByteForm("has another length");
  return out == payload.data() + payload.size() ? OkStatus() : NoByteForm("gives another length");
}

}  // namespace edgemill

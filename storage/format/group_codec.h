// The packed format: groups of 128 values, each with its own width and exceptions (docs/FORMAT.md).
//
// A packed payload is `num_groups` 64-bit group headers, then the groups' data. A group's data is
// 128 values of `width` bits in a row, least significant bit first. The values take 4 * width
// words, and every eighth value ends on a byte boundary. The group's exceptions follow. Each has 7
// bits of position and `high_bits` bits, which stand above the `width` bits of the value. Zeros
// fill up the last group of a block. Everything is little-endian.
//
// What the values mean is the block's mode:
//   kNeighbors  sorted neighbour lists in a row. The first value of a list is zigzag(neighbour -
//               source); each other value is the gap to the id before it. Offsets say where lists
//               start.
//   kAscending  gaps modulo 2^32 of a rising sequence (offsets).
//   kValues     the values themselves (integer weights, permutations), with no header base.
//
// The scheme is patched frame-of-reference over gaps (Zukowski et al., ICDE 2006; Lemire and
// Boytsov, SPE 2015) with patches that store the missing high bits only. This is the scalar
// reference; kernels/ has the fast ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

#include "common/status.h"
#include "common/types.h"

namespace edgemill {

/// Values of a group: four for each lane of a 32-lane warp.
inline constexpr uint32_t kGroupSize = 128;
/// The most values a block may hold: word offsets inside it must fit 16 bits.
inline constexpr uint32_t kMaxBlockValues = uint32_t{1} << 16;
/// Bytes that must be readable (not meaningful) after a packed payload, so that decoders may load
/// whole vectors.
inline constexpr size_t kDecodeSlackBytes = 64;

/// A group's 64-bit header, taken apart. Bits: base 0-31, word_offset 32-47, width code 48-52 (31
/// means 32 bits), exceptions 53-59, high bits code 60-63 (high_bits = 2 * code + 2).
struct GroupHeader {
  uint32_t base;  // the id before the group's first value (0 at a list's head, and in kValues)
  uint32_t word_offset;  // where the data start, in 4-byte words after the header array
  uint32_t width;        // bits of every value
  uint32_t exceptions;   // 0 to 127
  uint32_t high_bits;    // bits that each exception adds; 2 to 32

  static constexpr GroupHeader Unpack(uint64_t word) {
    const uint32_t code = static_cast<uint32_t>(word >> 48) & 31;
    return {static_cast<uint32_t>(word), static_cast<uint32_t>(word >> 32) & 0xffff,
            code == 31 ? 32 : code, static_cast<uint32_t>(word >> 53) & 127,
            2 * static_cast<uint32_t>(word >> 60) + 2};
  }
  constexpr uint64_t Pack() const {
    return uint64_t{base} | uint64_t{word_offset} << 32 | uint64_t{width == 32 ? 31 : width} << 48 |
           uint64_t{exceptions} << 53 | uint64_t{high_bits / 2 - 1} << 60;
  }
  /// Words of data: values, then exceptions.
  constexpr uint32_t num_words() const {
    return 4 * width + (exceptions * (7 + high_bits) + 31) / 32;
  }
};

/// Maps differences modulo 2^32 so that small ones of either sign are small numbers.
constexpr uint32_t ZigZag(uint32_t difference) {
  return (difference << 1) ^ (0u - (difference >> 31));
}
constexpr uint32_t UnZigZag(uint32_t code) { return (code >> 1) ^ (0u - (code & 1)); }

constexpr uint32_t NumGroups(uint32_t num_values) {
  return (num_values + kGroupSize - 1) / kGroupSize;
}
/// The most bytes that `num_values` can pack into.
constexpr size_t MaxPackedBytes(uint32_t num_values) {
  return size_t{NumGroups(num_values)} * (8 + kGroupSize * 4);
}

/// A packed payload whose group extents have been checked against its length. A view: it does not
/// own the bytes.
class PackedView {
 public:
  /// Checks that every group lies inside `payload`, which must be 8-byte aligned and readable for
  /// kDecodeSlackBytes beyond its end. BadDataError when the headers are wrong; the caller adds the
  /// place to the error. Cost: reads each group header once.
  static StatusOr<PackedView> Open(std::span<const std::byte> payload, uint32_t num_values);

  /// Makes the view of a payload that Open has accepted before and that has not changed since.
  /// Checks nothing.
  static PackedView Reopen(std::span<const std::byte> payload, uint32_t num_values);

  uint32_t num_values() const { return num_values_; }
  uint32_t num_groups() const { return NumGroups(num_values_); }
  GroupHeader header(uint32_t group) const { return GroupHeader::Unpack(headers_[group]); }
  const uint32_t* data(const GroupHeader& header) const { return words_ + header.word_offset; }
  /// Prefetches the memory of a group's data.
  void Prefetch(uint32_t group) const {
    const GroupHeader header = this->header(group);
    const uint32_t* const words = data(header);
    for (uint32_t word = 0; word < header.num_words(); word += 16) __builtin_prefetch(words + word);
  }
  /// The raw headers and words, for GPU kernels.
  const uint64_t* headers() const { return headers_; }
  const uint32_t* words() const { return words_; }

 private:
  const uint64_t* headers_ = nullptr;
  const uint32_t* words_ = nullptr;
  uint32_t num_values_ = 0;
};

/// Calls `visit(position, high)` for each exception of a group whose data starts at `words`.
template <typename Visit>
void VisitExceptions(const GroupHeader& header, const uint32_t* words, Visit visit) {
  const std::byte* bytes = reinterpret_cast<const std::byte*>(words + 4 * header.width);
  const uint32_t entry_bits = 7 + header.high_bits;
  const uint64_t high_mask = (uint64_t{1} << header.high_bits) - 1;
  for (uint32_t i = 0, bit = 0; i < header.exceptions; ++i, bit += entry_bits) {
    uint64_t window;  // 7 bits of shift and an entry of at most 39: 46 bits
    std::memcpy(&window, bytes + bit / 8, sizeof(window));
    window >>= bit % 8;
    visit(static_cast<uint32_t>(window & 127), static_cast<uint32_t>(window >> 7 & high_mask));
  }
}

/// Writes the 128 values of group `group` to `values`. Exceptions are applied; gaps are not summed
/// up.
void UnpackGroup(const PackedView& view, uint32_t group, uint32_t* values);

/// Packs sorted edges, each source << 32 | target, into `out` (at least MaxPackedBytes); returns
/// the bytes written. `previous` is the edge just before edges[0] in the column: when it has the
/// same source, edges[0] continues its list. At most kMaxBlockValues edges. Pure; thread-safe.
size_t PackNeighbors(std::span<const uint64_t> edges, std::optional<uint64_t> previous,
                     std::byte* out);

/// Packs a sequence (modulo 2^32) as gaps; `previous` is the value before values[0], 0 at the
/// start.
size_t PackAscending(std::span<const uint32_t> values, uint32_t previous, std::byte* out);
/// Calls `visit(place, value)` for each value of a payload that PackAscending made, in order.
template <typename Visit>
void VisitAscending(const PackedView& view, Visit visit) {
  uint32_t gaps[kGroupSize];
  for (uint32_t group = 0; group < view.num_groups(); ++group) {
    UnpackGroup(view, group, gaps);
    uint32_t value = view.header(group).base;
    const uint32_t first = group * kGroupSize;
    const uint32_t end =
        first + kGroupSize < view.num_values() ? first + kGroupSize : view.num_values();
    for (uint32_t i = first; i < end; ++i) visit(i, value += gaps[i - first]);
  }
}
/// Undoes PackAscending: writes view.num_values() values to `values`.
void UnpackAscending(const PackedView& view, uint32_t* values);

/// Packs values as they are.
size_t PackValues(std::span<const uint32_t> values, std::byte* out);
/// Undoes PackValues.
void UnpackValues(const PackedView& view, uint32_t* values);

/// Decodes lists edge by edge: the reference that fast decoders are tested against. For edges
/// [begin, end) of a block, `source_of(edge)` gives the source, and whether the edge is the first
/// of its list.
template <typename SourceOf, typename Visit>
void VisitNeighbors(const PackedView& view, uint32_t begin, uint32_t end, SourceOf source_of,
                    Visit visit) {
  uint32_t values[kGroupSize];
  for (uint32_t group = begin / kGroupSize; group * kGroupSize < end; ++group) {
    UnpackGroup(view, group, values);
    uint32_t id = view.header(group).base;
    const uint32_t first = group * kGroupSize;
    for (uint32_t edge = first; edge < first + kGroupSize && edge < end; ++edge) {
      const auto [source, is_head] = source_of(edge);
      id = is_head ? source + UnZigZag(values[edge - first]) : id + values[edge - first];
      if (edge >= begin) visit(edge, source, id);
    }
  }
}

/// Decodes single lists of a block. If the lists come in rising order, each group is decoded at
/// most once.
class ListDecoder {
 public:
  explicit ListDecoder(const PackedView& view) : view_(view) {}

  /// Calls `visit(edge, id)` for the edges [begin, end) of the block, which belong to the list of
  /// `source`. If `begins_before`, the list begins in an earlier block, and `begin` is 0.
  template <typename Visit>
  void VisitList(uint32_t source, uint32_t begin, uint32_t end, bool begins_before, Visit visit) {
    uint32_t id = 0;
    for (uint32_t edge = begin; edge < end; ++edge) {
      if (edge / kGroupSize != group_) {
        group_ = edge / kGroupSize;
        UnpackGroup(view_, group_, values_);
      }
      if (edge % kGroupSize == 0) id = view_.header(group_).base;
      const uint32_t value = values_[edge % kGroupSize];
      id = edge == begin && !begins_before ? source + UnZigZag(value) : id + value;
      visit(edge, id);
    }
  }

 private:
  const PackedView& view_;
  uint32_t group_ = ~uint32_t{0};  // the group whose values are in values_
  uint32_t values_[kGroupSize];
};

}  // namespace edgemill

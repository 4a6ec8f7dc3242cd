#include "storage/format/group_codec.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "common/check.h"
#include "storage/format/group_packing.h"

namespace edgemill {
namespace {

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

/// Packs groups one after the other into a payload.
class PayloadWriter {
 public:
  PayloadWriter(uint32_t num_values, std::byte* out)
      : out_(out),
        headers_(reinterpret_cast<uint64_t*>(out)),
        words_(reinterpret_cast<uint32_t*>(out + size_t{8} * NumGroups(num_values))),
        first_word_(words_) {}

  /// Appends a group of 128 values.
  void Add(const uint32_t* values, uint32_t base) {
    GroupHeader header = PackGroup(values, words_);
    header.base = base;
    header.word_offset = static_cast<uint32_t>(words_ - first_word_);
    *headers_++ = header.Pack();
    words_ += header.num_words();
  }
  size_t num_bytes() const {
    return static_cast<size_t>(reinterpret_cast<const std::byte*>(words_) - out_);
  }

 private:
  std::byte* out_;
  uint64_t* headers_;
  uint32_t* words_;
  uint32_t* first_word_;
};

/// Cuts `num_values` values into groups: `fill(first, count, values)` writes count values and
/// returns the base.
template <typename Fill>
size_t PackGroups(size_t num_values, std::byte* out, Fill fill) {
  CHECK_LE(num_values, size_t{kMaxBlockValues});
  PayloadWriter writer(static_cast<uint32_t>(num_values), out);
  uint32_t values[kGroupSize];
  for (size_t first = 0; first < num_values; first += kGroupSize) {
    const size_t count = std::min<size_t>(kGroupSize, num_values - first);
    const uint32_t base = fill(first, count, values);
    std::fill(values + count, values + kGroupSize, 0u);
    writer.Add(values, base);
  }
  return writer.num_bytes();
}

}  // namespace

StatusOr<PackedView> PackedView::Open(std::span<const std::byte> payload, uint32_t num_values) {
  const size_t header_bytes = size_t{8} * NumGroups(num_values);
  if (num_values == 0 || num_values > kMaxBlockValues || payload.size() < header_bytes ||
      payload.size() % 4 != 0) {
    return BadDataError(StrCat("a packed payload of ", payload.size(), " bytes cannot hold ",
                               num_values, " values"));
  }
  CHECK_EQ(reinterpret_cast<uintptr_t>(payload.data()) % 8, 0u);
  const PackedView view = Reopen(payload, num_values);
  const size_t num_words = (payload.size() - header_bytes) / 4;
  size_t worst_end = 0;
  bool bad_width = false;
  for (uint32_t group = 0; group < view.num_groups(); ++group) {
    const GroupHeader header = view.header(group);
    worst_end = std::max<size_t>(worst_end, header.word_offset + header.num_words());
    bad_width |= header.exceptions > 0 && header.width >= 32;
  }
  if (worst_end > num_words || bad_width) {
    return BadDataError("a group header points outside its block");
  }
  return view;
}

PackedView PackedView::Reopen(std::span<const std::byte> payload, uint32_t num_values) {
  PackedView view;
  view.headers_ = reinterpret_cast<const uint64_t*>(payload.data());
  view.words_ = reinterpret_cast<const uint32_t*>(payload.data() + 8 * NumGroups(num_values));
  view.num_values_ = num_values;
  return view;
}

void UnpackGroup(const PackedView& view, uint32_t group, uint32_t* values) {
  const GroupHeader header = view.header(group);
  const uint32_t* words = view.data(header);
  const std::byte* bytes = reinterpret_cast<const std::byte*>(words);
  const uint64_t mask = (uint64_t{1} << header.width) - 1;
  for (uint32_t i = 0, bit = 0; i < kGroupSize; ++i, bit += header.width) {
    uint64_t window;
    std::memcpy(&window, bytes + bit / 8, sizeof(window));
    values[i] = static_cast<uint32_t>(window >> (bit % 8) & mask);
  }
  VisitExceptions(header, words, [&](uint32_t position, uint32_t high) {
    values[position] |= static_cast<uint32_t>(uint64_t{high} << header.width);
  });
}

size_t PackNeighbors(std::span<const uint64_t> edges, std::optional<uint64_t> previous,
                     std::byte* out) {
  return PackGroups(edges.size(), out, [&](size_t first, size_t count, uint32_t* values) {
    // The group's edges after the one before them. Without an edge before it, the first edge begins
    // a list. Copies of the last edge fill up the group, because their gaps are 0.
    uint64_t copy[kGroupSize + 1];
    const uint64_t* group = copy;
    if (first > 0 && count == kGroupSize) {
      group = &edges[first - 1];
    } else {
      copy[0] = first > 0 ? edges[first - 1] : previous.value_or(~edges[0]);
      std::copy_n(edges.data() + first, count, copy + 1);
      std::fill(copy + 1 + count, std::end(copy), copy[count]);
    }
    NeighborValues(group, values);
    const bool is_head = group[0] >> 32 != group[1] >> 32;
    return is_head ? 0 : static_cast<uint32_t>(group[0]);
  });
}

size_t PackAscending(std::span<const uint32_t> sequence, uint32_t previous, std::byte* out) {
  return PackGroups(sequence.size(), out, [&](size_t first, size_t count, uint32_t* values) {
    const uint32_t base = first > 0 ? sequence[first - 1] : previous;
    uint32_t before = base;
    for (size_t i = 0; i < count; ++i) {
      values[i] = sequence[first + i] - before;
      before = sequence[first + i];
    }
    return base;
  });
}

void UnpackAscending(const PackedView& view, uint32_t* values) {
  VisitAscending(view, [&](uint32_t place, uint32_t value) { values[place] = value; });
}

size_t PackValues(std::span<const uint32_t> sequence, std::byte* out) {
  return PackGroups(sequence.size(), out, [&](size_t first, size_t count, uint32_t* values) {
    std::copy_n(sequence.data() + first, count, values);
    return uint32_t{0};
  });
}

void UnpackValues(const PackedView& view, uint32_t* values) {
  uint32_t group_values[kGroupSize];
  for (uint32_t group = 0; group < view.num_groups(); ++group) {
    UnpackGroup(view, group, group_values);
    const uint32_t first = group * kGroupSize;
    std::copy_n(group_values, std::min(kGroupSize, view.num_values() - first), values + first);
  }
}

}  // namespace edgemill

// Packed payloads for tests of decoders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/random.h"
#include "storage/format/group_codec.h"

namespace edgemill {

/// A packed payload in memory, with the bytes behind it that decoders may read.
class PackedPayload {
 public:
  static PackedPayload OfValues(std::span<const uint32_t> values) {
    PackedPayload payload(values.size());
    payload.size_ = PackValues(values, payload.data());
    return payload;
  }
  static PackedPayload OfAscending(std::span<const uint32_t> values, uint32_t previous) {
    PackedPayload payload(values.size());
    payload.size_ = PackAscending(values, previous, payload.data());
    return payload;
  }
  /// Packs sorted edges. Each edge is source << 32 | target.
  static PackedPayload OfNeighbors(std::span<const uint64_t> edges) {
    PackedPayload payload(edges.size());
    payload.size_ = PackNeighbors(edges, std::nullopt, payload.data());
    return payload;
  }

  std::span<const std::byte> bytes() const {
    return {reinterpret_cast<const std::byte*>(memory_.data()), size_};
  }
  size_t size() const { return size_; }
  uint32_t num_values() const { return num_values_; }
  PackedView view() const { return PackedView::Open(bytes(), num_values_).value(); }
  /// Appends a zero word, which no group uses.
  void AppendWord() { size_ += 4; }

 private:
  explicit PackedPayload(size_t num_values)
      : memory_((MaxPackedBytes(static_cast<uint32_t>(num_values)) + kDecodeSlackBytes) / 8 + 1),
        num_values_(static_cast<uint32_t>(num_values)) {}
  std::byte* data() { return reinterpret_cast<std::byte*>(memory_.data()); }

  std::vector<uint64_t> memory_;
  uint32_t num_values_;
  size_t size_ = 0;
};

/// `count` values of at most `bits` bits. One value in `rare` may have up to 32 bits.
inline std::vector<uint32_t> RandomValues(Random& random, uint32_t count, uint32_t bits,
                                          uint32_t rare) {
  std::vector<uint32_t> values(count);
  for (uint32_t& value : values) {
    const uint32_t width = random.Below(rare) == 0 ? uint32_t(random.Below(33)) : bits;
    value = static_cast<uint32_t>(random() & ((uint64_t{1} << width) - 1));
  }
  return values;
}

}  // namespace edgemill

// What spilled streams consist of, and how their pages lie in files.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "loaders/spill/extent_allocator.h"
#include "loaders/spill/spill_page.h"

namespace edgemill {

/// Bytes to be placed in a stream.
using SpillRun = std::span<const std::byte>;

/// The alignment of offsets and memory for direct I/O. Sizes of pages are multiples of it.
inline constexpr uint64_t kSpillAlignment = 4096;
constexpr uint64_t SpillAligned(uint64_t bytes) {
  return (bytes + kSpillAlignment - 1) / kSpillAlignment * kSpillAlignment;
}
/// The most bytes of a page that share a checksum. To read a few of them, all must be read.
inline constexpr uint64_t kMaxCheckedBytes = uint64_t{64} << 10;

/// How many bytes share a checksum in pages of `page_bytes` that are not packed.
constexpr uint64_t SpillChunkBytes(uint64_t page_bytes) {
  return std::min(page_bytes, kMaxCheckedBytes);
}
/// Where a page of a stream is.
struct SpilledPage {
  /// How the page is stored in its file.
  enum class Form : uint8_t {
    kAsIs,    // its bytes
    kPacked,  // by PackPage
    kTail,    // the bytes of a stream's last page that was saved before it was full
  };
  std::byte* memory = nullptr;  // null: the page is only in its file
  uint64_t offset = 0;          // in its file
  uint32_t bytes = 0;           // in its file; 0 before it is written
  uint16_t file = 0;
  Form form = Form::kAsIs;

  bool written() const { return bytes > 0; }
  uint64_t end() const { return offset + bytes; }
};

/// The most bytes of a page in its file, for all kinds of records.
inline uint64_t MostSpilledPageBytes(uint64_t page_bytes) {
  uint64_t most = page_bytes;
  for (const SpilledWeight weight : {SpilledWeight::kNone, SpilledWeight::kInt32,
                                     SpilledWeight::kFloat32, SpilledWeight::kFloat64}) {
    most = std::max(most, MaxPackedPageBytes(page_bytes / SpilledRecordBytes(weight), weight));
  }
  return SpillAligned(most);
}

/// A range of one of a space's files.
struct SpillRange {
  uint16_t file = 0;
  ExtentAllocator::Range room;
};

/// What a stream consists of.
struct SpillForm {
  /// Bytes, which keep their order.
  static SpillForm Bytes() { return {}; }
  /// Items of `bytes` each, which keep their order. No item lies in two pages.
  static SpillForm Items(uint32_t bytes) { return {.record_bytes = bytes}; }
  /// Records (spill_page.h), which are packed when they go to a file. The records of a page then
  /// change their order, except records with equal keys.
  static SpillForm Records(SpilledWeight weight) {
    return {.record_bytes = SpilledRecordBytes(weight), .packed = true, .weight = weight};
  }
  /// Lists what the journal keeps (state_blob.h).
  template <typename Visitor, typename Form>
  static void ListFields(Visitor& visitor, Form& form) {
    visitor.Fields(form.record_bytes, form.packed, form.weight);
  }
  uint32_t record_bytes = 1;
  bool packed = false;
  SpilledWeight weight = SpilledWeight::kNone;
};

}  // namespace edgemill

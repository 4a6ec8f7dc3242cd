// The files that segments are: their sizes and names.
#pragma once

#include <cstdint>
#include <string_view>

#include "storage/catalog/catalog_records.h"
#include "storage/format/block_format.h"

namespace edgemill {

/// Segment files are whole multiples of this, filled up with zeros: what O_DIRECT can write and
/// read.
inline constexpr uint64_t kSegmentAlignment = 4096;
/// A segment that would grow beyond this is followed by the next number.
inline constexpr uint64_t kMaxSegmentBytes = uint64_t{64} << 30;

/// Length of the file of a segment with `length` bytes of blocks.
constexpr uint64_t SegmentFileBytes(uint64_t length) {
  return (length + kSegmentAlignment - 1) / kSegmentAlignment * kSegmentAlignment;
}

/// Reads a segment's file name back; false when `name` is none.
bool ParseSegmentName(std::string_view name, ColumnKind* column, uint16_t* number);

}  // namespace edgemill

// The sizes and names of segment files.
#pragma once

#include <cstdint>
#include <string_view>

#include "storage/catalog/catalog_records.h"
#include "storage/format/block_format.h"

namespace edgemill {

/// The length of a segment file is a multiple of this, with zeros at the end, as O_DIRECT needs.
inline constexpr uint64_t kSegmentAlignment = 4096;
/// A segment that would grow beyond this is followed by a segment with the next number.
inline constexpr uint64_t kMaxSegmentBytes = uint64_t{64} << 30;

/// Length of the file of a segment with `length` bytes of blocks.
constexpr uint64_t SegmentFileBytes(uint64_t length) {
  return (length + kSegmentAlignment - 1) / kSegmentAlignment * kSegmentAlignment;
}

/// Parses the name of a segment file. False when `name` is not one.
bool ParseSegmentName(std::string_view name, ColumnKind* column, uint16_t* number);

}  // namespace edgemill

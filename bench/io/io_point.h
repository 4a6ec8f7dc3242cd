// What a disk benchmark measures: the points of its grid.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/status.h"

namespace edgemill::bench {

enum class IoPattern { kSequentialRead, kRandomRead, kWrite };
/// "sequential", "random", "write".
std::string_view PatternName(IoPattern pattern);

/// One setting of a measurement.
struct IoPoint {
  IoPattern pattern = IoPattern::kSequentialRead;
  uint64_t size_bytes = 0;
  uint64_t depth = 0;  // requests under way at a time for each directory
  /// "random 4 KiB x 32".
  std::string Name() const;
};

/// The points to measure. An empty list stands for its defaults.
struct IoGrid {
  std::vector<IoPattern> patterns;
  std::vector<uint64_t> sizes;
  std::vector<uint64_t> depths;
};

constexpr uint64_t kMinIoSize = 4096;
constexpr uint64_t kMaxIoSize = uint64_t{8} << 20;
constexpr uint64_t kMaxIoDepth = 256;
/// Points with more bytes than this under way are left out, unless both sizes and depths are given.
/// More depth does not make such large requests faster.
constexpr uint64_t kDefaultBytesUnderWay = uint64_t{64} << 20;

/// Parses sizes such as "4K,64K,1MiB", each a multiple of 4 KiB up to 8 MiB. Returns UsageError for
/// other text, as the next two functions do.
StatusOr<std::vector<uint64_t>> ParseIoSizes(std::string_view text);
/// Parses depths up to 256, such as "1,8,256".
StatusOr<std::vector<uint64_t>> ParseIoDepths(std::string_view text);
/// Parses patterns, such as "sequential,random,write".
StatusOr<std::vector<IoPattern>> ParseIoPatterns(std::string_view text);

/// Returns the points of the grid, ordered by pattern, then by size, then by depth.
std::vector<IoPoint> PointsOf(const IoGrid& grid);

}  // namespace edgemill::bench

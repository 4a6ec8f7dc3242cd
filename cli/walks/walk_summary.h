// What `walks` and `sample` print at their end.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace edgemill::cli {

struct WalkSummary {
  std::string_view made;  // "walks"
  uint64_t num_made = 0;
  std::string_view parts;  // of these: "steps"
  uint64_t num_parts = 0;
  double seconds = 0;  // of making them, without writing
  uint64_t batches = 0;
  uint64_t blocks = 0;
  uint64_t blocks_read = 0;

  /// A line each: both numbers, the time with the rate, and blocks.
  std::string Text() const;
};

}  // namespace edgemill::cli

// Streaming decompression: gzip and Zstandard behind one interface.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "common/status.h"

namespace edgemill {

/// Undoes one compression, a buffer at a time, in bounded memory. Not thread-safe.
class Decompressor {
 public:
  virtual ~Decompressor() = default;

  /// What one step did.
  struct Step {
    size_t consumed = 0;  // of the input
    size_t produced = 0;  // into the output
  };
  /// Decompresses what it can of `input` into `output`. BadDataError, without the file's name, when
  /// the input is damaged or has anything but further members after its end.
  virtual StatusOr<Step> Run(std::span<const std::byte> input, std::span<std::byte> output) = 0;

  /// Whether the input may end here: after a whole member, not inside one.
  virtual bool AtBoundary() const = 0;
};

/// RFC 1952, members one after the other, zero padding after the last. BudgetError without memory.
StatusOr<std::unique_ptr<Decompressor>> MakeGzipDecompressor();
/// RFC 8878, frames (also skippable ones) one after the other. Frames that need a window above
/// 2^`window_log_max` bytes are refused, so memory is bounded by it. BudgetError without memory.
StatusOr<std::unique_ptr<Decompressor>> MakeZstdDecompressor(int window_log_max);

}  // namespace edgemill

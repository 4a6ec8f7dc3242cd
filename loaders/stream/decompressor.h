// Streaming decompression: gzip, bzip2, xz and Zstandard behind one interface.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "common/status.h"

namespace edgemill {

/// Decompresses one format, a buffer at a time, in bounded memory. Not thread-safe.
class Decompressor {
 public:
  virtual ~Decompressor() = default;

  /// What one step did.
  struct Step {
    size_t consumed = 0;  // of the input
    size_t produced = 0;  // into the output
  };
  /// Decompresses as much as possible of `input` into `output`. BadDataError, without the file's
  /// name, when the input is damaged, or when other data than a further member follows a member.
  virtual StatusOr<Step> Run(std::span<const std::byte> input, std::span<std::byte> output) = 0;

  /// Whether the input may end here: after a whole member, not inside one.
  virtual bool AtBoundary() const = 0;
};

/// Decompresses gzip (RFC 1952): one or more members, with zero padding after the last one.
/// BudgetError when there is too little memory.
StatusOr<std::unique_ptr<Decompressor>> MakeGzipDecompressor();
/// Decompresses one stream of deflate (RFC 1951), without header and checksum, as in ZIP archives.
StatusOr<std::unique_ptr<Decompressor>> MakeDeflateDecompressor();
/// The CRC-32 of gzip and ZIP of the bytes that gave `crc`, followed by `bytes`. 0: of none.
uint32_t Crc32(uint32_t crc, std::span<const std::byte> bytes);
/// Decompresses bzip2: one or more streams. Memory: at most 4 MiB. BudgetError when there is too
/// little memory.
StatusOr<std::unique_ptr<Decompressor>> MakeBzip2Decompressor();
/// Decompresses xz: one or more streams, with zero padding after each. Refuses data that needs a
/// window of more than 2^`window_log_max` bytes (BudgetError), which bounds the memory.
StatusOr<std::unique_ptr<Decompressor>> MakeXzDecompressor(int window_log_max);
/// Decompresses Zstandard (RFC 8878): one or more frames, also skippable ones. Refuses frames with
/// a window of more than 2^`window_log_max` bytes, which bounds the memory. BudgetError when there
/// is too little memory.
StatusOr<std::unique_ptr<Decompressor>> MakeZstdDecompressor(int window_log_max);

}  // namespace edgemill

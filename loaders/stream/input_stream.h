// The bytes of an input in order, decompressed when it is compressed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/status.h"
#include "loaders/stream/decompressor.h"
#include "loaders/stream/stored_input.h"

namespace edgemill {

/// How an input is compressed.
enum class InputCompression { kNone, kGzip, kBzip2, kXz, kZstd };

/// The suffixes of compressed files, in the order in which they are tried.
inline constexpr std::array<std::pair<std::string_view, InputCompression>, 4> kCompressionSuffixes =
    {{{".zst", InputCompression::kZstd},
      {".gz", InputCompression::kGzip},
      {".xz", InputCompression::kXz},
      {".bz2", InputCompression::kBzip2}}};

/// `path` without the suffix of a compressed file; the compression that this suffix names.
std::string StripCompression(std::string_view path, InputCompression* compression);

/// An open input. Only functions that say so are thread-safe.
///
/// The content decides the compression. A name that ends in .gz, .bz2, .xz or .zst with other
/// content is an error. With `trust_suffix` (for binary formats, whose first bytes may be anything)
/// only the suffix decides. Memory: if compressed, kBlockBytes and the decompressor's window; and
/// the head until it is read.
class InputStream {
 public:
  static constexpr size_t kBlockBytes = size_t{1} << 20;
  static constexpr size_t kHeadBytes = size_t{1} << 20;
  static constexpr size_t kFingerprintBytes = size_t{64} << 10;

  /// Opens `path` ("-": standard input) and reads its head. MissingError, PermissionError, or
  /// BadDataError for a directory or a wrong magic number. With a copy of it, reads that.
  static StatusOr<std::unique_ptr<InputStream>> Open(const std::string& path, bool trust_suffix,
                                                     int window_log_max,
                                                     const File* copy = nullptr);

  /// The name in messages: the path, or "standard input".
  const std::string& name() const { return file_.name(); }
  /// The first kHeadBytes of the uncompressed input, or all of it if it is shorter. Valid until the
  /// first Read or Seek.
  std::string_view head() const { return head_; }
  /// Whether head() is the whole input.
  bool head_is_all() const { return head_is_all_; }
  /// A hash of the size on disk and the first kFingerprintBytes, by which a changed input is
  /// noticed.
  uint64_t fingerprint() const { return fingerprint_; }
  InputCompression compression() const { return compression_; }
  /// Whether the input is a regular file: its size is known, and it can be opened again.
  bool regular() const { return file_.regular(); }
  /// The bytes on disk when the input was opened; 0 when it is no regular file.
  uint64_t stored_bytes() const { return file_.bytes(); }
  /// Whether the input is a regular file without compression. Then ReadAt works, and Seek reads
  /// nothing.
  bool seekable() const { return regular() && compression_ == InputCompression::kNone; }
  /// Uncompressed bytes given out so far.
  uint64_t offset() const { return offset_; }
  /// For a compressed input, the stored bytes that were decompressed so far.
  std::optional<uint64_t> decompressed_bytes() const {
    if (compression_ == InputCompression::kNone) return std::nullopt;
    return file_.offset() - (stored_.size() - stored_begin_);
  }

  /// Fills `into` with the next bytes; fewer only at the end of the input. BadDataError, with both
  /// offsets, for damaged or truncated compressed data, or when a file's size changed meanwhile.
  /// `*filled` is the number of good bytes, also on error.
  Status Read(std::span<std::byte> into, size_t* filled);
  /// Bytes at `offset` of a seekable input; all of `into` or an error. Thread-safe.
  Status ReadAt(std::span<std::byte> into, uint64_t offset) const;
  /// As ReadAt, but without reading ahead: for few bytes after which no others are wanted soon.
  Status PeekAt(std::span<std::byte> into, uint64_t offset) const;
  /// BadDataError when a regular file's size is not the one it was opened with. Thread-safe.
  Status CheckSizeUnchanged() const { return file_.CheckSizeUnchanged(); }
  /// Goes to uncompressed `offset`: at once if seekable, otherwise by reading up to it, so `offset`
  /// must not lie before offset(). BadDataError when the input ends earlier.
  Status Seek(uint64_t offset);

 private:
  InputStream() = default;
  Status DetectCompression(bool trust_suffix, int window_log_max);
  Status ReadDecompressed(std::span<std::byte> into, size_t* filled);
  Status RefillStored();

  StoredInput file_;
  InputCompression compression_ = InputCompression::kNone;
  std::unique_ptr<Decompressor> decompressor_;
  std::vector<std::byte> stored_;  // bytes as on disk, not yet decompressed (or sniffed)
  size_t stored_begin_ = 0;
  bool stored_ended_ = false;
  std::string head_;
  bool head_is_all_ = false;
  uint64_t fingerprint_ = 0;
  uint64_t offset_ = 0;
  Status error_;  // of an earlier read, after which decompressors cannot continue
};

}  // namespace edgemill

// The bytes of an input in order, decompressed when it is compressed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/status.h"
#include "loaders/stream/decompressor.h"
#include "loaders/stream/stored_input.h"

namespace edgemill {

/// How an input is compressed.
enum class InputCompression { kNone, kGzip, kZstd };

/// `path` without ".gz" or ".zst"; the compression that the suffix names.
std::string StripCompression(std::string_view path, InputCompression* compression);

/// An open input. Not thread-safe, but where said.
///
/// Compression is told by content; a name that ends in .gz or .zst and other content is an error.
/// With `trust_suffix` (binary formats, where the first bytes may be anything) only the suffix
/// counts. Memory: kBlockBytes when compressed, the decompressor's window, and the head until it is
/// read.
class InputStream {
 public:
  static constexpr size_t kBlockBytes = size_t{1} << 20;
  static constexpr size_t kHeadBytes = size_t{1} << 20;
  static constexpr size_t kFingerprintBytes = size_t{64} << 10;

  /// Opens `path` ("-": standard input) and reads its head. MissingError, PermissionError, or
  /// BadDataError for a directory or a wrong magic number.
  static StatusOr<std::unique_ptr<InputStream>> Open(const std::string& path, bool trust_suffix,
                                                     int zstd_window_log_max);

  /// As messages name it: the path, or "standard input".
  const std::string& name() const { return file_.name(); }
  /// Uncompressed bytes at the front, up to kHeadBytes; shorter when the input is. Valid until the
  /// first Read or Seek.
  std::string_view head() const { return head_; }
  /// Whether head() is the whole input.
  bool head_is_all() const { return head_is_all_; }
  /// A hash of the size on disk and the first kFingerprintBytes, so that a changed input is
  /// noticed.
  uint64_t fingerprint() const { return fingerprint_; }
  InputCompression compression() const { return compression_; }
  /// A regular file: it has a size, and can be opened again.
  bool regular() const { return file_.regular(); }
  /// Bytes on disk when it was opened; 0 when it is no regular file.
  uint64_t stored_bytes() const { return file_.bytes(); }
  /// A regular file without compression: ReadAt works and Seek is free.
  bool seekable() const { return regular() && compression_ == InputCompression::kNone; }
  /// Uncompressed bytes given out so far.
  uint64_t offset() const { return offset_; }
  /// For a compressed input, the stored bytes that were decompressed so far.
  std::optional<uint64_t> decompressed_bytes() const {
    if (compression_ == InputCompression::kNone) return std::nullopt;
    return file_.offset() - (stored_.size() - stored_begin_);
  }

  /// Fills `into` with the next bytes; fewer only at the end of the input. BadDataError with both
  /// offsets for damaged or truncated compressed data, or a file whose size changed while being
  /// read. `*filled` is the number of good bytes, also on error.
  Status Read(std::span<std::byte> into, size_t* filled);
  /// Bytes at `offset` of a seekable input; all of `into` or an error. Thread-safe.
  Status ReadAt(std::span<std::byte> into, uint64_t offset) const;
  /// As ReadAt, of few bytes, behind which no others are wanted soon.
  Status PeekAt(std::span<std::byte> into, uint64_t offset) const;
  /// BadDataError when a regular file's size is not the one it was opened with. Thread-safe.
  Status CheckSizeUnchanged() const { return file_.CheckSizeUnchanged(); }
  /// Goes to uncompressed `offset`: at once when seekable, otherwise by reading up to it (it must
  /// not lie behind). BadDataError when the input ends before.
  Status Seek(uint64_t offset);

 private:
  InputStream() = default;
  Status DetectCompression(bool trust_suffix, int zstd_window_log_max);
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
  Status error_;  // of an earlier read: decompressors do not go on after one
};

}  // namespace edgemill

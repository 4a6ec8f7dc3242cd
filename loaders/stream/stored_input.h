// The bytes of an input as they are stored: a file, a FIFO or standard input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "common/os/file.h"
#include "common/status.h"

namespace edgemill {

/// An open input that is read in order and, if it is a regular file, also at offsets. Only
/// functions that say so are thread-safe.
class StoredInput {
 public:
  StoredInput() = default;
  /// Opens `path` ("-": standard input). MissingError, PermissionError, or BadDataError for a
  /// directory. With a copy of it, reads that: a regular file.
  static StatusOr<StoredInput> Open(const std::string& path, const File* copy = nullptr);

  const std::string& path() const { return path_; }
  /// The name in messages: the path, or "standard input".
  const std::string& name() const { return name_; }
  /// Whether the input is a regular file: its size is known, and it can be opened again.
  bool regular() const { return regular_; }
  /// The bytes when the input was opened; 0 when it is no regular file.
  uint64_t bytes() const { return bytes_; }
  /// The offset of the next byte that Read gives.
  uint64_t offset() const { return offset_; }

  /// Fills `into` with the next bytes; fewer only at the end of the input. BadDataError for a file
  /// whose size changed. `*filled` is the number of good bytes, also on error.
  Status Read(std::span<std::byte> into, size_t* filled);
  /// Goes to `offset` of a regular file.
  void Seek(uint64_t offset) { offset_ = offset; }
  /// Bytes at `offset` of a regular file; all of `into` or an error. Thread-safe.
  Status ReadAt(std::span<std::byte> into, uint64_t offset) const;
  /// As ReadAt, but without reading ahead: for few bytes after which no others are wanted soon.
  Status PeekAt(std::span<std::byte> into, uint64_t offset) const;
  /// BadDataError when a regular file's size is not the one it was opened with. Thread-safe.
  Status CheckSizeUnchanged() const;

 private:
  static constexpr uint64_t kReadAheadBytes = uint64_t{32} << 20;

  /// Makes the kernel read `bytes` at `offset`, which are wanted now, and as many kReadAheadBytes
  /// further on. By itself the kernel reads little ahead, and less when threads take raw chunks in
  /// turn.
  void AdviseReadAhead(uint64_t offset, uint64_t bytes) const;

  File file_;
  std::string path_;
  std::string name_;
  bool regular_ = false;
  uint64_t bytes_ = 0;
  uint64_t offset_ = 0;
};

}  // namespace edgemill

// A stream for inputs of which thousands are open at once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "common/status.h"
#include "loaders/stream/input_copies.h"
#include "loaders/stream/input_stream.h"

namespace edgemill {

/// The description from which a stream is opened, and opened again.
struct InputSpec {
  std::string path;
  bool trust_suffix = false;
  int window_log_max = 27;
  /// A copy of what `path` gives, which can be read again; null: none. Shared, since it is closed
  /// with the last stream that reads it.
  std::shared_ptr<const InputCopies> copies;

  StatusOr<std::unique_ptr<InputStream>> Open() const;
};

/// A stream that is closed while it is not read, and opened again at its old place.
class ReopeningStream {
 public:
  ReopeningStream(InputSpec spec, std::unique_ptr<InputStream> stream);

  const std::string& name() const { return name_; }
  uint64_t stored_bytes() const { return stored_bytes_; }
  uint64_t fingerprint() const { return fingerprint_; }
  bool seekable() const { return seekable_; }
  bool regular() const { return regular_; }
  /// See InputStream.
  std::optional<uint64_t> decompressed_bytes() const {
    return stream_ == nullptr ? std::nullopt : stream_->decompressed_bytes();
  }
  /// The stream, which is opened again at its start if it was closed. BadDataError when the input
  /// has changed since then.
  StatusOr<InputStream*> EnsureOpen();
  /// The open stream, for reads at offsets by many threads; null before EnsureOpen.
  const InputStream* stream() const { return stream_.get(); }
  /// Closes a regular file that was not read yet, or is read to its end.
  void CloseWhileIdle();

 private:
  InputSpec spec_;
  std::unique_ptr<InputStream> stream_;
  std::string name_;
  uint64_t stored_bytes_ = 0;
  uint64_t fingerprint_ = 0;
  bool regular_ = false;
  bool seekable_ = false;
};

}  // namespace edgemill

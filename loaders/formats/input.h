// One input behind the reader: something that is cut into pieces in order, and parsed out of order.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "common/status.h"
#include "loaders/formats/lines/line_format.h"
#include "loaders/source/piece.h"
#include "loaders/stream/input_stream.h"

namespace edgemill {

/// A file (or pipe) with its format. A piece is taken, read, numbered and parsed. Take, Seek and
/// Number are called by one thread at a time; Read and Parse by many.
class Input {
 public:
  virtual ~Input() = default;

  virtual const std::string& name() const = 0;
  virtual const InputInfo& info() const = 0;
  virtual uint64_t stored_bytes() const = 0;
  virtual uint64_t fingerprint() const = 0;
  /// Stored bytes that were decompressed so far. Nothing unless it is compressed: pieces are stored
  /// bytes then.
  virtual std::optional<uint64_t> decompressed_bytes() const { return std::nullopt; }
  /// Whether Seek goes on in the middle, without reading what comes before.
  virtual bool seekable() const = 0;

  /// Takes the next piece, up to about `bytes` long, into `piece`, whose buffer may be used; the
  /// last has ends_input set. An error is that of the input at piece->begin. Until
  /// AssignLineNumbers the lines and records of the piece's positions may be those that the input
  /// began with.
  virtual Status Take(size_t bytes, Piece* piece) = 0;
  /// Reads what Take left unread, unless Parse does. IoError or BadDataError.
  virtual Status Read(Piece* /*piece*/) const { return OkStatus(); }
  /// Sets lines and records of a piece's positions. Called for pieces in order. BadDataError for a
  /// line that is too long.
  virtual Status AssignLineNumbers(Piece* /*piece*/) { return OkStatus(); }
  /// Goes to a position that a piece ended at; before the first Take.
  virtual Status Seek(const InputPosition& position) = 0;
  /// Turns a piece into edges. IoError or BadDataError when it reads the bytes itself.
  virtual Status Parse(const Piece& piece, EdgeChunk* chunk, PieceResult* result) const = 0;
  /// Whether the sums over all pieces are what the input declares. Called once, at the end.
  virtual Status CheckEnd(const InputTotals& totals, InputInfo* info) const = 0;
  /// Closes the file when it can be opened again for the next Take or Seek, so that thousands of
  /// inputs do not need thousands of descriptors.
  virtual void CloseWhileIdle() = 0;
};

/// What every kind of Input is made from.
struct InputSpec {
  std::string path;
  bool trust_suffix = false;
  int zstd_window_log_max = 27;
};

/// A stream that is closed while nobody reads it and opened again at its old place.
class RestingStream {
 public:
  RestingStream(InputSpec spec, std::unique_ptr<InputStream> stream);

  const std::string& name() const { return name_; }
  uint64_t stored_bytes() const { return stored_bytes_; }
  uint64_t fingerprint() const { return fingerprint_; }
  bool seekable() const { return seekable_; }
  bool regular() const { return regular_; }
  /// See Input.
  std::optional<uint64_t> decompressed_bytes() const {
    return stream_ == nullptr ? std::nullopt : stream_->decompressed_bytes();
  }
  /// The stream, opened again at its start if it was closed; BadDataError when it has changed
  /// since.
  StatusOr<InputStream*> Awake();
  /// The open stream, for reads at offsets by many threads; null before Awake.
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

/// Text: cut at line ends, and lines longer than `max_line_bytes` where the format can.
std::unique_ptr<Input> MakeLineInput(RestingStream stream, std::unique_ptr<LineFormat> format,
                                     char line_end, size_t max_line_bytes);

}  // namespace edgemill

// Output files of commands, and the standard streams.
#pragma once

#include <string>
#include <string_view>

#include "common/os/file.h"
#include "common/status.h"

namespace edgemill {

/// Checks, before work starts, that `path` may be made. OutputError when it exists and `may_exist`
/// is false, when its directory does not exist, or when it would lie in a graph directory.
/// PermissionError when its directory cannot be written. IoError for a path that is too long.
/// Follows symbolic links, and checks their target.
Status CheckOutputPath(const std::string& path, bool may_exist);

/// Whether `path` has the name of a device or an open descriptor: such a name has no suffix.
bool IsDeviceName(std::string_view path);

/// Whether an output to `path` (OutputFile) is not finished, because its process was killed or is
/// still writing.
bool IsUnfinishedOutput(const std::string& path);

/// Writes a small file completely or not at all, and replaces a file that is there. Devices and
/// pipes are written in place.
Status WriteTextOutput(const std::string& path, std::string_view text);

/// Writes all of `text` to standard output at once. A closed pipe is ok, because its reader wants
/// no more; `reader_left` says so. IoError otherwise. CancelledError when a stop was requested
/// while there is no reader.
Status WriteStandardOutput(std::string_view text, bool* reader_left = nullptr);

/// Writes all of `text` to standard error at once.
Status WriteStandardError(std::string_view text);

/// An output that is being written. A file appears complete or not at all: it is written under a
/// lock to NAME.edgemill-part, and Finish renames it. A part that a killed process left there is
/// overwritten. A device, a pipe, an open descriptor (/dev/stderr) and standard output ("-",
/// /dev/stdout) are written in place. A symbolic link stays, and its target is written in the same
/// way. Waiting for a reader ends when a stop is requested. Move-only. Not thread-safe.
class OutputFile {
 public:
  OutputFile() = default;
  /// OutputError, PermissionError or IoError when the output cannot be made; LockedError while
  /// another process writes it.
  static StatusOr<OutputFile> Open(const std::string& path);
  OutputFile(OutputFile&& other) noexcept { *this = std::move(other); }
  OutputFile& operator=(OutputFile&& other) noexcept;
  /// Removes what was written, unless Finish was called before.
  ~OutputFile();

  /// Appends. Ok also when the reader of standard output has gone.
  Status Write(std::string_view bytes);
  /// Puts the file in its place, synced. On an error no new file is left, but an old one may have
  /// been replaced.
  Status Finish();
  /// Removes the file that Finish has made, if no file was there before. For when another output of
  /// the same command fails.
  void Withdraw();
  /// Whether the reader of standard output has gone: the rest need not be written.
  bool reader_left() const { return reader_left_; }

 private:
  std::string path_;       // with symbolic links resolved
  std::string temporary_;  // empty: written in place
  File file_;
  bool new_ = false;  // Finish has put it where no file was
  bool reader_left_ = false;
};

}  // namespace edgemill

// Files that commands leave behind, and the standard streams.
#pragma once

#include <string>
#include <string_view>

#include "common/os/file.h"
#include "common/status.h"

namespace edgemill {

/// Checks, before work starts, that `path` may be made. OutputError when it exists and `may_exist`
/// is false, when its directory does not exist, or is a graph's. PermissionError when its directory
/// cannot be written. IoError for a path that is too long. Follows symbolic links: the checks are
/// of their target.
Status CheckOutputPath(const std::string& path, bool may_exist);

/// Whether `path` has the name of a device or an open descriptor: such a name has no suffix.
bool IsDeviceName(std::string_view path);

/// Whether an output to `path` (OutputFile) is not in its place, because its process was killed or
/// is still writing.
bool IsUnfinishedOutput(const std::string& path);

/// Writes a small file, whole or not at all, in the place of one that is there; devices and pipes
/// are written in place.
Status WriteTextOutput(const std::string& path, std::string_view text);

/// Writes all of `text` to standard output at once. A closed pipe is ok, for the reader has what it
/// wanted: `reader_left` tells. IoError otherwise; CancelledError when stopped while there is no
/// reader.
Status WriteStandardOutput(std::string_view text, bool* reader_left = nullptr);

/// Writes all of `text` to standard error at once.
Status WriteStandardError(std::string_view text);

/// An output that is being written. It may be a file that appears whole or not at all: it is
/// written under a lock to NAME.edgemill-part, and renamed by Finish. A part that a killed process
/// left there is written over. It may be a device, a pipe or an open descriptor (/dev/stderr),
/// which is written in place, or standard output ("-", /dev/stdout). A symbolic link stays, and its
/// target is written in the same way. Waiting for a reader ends when a stop is requested.
/// Move-only. Not thread-safe.
class OutputFile {
 public:
  OutputFile() = default;
  /// OutputError, PermissionError or IoError when it cannot be made; LockedError while another
  /// process makes it.
  static StatusOr<OutputFile> Open(const std::string& path);
  OutputFile(OutputFile&& other) noexcept { *this = std::move(other); }
  OutputFile& operator=(OutputFile&& other) noexcept;
  /// Without Finish before, removes what was written.
  ~OutputFile();

  /// Appends. Ok also when the reader of standard output has gone.
  Status Write(std::string_view bytes);
  /// Puts the file in its place, synced. On an error, no new file is left; one that was there may
  /// have been replaced.
  Status Finish();
  /// Removes the file that Finish has put where there was none, because another output of the same
  /// command failed.
  void Withdraw();
  /// Whether the reader of standard output has gone: the rest may be left out.
  bool reader_left() const { return reader_left_; }

 private:
  std::string path_;       // no symbolic link
  std::string temporary_;  // empty: written in place
  File file_;
  bool new_ = false;  // Finish has put it where no file was
  bool reader_left_ = false;
};

}  // namespace edgemill

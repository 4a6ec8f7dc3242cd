// Files that commands leave behind, and the standard streams.
#pragma once

#include <string>
#include <string_view>

#include "common/file.h"
#include "common/status.h"

namespace edgemill {

/// Checks, before work starts, that `path` may be made: OutputError when it exists and `may_exist`
/// is false, or when its directory does not; PermissionError when that cannot be written.
Status CheckOutputPath(const std::string& path, bool may_exist);

/// Whether an output that was on its way to `path` (OutputFile) when its process was killed, or is
/// still, is not in its place.
bool IsUnfinishedOutput(const std::string& path);

/// Writes a small file, whole or not at all, in the place of one that is there; devices and pipes
/// are written in place.
Status WriteTextOutput(const std::string& path, std::string_view text);

/// Writes all of `text` to standard output at once. A closed pipe is ok, for the reader has what it
/// wanted: `reader_left` tells. IoError otherwise.
Status WriteStandardOutput(std::string_view text, bool* reader_left = nullptr);

/// Writes all of `text` to standard error at once.
Status WriteStandardError(std::string_view text);

/// An output on its way: a file that appears whole or not at all (written under a lock to
/// NAME.edgemill-part, renamed by Finish; what a killed process left there is written over), a
/// device or pipe that is written in place, or standard output ("-"). Move-only. Not thread-safe.
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
  /// Puts the file in its place, synced. On an error nothing is there that was not before; one
  /// that was may have been replaced.
  Status Finish();
  /// Removes the file that Finish has put where none was: another one that it goes with failed.
  void Withdraw();
  /// Whether the reader of standard output has gone: the rest may be left out.
  bool reader_left() const { return reader_left_; }

 private:
  std::string path_;
  std::string temporary_;  // empty: written in place
  File file_;
  bool new_ = false;  // Finish has put it where no file was
  bool reader_left_ = false;
};

}  // namespace edgemill

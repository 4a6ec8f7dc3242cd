// Where a path leads through symbolic links: to a file, to the place of a file that does not exist
// yet, or to an open descriptor of this process.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "common/status.h"

namespace edgemill {

/// The file, new place or descriptor to which a path leads.
struct FilePlace {
  std::string path;     // of the file itself: no symbolic link
  int descriptor = -1;  // for /dev/stdout and the like: an open descriptor of any kind
  mode_t mode = 0;      // st_mode of stat(2); 0: nothing exists yet
  dev_t device = 0;     // of the file, or of its directory if the file does not exist yet
  ino_t inode = 0;
  std::string name;  // in its directory, of a file that does not exist yet

  bool exists() const { return mode != 0; }
  bool regular() const;
  bool directory() const;
  /// Whether the path leads to a pipe with a name, or to a pipe of a shell.
  bool pipe() const;
};

/// Follows `path`. MissingError when the directory of the file does not exist. OutputError for a
/// link to a removed file. IoError for links in a circle.
StatusOr<FilePlace> PlaceOf(const std::string& path);

/// The place of an open descriptor; MissingError when it is not open.
StatusOr<FilePlace> PlaceOfDescriptor(int descriptor);

/// Whether `a` and `b` are the same file, so that two users would destroy each other's work. The
/// file may not exist yet. Devices, and descriptors that are no regular files, may have many users.
/// The same descriptor given twice is one file.
bool IsSameFile(const FilePlace& a, const FilePlace& b);

}  // namespace edgemill

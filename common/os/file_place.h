// Where a path leads: through symbolic links to a file, to the place of one that is not there yet,
// or to a descriptor that this process has open.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "common/status.h"

namespace edgemill {

/// What is written where a path leads.
struct FilePlace {
  std::string path;     // of the file itself: no symbolic link
  int descriptor = -1;  // /dev/stdout and the like: an open descriptor, whatever it is of
  mode_t mode = 0;      // as of stat(2); 0: nothing is there yet
  dev_t device = 0;     // of the file, or, where none is there yet, of its directory
  ino_t inode = 0;
  std::string name;  // of a file that is not there yet, in its directory

  bool exists() const { return mode != 0; }
  bool regular() const;
  bool directory() const;
  /// A named pipe, or one of a shell's, that a path leads to.
  bool pipe() const;
};

/// Follows `path`. MissingError when there is no directory that such a file could be in;
/// OutputError for a link to a file that has no name any more; IoError for links in a circle.
StatusOr<FilePlace> PlaceOf(const std::string& path);

/// The place of an open descriptor; MissingError when it is not open.
StatusOr<FilePlace> PlaceOfDescriptor(int descriptor);

/// Whether both are one file, of which two users would destroy each other's work: also one that is
/// not there yet. Devices, and descriptors that are no regular files, serve any number of users;
/// one descriptor given twice is one file.
bool IsSameFile(const FilePlace& a, const FilePlace& b);

}  // namespace edgemill

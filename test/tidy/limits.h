// Limits of size: of classes, of parameter lists, of folders; and arrows between a room's folders.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "test/tidy/rules.h"

namespace edgemill::tidy {

/// What exceeds a limit, and may: read from a file. A line "KIND PLACE NAME: REASON" allows it to a
/// class or a function, where PLACE is a source file without its extension. "files FOLDER: REASON"
/// and "circle ROOM: REASON" allow it to a folder. Lines that begin with # are comments.
class Exceptions {
 public:
  /// `path` is for messages; lines that are not as above, or say no reason, are faults.
  Exceptions(std::string path, std::string_view text, Faults* faults);

  /// Whether there is a line for `what`, "methods storage/io/file File" say; it is used then.
  bool Allows(const std::string& what);
  /// Lines that allow what is within the limits are faults.
  void CheckUsed(Faults* faults) const;

 private:
  struct Line {
    size_t number = 0;
    bool is_used = false;
  };
  const std::string path_;
  std::map<std::string, Line> lines_;
};

/// Checks that the product's classes have at most 20 public methods and 12 data members, and its
/// functions 5 parameters.
void CheckDeclarations(const std::string& path, std::string_view text, Exceptions* exceptions,
                       Faults* faults);

/// Checks how many files lie side by side in a folder.
void CheckFolderSizes(const std::map<std::string, std::string>& texts, Exceptions* exceptions,
                      Faults* faults);

/// Checks that folders of one room do not include each other's headers in a circle. Rooms are the
/// folders in engine/, storage/ and loaders/; and bench/, cli/, common/ and kernels/.
void CheckRoomCircles(const std::map<std::string, std::string>& texts, Exceptions* exceptions,
                      Faults* faults);

}  // namespace edgemill::tidy

// Limits on the size of classes, parameter lists and folders. Folders of one room must not include
// each other in a circle.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "test/tidy/rules.h"

namespace edgemill::tidy {

/// The classes, functions and folders that may exceed a limit, read from a file. A line
/// "KIND PLACE NAME: REASON" allows it for one class or function. PLACE is a source file without
/// its extension. "files FOLDER: REASON" and "circle ROOM: REASON" allow it for a folder. Lines
/// that begin with # are comments.
class Exceptions {
 public:
  /// `path` is for messages. A line in another form, or without a reason, is a fault.
  Exceptions(std::string path, std::string_view text, Faults* faults);

  /// Whether there is a line for `what`, such as "methods storage/io/file File". Marks that line as
  /// used.
  bool Allows(const std::string& what);
  /// Reports each unused line as a fault, because what the line allows exceeds no limit.
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

/// Checks the number of files in each folder, without subfolders.
void CheckFolderSizes(const std::map<std::string, std::string>& texts, Exceptions* exceptions,
                      Faults* faults);

/// Checks that folders of one room do not include each other's headers in a circle. Rooms are the
/// folders in engine/, storage/ and loaders/; and bench/, cli/, common/ and kernels/.
void CheckIncludeCycles(const std::map<std::string, std::string>& texts, Exceptions* exceptions,
                        Faults* faults);

}  // namespace edgemill::tidy

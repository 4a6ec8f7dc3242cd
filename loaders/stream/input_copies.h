// Copies of inputs that can be read only once, for reading them again.
#pragma once

#include <map>
#include <string>

#include "common/os/file.h"
#include "common/status.h"

namespace edgemill {

/// Copies by the paths of what was copied ("-": standard input). Read by any number of threads.
using InputCopies = std::map<std::string, File>;

/// Copies all that a pipe gives, as it is stored, to a file without a name in the nearest folder at
/// or above `place` that exists. The file is gone when it is closed, or the process ends. Waits for
/// the pipe's end. An IoError names the folder and how many bytes it got.
StatusOr<File> CopyInput(const std::string& path, const std::string& place);

}  // namespace edgemill

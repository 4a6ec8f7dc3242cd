// The files that a command reads, checked against each other and against those that it writes.
#pragma once

#include <string>
#include <vector>

#include "common/status.h"

namespace edgemill::cli {

/// A file as the command line names it, - for a standard stream, and the option that does.
struct NamedFile {
  std::string option;
  std::string path;
};

/// UsageError where two of `read` are one stream, which can be read only once: standard input, a
/// FIFO or a socket. OutputError where a regular file in `read` is in `written` too.
Status CheckReadFiles(const std::vector<NamedFile>& read, const std::vector<NamedFile>& written);

}  // namespace edgemill::cli

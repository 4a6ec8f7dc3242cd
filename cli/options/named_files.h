// Files that a command line names, checked against each other.
#pragma once

#include <string>
#include <vector>

#include "common/status.h"

namespace edgemill::cli {

/// What a command does with the files or directories that an option names.
enum class FileUse { kNone, kRead, kMade, kWritten };

/// A file as the command line names it, - for a standard stream, and the option that does.
struct NamedFile {
  std::string option;
  std::string path;
  FileUse use = FileUse::kNone;
};

/// What is one file by whatever paths and links. UsageError where two that are read are one stream,
/// which can be read only once: standard input, a FIFO or a socket. OutputError where one is read
/// and written. UsageError where one is written that another option writes or makes, or that
/// standard output or standard error goes to; devices take several.
Status CheckNamedFiles(const std::vector<NamedFile>& files);

}  // namespace edgemill::cli

// Checks the files that a command line names against each other.
#pragma once

#include <string>
#include <vector>

#include "common/status.h"

namespace edgemill::cli {

/// What a command does with the files or directories of an option.
enum class FileUse { kNone, kRead, kMade, kWritten };

/// A file on the command line, with the option that names it; - is a standard stream.
struct NamedFile {
  std::string option;
  std::string path;
  FileUse use = FileUse::kNone;
};

/// Finds files that are the same, by whatever paths and links. Returns UsageError for two inputs
/// that are one stream, because standard input, a FIFO or a socket can be read only once. Returns
/// OutputError for a file that is read and written. Returns UsageError for a written file that
/// another option writes or makes, or that is standard output or standard error. Several options
/// may write one device.
Status CheckNamedFiles(const std::vector<NamedFile>& files);

}  // namespace edgemill::cli

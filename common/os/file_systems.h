// The file systems that some directories lie in, and what is free there.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "common/status.h"

namespace edgemill {

struct FileSystem {
  dev_t device;
  uint64_t free_bytes;
  std::vector<std::string> places;  // in it, of the given ones
};

/// The file systems of `places`, each once: what is free is not counted again for a second
/// directory. For a place that does not exist, it is that of the nearest existing folder above it.
StatusOr<std::vector<FileSystem>> FileSystemsOf(const std::vector<std::string>& places);

/// The bytes that are free for each of `places`: those that share a file system share what is free
/// there.
StatusOr<std::vector<uint64_t>> FreeBytesOfEach(const std::vector<std::string>& places);

/// The bytes that are free in all of them.
uint64_t FreeBytes(const std::vector<FileSystem>& file_systems);

}  // namespace edgemill

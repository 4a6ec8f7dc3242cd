// The file systems of some directories, and their free space.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "common/status.h"

namespace edgemill {

/// `path`, or the nearest folder above it that exists.
StatusOr<std::string> ExistingPlace(std::string path);

struct FileSystem {
  dev_t device;
  uint64_t free_bytes;
  std::vector<std::string> places;  // the given places in this file system
};

/// The file systems of `places`, each once, so that free space is not counted twice. A place that
/// does not exist belongs to the file system of the nearest existing folder above it.
StatusOr<std::vector<FileSystem>> FileSystemsOf(const std::vector<std::string>& places);

/// The bytes that are free for each of `places`. Places in one file system share its free space.
StatusOr<std::vector<uint64_t>> FreeBytesOfEach(const std::vector<std::string>& places);

/// The bytes that are free in all of them.
uint64_t FreeBytes(const std::vector<FileSystem>& file_systems);

}  // namespace edgemill

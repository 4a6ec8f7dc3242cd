#include "common/os/file_systems.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "common/os/file.h"

namespace edgemill {

StatusOr<std::string> ExistingPlace(std::string path) {
  while (true) {
    ASSIGN_OR_RETURN(const bool exists, Exists(path));
    if (exists) return path;
    path = ParentDirectory(path);
  }
}

StatusOr<std::vector<FileSystem>> FileSystemsOf(const std::vector<std::string>& places) {
  std::vector<FileSystem> file_systems;
  for (const std::string& place : places) {
    ASSIGN_OR_RETURN(const std::string existing, ExistingPlace(place));
    struct stat info;
    if (stat(existing.c_str(), &info) != 0) return ErrnoError(errno, "stat", existing);
    auto known = std::find_if(file_systems.begin(), file_systems.end(),
                              [&](const auto& other) { return other.device == info.st_dev; });
    if (known == file_systems.end()) {
      ASSIGN_OR_RETURN(const uint64_t free_bytes, FreeDiskBytes(existing));
      known = file_systems.insert(known, {info.st_dev, free_bytes, {}});
    }
    known->places.push_back(place);
  }
  return file_systems;
}

StatusOr<std::vector<uint64_t>> FreeBytesOfEach(const std::vector<std::string>& places) {
  ASSIGN_OR_RETURN(const std::vector<FileSystem> file_systems, FileSystemsOf(places));
  std::vector<uint64_t> free_bytes;
  for (const std::string& place : places) {
    const auto of_place =
        std::find_if(file_systems.begin(), file_systems.end(), [&](const FileSystem& file_system) {
          return std::find(file_system.places.begin(), file_system.places.end(), place) !=
                 file_system.places.end();
        });
    free_bytes.push_back(of_place->free_bytes / of_place->places.size());
  }
  return free_bytes;
}

uint64_t FreeBytes(const std::vector<FileSystem>& file_systems) {
  uint64_t total = 0;
  for (const FileSystem& file_system : file_systems) total += file_system.free_bytes;
  return total;
}

}  // namespace edgemill

#include "common/os/file_place.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "common/os/file.h"
#include "common/strings.h"

namespace edgemill {
namespace {

/// The most links in a row, as in the kernel.
constexpr int kMaxLinks = 40;

/// `path` without links and dots; empty where it does not exist.
std::string RealPath(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(realpath(path.c_str(), nullptr),
                                                         &std::free);
  return real == nullptr ? "" : real.get();
}

std::string BaseName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

/// The descriptor N of this process if `path` is its entry, such as /proc/self/fd/N; -1: no entry.
int DescriptorAt(const std::string& path) {
  int descriptor = -1;
  if (!ParseNumber(BaseName(path), &descriptor) || descriptor < 0) return -1;
  const std::string process = RealPath("/proc/self") + "/";
  const std::string directory = RealPath(ParentDirectory(path));
  const bool own = process.size() > 1 && directory.starts_with(process);
  return own && directory.ends_with("/fd") ? descriptor : -1;  // a thread's, too
}

/// The target of the link at `path`, as a path from the working directory.
StatusOr<std::string> TargetOf(const std::string& path) {
  char text[PATH_MAX];
  const ssize_t size = readlink(path.c_str(), text, sizeof(text));
  if (size < 0) return ErrnoError(errno, "follow", path);
  const std::string_view target(text, static_cast<size_t>(size));
  return target.starts_with('/') ? std::string(target) : StrCat(ParentDirectory(path), "/", target);
}

FilePlace WithStat(FilePlace place, const struct stat& info) {
  place.mode = info.st_mode;
  place.device = info.st_dev;
  place.inode = info.st_ino;
  return place;
}

/// The place of a file that does not exist: its directory, and its name there.
StatusOr<FilePlace> NewPlace(FilePlace place) {
  const std::string parent = ParentDirectory(place.path);
  struct stat info;
  if (stat(parent.c_str(), &info) != 0 || !S_ISDIR(info.st_mode)) {
    return MissingError(
        StrCat(place.path, ": directory ", parent, " does not exist: make it first"));
  }
  place.device = info.st_dev;
  place.inode = info.st_ino;
  place.name = BaseName(place.path);
  return place;
}

}  // namespace

bool FilePlace::regular() const { return S_ISREG(mode); }
bool FilePlace::directory() const { return S_ISDIR(mode); }
bool FilePlace::pipe() const { return S_ISFIFO(mode) && descriptor < 0; }

StatusOr<FilePlace> PlaceOf(const std::string& path) {
  FilePlace place{.path = path};
  for (int links = 0; links <= kMaxLinks; ++links) {
    const int descriptor = DescriptorAt(place.path);
    if (descriptor >= 0) return PlaceOfDescriptor(descriptor);
    struct stat info;
    if (lstat(place.path.c_str(), &info) == 0) {
      if (!S_ISLNK(info.st_mode)) return WithStat(std::move(place), info);
      ASSIGN_OR_RETURN(place.path, TargetOf(place.path));
      continue;
    }
    if (errno != ENOENT && errno != ENOTDIR) return ErrnoError(errno, "look at", place.path);
    // Links of /proc lead to pipes and removed files, but their text is no path that can be opened.
    if (links == 0 || stat(path.c_str(), &info) != 0) return NewPlace(std::move(place));
    place.path = path;
    if (!S_ISREG(info.st_mode)) return WithStat(std::move(place), info);
    return OutputError(StrCat(path, ": leads to a file that was removed: name another file"));
  }
  return ErrnoError(ELOOP, "follow", path);
}

StatusOr<FilePlace> PlaceOfDescriptor(int descriptor) {
  struct stat info;
  const std::string path = StrCat("/proc/self/fd/", descriptor);
  if (fstat(descriptor, &info) != 0) return ErrnoError(ENOENT, "write to", path);
  return WithStat(FilePlace{.path = path, .descriptor = descriptor}, info);
}

bool IsSameFile(const FilePlace& a, const FilePlace& b) {
  if (a.descriptor >= 0 && a.descriptor == b.descriptor) return true;
  const auto shared = [](const FilePlace& place) {
    return place.exists() && !place.regular() && !place.directory() && !place.pipe();
  };
  if (shared(a) || shared(b)) return false;
  return a.exists() == b.exists() && a.device == b.device && a.inode == b.inode && a.name == b.name;
}

}  // namespace edgemill

#include "storage/catalog/graph_lock.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace edgemill {
namespace {

bool SameFile(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/// "process 12 (edgemill), process 34 (python3)": the other processes that have `file` open. The
/// kernel does not tell which process holds an open-file-description lock, but only its users keep
/// the file open.
std::string HoldersOf(const File& file) {
  struct stat wanted;
  if (fstat(file.fd(), &wanted) != 0) return "";
  std::string holders;
  std::error_code error;
  for (std::filesystem::directory_iterator it("/proc", error), end; !error && it != end;
       it.increment(error)) {
    int process = 0;
    if (!ParseNumber(it->path().filename().native(), &process) || process == getpid()) continue;
    std::error_code hidden;  // other users' processes, and those that have just ended
    for (std::filesystem::directory_iterator fd(it->path() / "fd", hidden); !hidden && fd != end;
         fd.increment(hidden)) {
      struct stat found;
      if (stat(fd->path().c_str(), &found) != 0 || !SameFile(found, wanted)) continue;
      const StatusOr<std::string> name = ReadWholeFile((it->path() / "comm").native(), 64);
      holders += StrCat(holders.empty() ? "" : ", ", "process ", process, " (",
                        name.ok() ? StripSpace(*name) : "unknown", ")");
      break;
    }
  }
  return holders;
}

Status Locked(const File& directory, const File& file, GraphLock::Mode mode) {
  std::string holders = HoldersOf(file);
  if (holders.empty()) holders = "another process, or another part of this one";
  return LockedError(
      StrCat(directory.path(), ": ",
             mode == GraphLock::Mode::kShared ? "is being written by " : "is in use by ", holders,
             ": wait for it to end, or stop it"));
}

}  // namespace

StatusOr<GraphLock> GraphLock::Acquire(const File& directory, Mode mode, bool create) {
  const int flags = (mode == Mode::kShared ? O_RDONLY : O_RDWR) | (create ? O_CREAT : 0);
  ASSIGN_OR_RETURN(File file, File::OpenBeneath(directory, std::string(kLockName), flags));
  struct flock lock {};
  lock.l_type = mode == Mode::kShared ? F_RDLCK : F_WRLCK;
  lock.l_whence = SEEK_SET;
  int result = 0;
  do result = fcntl(file.fd(), F_OFD_SETLK, &lock);
  while (result != 0 && errno == EINTR);
  if (result != 0 && (errno == EAGAIN || errno == EACCES)) return Locked(directory, file, mode);
  if (result != 0) return ErrnoError(errno, "lock", file.path());
  // If the graph was removed, the remover held the lock of a file that is gone: then there is
  // nothing to lock.
  struct stat locked, named;
  if (fstat(file.fd(), &locked) != 0) return ErrnoError(errno, "stat", file.path());
  const int looked =
      fstatat(directory.fd(), std::string(kLockName).c_str(), &named, AT_SYMLINK_NOFOLLOW);
  if (looked != 0 && errno != ENOENT) return ErrnoError(errno, "stat", file.path());
  if (looked != 0 || !SameFile(locked, named)) {
    return MissingError(StrCat(directory.path(), ": was removed by another process just now"));
  }
  return GraphLock(std::move(file));
}

}  // namespace edgemill

// Files and directories by system calls. Every result is checked, and every error is named. All
// file operations of Edgemill go through these functions, except those of RocksDB and of io_uring,
// so that tests can make the nth operation fail.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/status.h"

namespace edgemill {

/// An owned file descriptor with its path. Move-only; closes itself.
class File {
 public:
  File() = default;
  File(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}
  File(File&& other) noexcept : fd_(std::exchange(other.fd_, -1)), path_(std::move(other.path_)) {}
  File& operator=(File&& other) noexcept {
    std::swap(fd_, other.fd_);
    std::swap(path_, other.path_);
    return *this;
  }
  ~File();

  /// open(2) with O_CLOEXEC; new files get mode 0600 less the umask.
  static StatusOr<File> Open(const std::string& path, int flags);
  /// As Open, for a single name in the directory `parent`. Follows no symbolic link. Without
  /// O_DIRECTORY it opens only regular files: BadDataError for pipes and devices, without a wait.
  static StatusOr<File> OpenBeneath(const File& parent, const std::string& name, int flags);
  /// Opens and locks the regular file `path`, to write it alone from its start. Makes the file if
  /// it does not exist. The lock ends with the descriptor, also if the process is killed. While
  /// another process has the lock, waits (`wait`) or returns LockedError. OutputError if `path` is
  /// no regular file.
  static StatusOr<File> OpenAlone(const std::string& path, bool wait);

  bool valid() const { return fd_ >= 0; }
  int fd() const { return fd_; }
  const std::string& path() const { return path_; }

  /// Reads `into.size()` bytes at `offset`; fewer only at the end of the file. Retries short reads
  /// and EINTR.
  StatusOr<size_t> ReadAt(std::span<std::byte> into, uint64_t offset) const;
  /// Waits for the next bytes of a stream and reads them: at least 1, or 0 at its end.
  /// CancelledError when a stop is requested meanwhile.
  StatusOr<size_t> ReadSome(std::span<std::byte> into) const;
  /// Writes all bytes at `offset`.
  Status WriteAt(std::span<const std::byte> bytes, uint64_t offset) const;
  /// Writes all bytes at the file position (streams).
  Status WriteAll(std::span<const std::byte> bytes) const;
  StatusOr<uint64_t> Size() const;
  Status Truncate(uint64_t size) const;
  /// Sets disk space aside for a range, and makes the file at least as long. An error if the file
  /// system cannot do this or has no room (`disk_full`). After an error, a part may have space.
  Status SetAside(uint64_t offset, uint64_t length) const;
  /// Gives the disk space of a range back. The range reads as zeros afterwards. IoError if the file
  /// system cannot do this.
  Status PunchHole(uint64_t offset, uint64_t length) const;
  /// fdatasync. Never retried: after a failure the file must be written again.
  Status Sync() const;

 private:
  int fd_ = -1;
  std::string path_;
};

/// "a/b" of "a/b//"; "/" stays.
std::string WithoutTrailingSlashes(std::string path);
/// The directory of `path`, which has no slash at its end: "a" for "a/b", "." for "b".
std::string ParentDirectory(const std::string& path);
/// Makes `path` (mode 0700 less the umask); ok when it is a directory already.
Status MakeDirectory(const std::string& path);
/// Makes `path` and its missing parents durably: syncs the parent of each new directory.
Status MakeDirectories(const std::string& path);
/// Calls fsync on a directory, so that new and removed entries survive a crash.
Status SyncDirectory(const std::string& path);
/// SyncDirectory for the path's ParentDirectory.
Status SyncParent(const std::string& path);
Status RemoveFile(const std::string& path);
/// Removes an empty directory.
Status RemoveDirectory(const std::string& path);
Status RenameFile(const std::string& from, const std::string& to);
/// Exchanges two paths in one step. Errno is EINVAL or ENOSYS if the file system cannot do this.
Status ExchangePaths(const std::string& a, const std::string& b);
/// Whether something is at `path`. Does not follow links. An error if this process may not see it.
StatusOr<bool> Exists(const std::string& path);
/// The same, but false if this process may not see it.
bool PathExists(const std::string& path);
/// The names in a directory, sorted, without "." and "..".
StatusOr<std::vector<std::string>> ListDirectory(const std::string& path);
/// The length of a regular file. Does not open the file. BadDataError for anything else.
StatusOr<uint64_t> RegularFileBytes(const std::string& path);
/// Bytes that an ordinary user may still write on the file system of `path`.
StatusOr<uint64_t> FreeDiskBytes(const std::string& path);
/// A small file's whole contents; BadDataError above `limit` bytes.
StatusOr<std::string> ReadWholeFile(const std::string& path, size_t limit);
/// Writes a small file so that a crash never leaves a part of it: writes and syncs a temporary
/// file, renames it, and syncs the directory. Overwrites a temporary file that a killed process
/// left.
Status WriteFileAtomically(const std::string& path, std::string_view contents);
/// Removes a file of WriteFileAtomically, and a temporary file that a killed process left. Ok when
/// there is neither.
Status RemoveFileAndTemporary(const std::string& path);

namespace fault {

/// The kinds of file operations, for injected faults.
enum class Op {
  kOpen,
  kList,
  kStat,
  kRead,
  kWrite,
  kSync,
  kTruncate,
  kRename,
  kExchange,
  kRemove,
  kMakeDirectory,
  kKillPoint,  // no operation: the process is at the KillPoint whose name is given as the path
};

/// Called before each operation. Returns the errno with which the operation fails, or 0. Only for
/// tests. A hook must be thread-safe.
using Hook = std::function<int(Op op, std::string_view path)>;

/// Installs `hook`; an empty one removes it. Not to be called while operations are running.
void SetHook(Hook hook);
/// The errno that the hook returns for this operation; 0 without a hook.
int Injected(Op op, std::string_view path);

/// A named place where a crash is tested: kills the process (SIGKILL) when the environment variable
/// EDGEMILL_KILL_POINT is "name" or "name:n" and this is the nth visit (from 1).
void KillPoint(std::string_view name);

}  // namespace fault
}  // namespace edgemill

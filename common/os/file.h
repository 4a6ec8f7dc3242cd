// Files and directories by system call: every result checked, every error named. All of Edgemill's
// file operations but RocksDB's own and the rings' go through here, so that tests can fail the nth
// one.
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
  /// As Open, below the directory `parent`: a single component, no symbolic link followed. Without
  /// O_DIRECTORY a regular file: BadDataError for pipes and devices, for which it never waits.
  static StatusOr<File> OpenBeneath(const File& parent, const std::string& name, int flags);
  /// Opens the regular file `path`, made if need be, to write it alone from its start. The lock
  /// ends with the descriptor, however its process ends. While another process has it, this waits
  /// (`wait`) or is a LockedError. OutputError for what is no regular file.
  static StatusOr<File> OpenAlone(const std::string& path, bool wait);

  bool valid() const { return fd_ >= 0; }
  int fd() const { return fd_; }
  const std::string& path() const { return path_; }

  /// Reads up to `into.size()` bytes at `offset`, retrying short reads and EINTR; fewer only at the
  /// end of the file.
  StatusOr<size_t> ReadAt(std::span<std::byte> into, uint64_t offset) const;
  /// Reads the next bytes of a stream: at least 1, 0 at its end. Waits for them; CancelledError
  /// when a stop is requested meanwhile.
  StatusOr<size_t> ReadSome(std::span<std::byte> into) const;
  /// Writes all bytes at `offset`.
  Status WriteAt(std::span<const std::byte> bytes, uint64_t offset) const;
  /// Writes all bytes at the file position (streams).
  Status WriteAll(std::span<const std::byte> bytes) const;
  StatusOr<uint64_t> Size() const;
  Status Truncate(uint64_t size) const;
  /// Sets disk space aside for a range, and makes the file that long. An error where the file
  /// system cannot, or has no room (`disk_full`); part of the range may have space then.
  Status SetAside(uint64_t offset, uint64_t length) const;
  /// Gives the disk space of a range back; it reads as zeros then. IoError where the file system
  /// cannot.
  Status PunchHole(uint64_t offset, uint64_t length) const;
  /// fdatasync. Never retried: after a failure the file must be written again.
  Status Sync() const;

 private:
  int fd_ = -1;
  std::string path_;
};

/// "a/b" of "a/b//"; "/" stays.
std::string WithoutTrailingSlashes(std::string path);
/// The directory that `path`, without slashes at its end, is in: "a" of "a/b", "." of "b".
std::string ParentDirectory(const std::string& path);
/// Makes `path` (mode 0700 less the umask); ok when it is a directory already.
Status MakeDirectory(const std::string& path);
/// Makes `path` and its missing parents, each of them durably: its own parent is synced.
Status MakeDirectories(const std::string& path);
/// fsyncs a directory, so that entries made or removed in it last.
Status SyncDirectory(const std::string& path);
/// As SyncDirectory, of the path's ParentDirectory.
Status SyncParent(const std::string& path);
Status RemoveFile(const std::string& path);
/// Removes an empty directory.
Status RemoveDirectory(const std::string& path);
Status RenameFile(const std::string& from, const std::string& to);
/// Exchanges two paths in one step. Not every file system can: errno EINVAL or ENOSYS.
Status ExchangePaths(const std::string& a, const std::string& b);
/// Whether something is at `path`, links not followed; an error where this process may not see it.
StatusOr<bool> Exists(const std::string& path);
/// The same; false, too, where this process may not see it.
bool PathExists(const std::string& path);
/// The names in a directory, sorted, without "." and "..".
StatusOr<std::vector<std::string>> ListDirectory(const std::string& path);
/// The length of a regular file, which is not opened: BadDataError for anything else.
StatusOr<uint64_t> RegularFileBytes(const std::string& path);
/// Bytes that an ordinary user may still write on the file system of `path`.
StatusOr<uint64_t> FreeDiskBytes(const std::string& path);
/// A small file's whole contents; BadDataError above `limit` bytes.
StatusOr<std::string> ReadWholeFile(const std::string& path, size_t limit);
/// Writes a small file so that after a crash it is whole or absent: temporary, fsync, rename,
/// fsync. What a killed process left of the temporary file is written over.
Status WriteFileAtomically(const std::string& path, std::string_view contents);
/// Removes a file of WriteFileAtomically and what a killed process left beside it; ok when there is
/// neither.
Status RemoveFileAndTemporary(const std::string& path);

namespace fault {

/// What a file operation is, for injected faults.
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
  kKillPoint,  // none: the process is at the KillPoint that is named in the path's place
};

/// Called before each operation; returns an errno to fail it with, or 0. Tests only. Thread-safe
/// hook.
using Hook = std::function<int(Op op, std::string_view path)>;

/// Installs `hook` (empty removes it). Not while operations are running.
void SetHook(Hook hook);
/// The errno the hook wants for this operation; 0 without a hook.
int Injected(Op op, std::string_view path);

/// A named place where a crash is tested: kills the process (SIGKILL) when the environment variable
/// EDGEMILL_KILL_POINT is "name" or "name:n" and this is the nth visit (from 1).
void KillPoint(std::string_view name);

}  // namespace fault
}  // namespace edgemill

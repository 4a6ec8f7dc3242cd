#include "common/os/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <poll.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "common/cancel.h"
#include "common/thread_times.h"

namespace edgemill {
namespace {

/// Repeats `call`, which may wait for a device, until no signal interrupts it.
template <typename Call>
auto Retry(Call call) {
  const WaitScope waiting(WaitCause::kDisk);
  decltype(call()) result;
  do result = call();
  while (result < 0 && errno == EINTR);
  return result;
}

Status Injected(fault::Op op, std::string_view operation, std::string_view path) {
  const int error = fault::Injected(op, path);
  return error == 0 ? OkStatus() : ErrnoError(error, operation, path);
}

Status NotRegular(std::string_view path) {
  return BadDataError(StrCat(path, ": is not a regular file: the graph is damaged"));
}

/// Ok when `fd` is a regular file. Clears O_NONBLOCK, with which opening a pipe does not wait:
/// reads by io_uring would fail with it.
Status CheckRegular(int fd, std::string_view path) {
  struct stat info;
  if (fstat(fd, &info) != 0) return ErrnoError(errno, "stat", path);
  if (!S_ISREG(info.st_mode)) return NotRegular(path);
  const int flags = fcntl(fd, F_GETFL);
  if (flags < 0 || fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) != 0) {
    return ErrnoError(errno, "open", path);
  }
  return OkStatus();
}

/// The path of the file that WriteFileAtomically writes first.
std::string TemporaryOf(const std::string& path) { return path + ".tmp"; }

/// Locks `file`. False while another process has the lock, or if another file now has its name.
StatusOr<bool> LockExclusively(const File& file, bool wait) {
  const std::string& path = file.path();
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  constexpr int kAgainMilliseconds = 10;
  int result = 0;
  while ((result = Retry([&] { return fcntl(file.fd(), F_OFD_SETLK, &lock); })) != 0) {
    if (errno == ENOLCK || errno == EOPNOTSUPP) break;  // a file system without locks does without
    if (errno != EAGAIN && errno != EACCES) return ErrnoError(errno, "lock", path);
    if (!wait) return false;
    RETURN_IF_ERROR(CheckCancelled());  // that process may have been stopped
    poll(nullptr, 0, kAgainMilliseconds);
  }
  // The process that had the lock may have renamed or removed the file meanwhile.
  struct stat opened, named;
  const bool unseen = lstat(path.c_str(), &named) != 0;
  if (unseen && errno == ENOENT) return false;
  if (unseen || fstat(file.fd(), &opened) != 0) return ErrnoError(errno, "stat", path);
  if (opened.st_ino != named.st_ino || opened.st_dev != named.st_dev) return false;
  if (!S_ISREG(opened.st_mode)) return OutputError(StrCat(path, ": is in the way: remove it"));
  return true;
}

Status At(Status status, uint64_t offset, size_t length) {
  if (status.ok()) return status;
  return status.WithMessage(
      StrCat(status.message(), " (offset ", offset, ", length ", length, ")"));
}

}  // namespace

File::~File() {
  if (fd_ < 0) return;
  const WaitScope waiting(WaitCause::kDisk);  // a file that has no name is freed now
  close(fd_);
}

StatusOr<File> File::Open(const std::string& path, int flags) {
  RETURN_IF_ERROR(Injected(fault::Op::kOpen, "open", path));
  const int fd = Retry([&] { return open(path.c_str(), flags | O_CLOEXEC, 0600); });
  if (fd < 0) return ErrnoError(errno, "open", path);
  return File(fd, path);
}

StatusOr<File> File::OpenBeneath(const File& parent, const std::string& name, int flags) {
  const std::string path = parent.path() + "/" + name;
  if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos ||
      name.find('\0') != std::string::npos) {
    return BadDataError(StrCat(path, ": not a plain file name: the catalog is damaged"));
  }
  RETURN_IF_ERROR(Injected(fault::Op::kOpen, "open", path));
  open_how how{};
  flags |= O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  how.flags = static_cast<uint64_t>(flags);
  how.mode = (flags & O_CREAT) != 0 ? 0600 : 0;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS;
  int fd = Retry([&] {
    return static_cast<int>(syscall(SYS_openat2, parent.fd(), name.c_str(), &how, sizeof(how)));
  });
  if (fd < 0 && (errno == ENOSYS || errno == EPERM)) {  // old kernels; containers that filter it
    fd = Retry([&] { return openat(parent.fd(), name.c_str(), flags, 0600); });
  }
  if (fd < 0) return ErrnoError(errno, "open", path);
  File file(fd, path);
  if ((flags & O_DIRECTORY) == 0) RETURN_IF_ERROR(CheckRegular(fd, path));
  return file;
}

StatusOr<File> File::OpenAlone(const std::string& path, bool wait) {
  constexpr int kFlags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK;
  while (true) {
    StatusOr<File> file = Open(path, kFlags | O_EXCL);
    const bool made = file.ok();
    if (file.status().errno_value() == EEXIST) file = Open(path, kFlags);
    RETURN_IF_ERROR(file.status());
    const StatusOr<bool> taken = LockExclusively(*file, wait);
    if (taken.ok() && *taken) {
      const Status emptied = file->Truncate(0);
      if (emptied.ok()) return file;
      unlink(path.c_str());  // no other process has it, and its contents were to be removed
      return emptied;
    }
    if (!taken.ok() && made && taken.status().code() != Code::kCancelled) unlink(path.c_str());
    RETURN_IF_ERROR(taken.status());
    if (!wait) {
      return LockedError(StrCat(path, ": is being written by another process: wait for it to end"));
    }
  }
}

StatusOr<size_t> File::ReadAt(std::span<std::byte> into, uint64_t offset) const {
  size_t done = 0;
  while (done < into.size()) {
    RETURN_IF_ERROR(Injected(fault::Op::kRead, "read", path_));
    const ssize_t n = Retry([&] {
      return pread(fd_, into.data() + done, into.size() - done, static_cast<off_t>(offset + done));
    });
    if (n < 0) return At(ErrnoError(errno, "read", path_), offset + done, into.size() - done);
    if (n == 0) break;
    done += static_cast<size_t>(n);
  }
  return done;
}

StatusOr<size_t> File::ReadSome(std::span<std::byte> into) const {
  RETURN_IF_ERROR(Injected(fault::Op::kRead, "read", path_));
  constexpr int kLookMilliseconds = 50;
  while (true) {
    // A pipe may stay silent for ever, and a signal may reach another thread than this one.
    pollfd wanted{.fd = fd_, .events = POLLIN, .revents = 0};
    int ready = 0;
    {
      const WaitScope waiting(WaitCause::kDisk);
      ready = poll(&wanted, 1, kLookMilliseconds);
    }
    RETURN_IF_ERROR(CheckCancelled());
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    const ssize_t n = read(fd_, into.data(), into.size());
    if (n >= 0) return static_cast<size_t>(n);
    if (errno != EINTR && errno != EAGAIN) return ErrnoError(errno, "read", path_);
  }
}

Status File::WriteAt(std::span<const std::byte> bytes, uint64_t offset) const {
  size_t done = 0;
  while (done < bytes.size()) {
    RETURN_IF_ERROR(Injected(fault::Op::kWrite, "write", path_));
    const ssize_t n = Retry([&] {
      return pwrite(fd_, bytes.data() + done, bytes.size() - done,
                    static_cast<off_t>(offset + done));
    });
    if (n < 0) return At(ErrnoError(errno, "write", path_), offset + done, bytes.size() - done);
    done += static_cast<size_t>(n);
  }
  return OkStatus();
}

Status File::WriteAll(std::span<const std::byte> bytes) const {
  while (!bytes.empty()) {
    RETURN_IF_ERROR(Injected(fault::Op::kWrite, "write", path_));
    const ssize_t n = Retry([&] { return write(fd_, bytes.data(), bytes.size()); });
    if (n < 0) return ErrnoError(errno, "write", path_);
    bytes = bytes.subspan(static_cast<size_t>(n));
  }
  return OkStatus();
}

StatusOr<uint64_t> File::Size() const {
  RETURN_IF_ERROR(Injected(fault::Op::kStat, "stat", path_));
  struct stat info;
  if (fstat(fd_, &info) != 0) return ErrnoError(errno, "stat", path_);
  return static_cast<uint64_t>(info.st_size);
}

Status File::Truncate(uint64_t size) const {
  RETURN_IF_ERROR(Injected(fault::Op::kTruncate, "truncate", path_));
  if (Retry([&] { return ftruncate(fd_, static_cast<off_t>(size)); }) != 0) {
    return ErrnoError(errno, "truncate", path_);
  }
  return OkStatus();
}

Status File::SetAside(uint64_t offset, uint64_t length) const {
  RETURN_IF_ERROR(Injected(fault::Op::kTruncate, "set space aside in", path_));
  const auto set_aside = [&] {
    return fallocate(fd_, 0, static_cast<off_t>(offset), static_cast<off_t>(length));
  };
  if (Retry(set_aside) != 0) return ErrnoError(errno, "set space aside in", path_);
  return OkStatus();
}

Status File::PunchHole(uint64_t offset, uint64_t length) const {
  RETURN_IF_ERROR(Injected(fault::Op::kTruncate, "punch a hole in", path_));
  const auto punch = [&] {
    return fallocate(fd_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
                     static_cast<off_t>(length));
  };
  if (Retry(punch) != 0) return ErrnoError(errno, "punch a hole in", path_);
  return OkStatus();
}

Status File::Sync() const {
  RETURN_IF_ERROR(Injected(fault::Op::kSync, "sync", path_));
  if (Retry([&] { return fdatasync(fd_); }) != 0) return ErrnoError(errno, "sync", path_);
  return OkStatus();
}

Status MakeDirectory(const std::string& path) {
  RETURN_IF_ERROR(Injected(fault::Op::kMakeDirectory, "make directory", path));
  if (mkdir(path.c_str(), 0700) == 0) return OkStatus();
  const int error = errno;
  struct stat info;
  if (error != EEXIST) return ErrnoError(error, "make directory", path);
  if (stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) return OkStatus();
  return OutputError(StrCat(path, ": is there already, and is not a directory: give another name"));
}

std::string ParentDirectory(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string WithoutTrailingSlashes(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

Status MakeDirectories(const std::string& path) {
  for (size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const std::string part = path.substr(0, end);
    ASSIGN_OR_RETURN(const bool exists, Exists(part));
    if (!exists) {
      RETURN_IF_ERROR(MakeDirectory(part));
      RETURN_IF_ERROR(SyncParent(part));
    }
    if (part.size() == path.size()) return exists ? MakeDirectory(path) : OkStatus();
  }
}

Status SyncDirectory(const std::string& path) {
  ASSIGN_OR_RETURN(const File directory, File::Open(path, O_RDONLY | O_DIRECTORY));
  RETURN_IF_ERROR(Injected(fault::Op::kSync, "sync", path));
  if (Retry([&] { return fsync(directory.fd()); }) != 0) return ErrnoError(errno, "sync", path);
  return OkStatus();
}

Status SyncParent(const std::string& path) { return SyncDirectory(ParentDirectory(path)); }

Status RemoveFile(const std::string& path) {
  RETURN_IF_ERROR(Injected(fault::Op::kRemove, "remove", path));
  if (Retry([&] { return unlink(path.c_str()); }) != 0) return ErrnoError(errno, "remove", path);
  return OkStatus();
}

Status RemoveDirectory(const std::string& path) {
  RETURN_IF_ERROR(Injected(fault::Op::kRemove, "remove", path));
  if (rmdir(path.c_str()) != 0) return ErrnoError(errno, "remove", path);
  return OkStatus();
}

Status RenameFile(const std::string& from, const std::string& to) {
  RETURN_IF_ERROR(Injected(fault::Op::kRename, "rename", from));
  if (Retry([&] { return rename(from.c_str(), to.c_str()); }) != 0)
    return ErrnoError(errno, "rename", from);
  return OkStatus();
}

Status ExchangePaths(const std::string& a, const std::string& b) {
  RETURN_IF_ERROR(Injected(fault::Op::kExchange, "put in its place", a));
  const auto exchange = [&] {
    return renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE);
  };
  if (Retry(exchange) != 0) return ErrnoError(errno, "put in its place", a);
  return OkStatus();
}

StatusOr<bool> Exists(const std::string& path) {
  RETURN_IF_ERROR(Injected(fault::Op::kStat, "look at", path));
  struct stat info;
  if (lstat(path.c_str(), &info) == 0) return true;
  if (errno == ENOENT || errno == ENOTDIR) return false;
  return ErrnoError(errno, "look at", path);
}

bool PathExists(const std::string& path) {
  const StatusOr<bool> exists = Exists(path);
  return exists.ok() && *exists;
}

StatusOr<std::vector<std::string>> ListDirectory(const std::string& path) {
  RETURN_IF_ERROR(Injected(fault::Op::kList, "list", path));
  std::error_code error;
  std::vector<std::string> names;
  std::filesystem::directory_iterator it(path, error);
  for (; !error && it != std::filesystem::directory_iterator(); it.increment(error)) {
    names.push_back(it->path().filename().string());
  }
  if (error) return ErrnoError(error.value(), "list", path);
  std::sort(names.begin(), names.end());
  return names;
}

StatusOr<uint64_t> RegularFileBytes(const std::string& path) {
  RETURN_IF_ERROR(Injected(fault::Op::kStat, "stat", path));
  struct stat info;
  if (lstat(path.c_str(), &info) != 0) return ErrnoError(errno, "stat", path);
  if (!S_ISREG(info.st_mode)) return NotRegular(path);
  return static_cast<uint64_t>(info.st_size);
}

StatusOr<uint64_t> FreeDiskBytes(const std::string& path) {
  struct statvfs info;
  if (statvfs(path.c_str(), &info) != 0) return ErrnoError(errno, "ask the free space of", path);
  return static_cast<uint64_t>(info.f_bavail) * info.f_frsize;
}

StatusOr<std::string> ReadWholeFile(const std::string& path, size_t limit) {
  ASSIGN_OR_RETURN(const File file, File::Open(path, O_RDONLY));
  // Grows as bytes come: files in /proc state no size, and few files are as large as their limit.
  constexpr size_t kFirstBytes = 64 << 10;
  std::string contents;
  size_t size = 0;
  while (size == contents.size() && size <= limit) {
    contents.resize(std::min(std::max(kFirstBytes, 2 * size), limit + 1));
    const auto rest = std::as_writable_bytes(std::span(contents)).subspan(size);
    ASSIGN_OR_RETURN(const size_t got, file.ReadAt(rest, size));
    size += got;
  }
  if (size > limit) {
    return BadDataError(StrCat(path, ": larger than ", limit, " bytes: not what it should be"));
  }
  contents.resize(size);
  return contents;
}

Status WriteFileAtomically(const std::string& path, std::string_view contents) {
  const std::string temporary = TemporaryOf(path);
  // Held until the end: another process that writes the same waits.
  ASSIGN_OR_RETURN(const File file, File::OpenAlone(temporary, /*wait=*/true));
  const auto write = [&]() -> Status {
    RETURN_IF_ERROR(file.WriteAll(std::as_bytes(std::span(contents))));
    RETURN_IF_ERROR(file.Sync());
    return RenameFile(temporary, path);
  };
  if (Status status = write(); !status.ok()) {
    unlink(temporary.c_str());
    return status;
  }
  return SyncParent(path);
}

Status RemoveFileAndTemporary(const std::string& path) {
  for (const std::string& name : {TemporaryOf(path), path}) {
    ASSIGN_OR_RETURN(const bool exists, Exists(name));
    if (exists) RETURN_IF_ERROR(RemoveFile(name));
  }
  return OkStatus();
}

}  // namespace edgemill

#include "common/os/stream_write.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>

#include "common/cancel.h"
#include "common/thread_times.h"

namespace edgemill {
namespace {

/// How often a wait checks for a stop request, since a signal may reach another thread.
constexpr int kLookMilliseconds = 50;

/// Waits until `fd` takes bytes, or has an error that the next write returns.
Status WaitForRoom(int fd, std::string_view name) {
  while (true) {
    pollfd wanted{.fd = fd, .events = POLLOUT, .revents = 0};
    int ready = 0;
    {
      const WaitScope waiting(WaitCause::kDisk);
      ready = poll(&wanted, 1, kLookMilliseconds);
    }
    if (ready > 0) return OkStatus();
    RETURN_IF_ERROR(CheckCancelled());
    if (ready < 0 && errno != EINTR) return ErrnoError(errno, "write", name);
  }
}

/// Writes as much as fits, after poll has found some room. Does not wait. O_NONBLOCK would affect
/// all processes that share the descriptor, so a flag of this write is used instead.
ssize_t WriteSome(int fd, std::span<const std::byte> bytes) {
  iovec part{.iov_base = const_cast<std::byte*>(bytes.data()), .iov_len = bytes.size()};
  const ssize_t written = pwritev2(fd, &part, 1, -1, RWF_NOWAIT);
  const bool unknown =
      written < 0 && (errno == EOPNOTSUPP || errno == ENOSYS || errno == EINVAL || errno == ESPIPE);
  // For terminals, and for kernels before 6.4: a pipe with any room takes PIPE_BUF bytes at once.
  return unknown ? write(fd, bytes.data(), std::min<size_t>(bytes.size(), PIPE_BUF)) : written;
}

}  // namespace

Status WriteStream(int fd, std::string_view name, std::span<const std::byte> bytes) {
  struct stat info;
  if (fstat(fd, &info) != 0) return ErrnoError(errno, "stat", name);
  const bool waits = !S_ISREG(info.st_mode);
  while (!bytes.empty()) {
    if (waits) RETURN_IF_ERROR(WaitForRoom(fd, name));
    if (const int error = fault::Injected(fault::Op::kWrite, name); error != 0) {
      return ErrnoError(error, "write", name);
    }
    const ssize_t written = waits ? WriteSome(fd, bytes) : write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR && errno != EAGAIN) return ErrnoError(errno, "write", name);
    if (written > 0) bytes = bytes.subspan(static_cast<size_t>(written));
  }
  return OkStatus();
}

StatusOr<File> OpenStream(const std::string& path) {
  constexpr int kAgainMilliseconds = 10;
  while (true) {
    StatusOr<File> file = File::Open(path, O_WRONLY | O_NONBLOCK);
    if (file.ok() || file.status().errno_value() != ENXIO) return file;
    struct stat info;
    if (stat(path.c_str(), &info) != 0 || !S_ISFIFO(info.st_mode)) return file;
    RETURN_IF_ERROR(CheckCancelled());
    poll(nullptr, 0, kAgainMilliseconds);  // a pipe without a reader; a signal ends the wait
  }
}

}  // namespace edgemill

#include "loaders/stream/stored_input.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "common/cancel.h"
#include "common/check.h"

namespace edgemill {

StatusOr<StoredInput> StoredInput::Open(const std::string& path, const File* copy) {
  StoredInput input;
  input.path_ = path;
  input.name_ = path == "-" ? "standard input" : path;
  struct stat info;
  if (path == "-" || copy != nullptr) {
    const int fd = fcntl(copy != nullptr ? copy->fd() : STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
    if (fd < 0) return ErrnoError(errno, "open", input.name_);
    input.file_ = File(fd, input.name_);
    if (fstat(fd, &info) != 0) return ErrnoError(errno, "stat", input.name_);
  } else {
    if (path.find('\0') != std::string::npos) return MissingError(StrCat(path, ": no such file"));
    if (stat(path.c_str(), &info) != 0) {
      if (errno == ELOOP) {
        return MissingError(
            StrCat(path, ": cannot open: its symbolic links form a loop: correct them"));
      }
      if (errno == ENOENT) {
        return MissingError(StrCat(path, ": there is no such file: check the name"));
      }
      return ErrnoError(errno, "open", path);
    }
    if (S_ISDIR(info.st_mode)) {
      return BadDataError(StrCat(path, ": is a directory: give the files in it"));
    }
    // Without O_NONBLOCK, opening a named pipe waits for a writer, and Ctrl-C cannot end that wait.
    const int flags = S_ISFIFO(info.st_mode) ? O_RDONLY | O_NONBLOCK : O_RDONLY;
    ASSIGN_OR_RETURN(input.file_, File::Open(path, flags));
    if (fstat(input.file_.fd(), &info) != 0) return ErrnoError(errno, "stat", path);
  }
  if (S_ISDIR(info.st_mode)) {
    return BadDataError(StrCat(input.name_, ": is a directory: give the files in it"));
  }
  // Standard input is read as a stream, even from a file: the caller sets its position.
  input.regular_ = S_ISREG(info.st_mode) && (path != "-" || copy != nullptr);
  input.bytes_ = input.regular_ ? static_cast<uint64_t>(info.st_size) : 0;
  if (input.regular_) posix_fadvise(input.file_.fd(), 0, 0, POSIX_FADV_SEQUENTIAL);
  return input;
}

Status StoredInput::Read(std::span<std::byte> into, size_t* filled) {
  *filled = 0;
  while (*filled < into.size()) {
    RETURN_IF_ERROR(CheckCancelled());
    std::span<std::byte> rest = into.subspan(*filled);
    if (regular_) rest = rest.first(std::min<uint64_t>(rest.size(), bytes_ - offset_));
    if (rest.empty()) return CheckSizeUnchanged();
    size_t count = 0;
    if (regular_) {
      AdviseReadAhead(offset_, rest.size());
      ASSIGN_OR_RETURN(count, file_.ReadAt(rest, offset_));
    } else {
      ASSIGN_OR_RETURN(count, file_.ReadSome(rest));
    }
    *filled += count;
    offset_ += count;
    if (count < rest.size() && regular_) return CheckSizeUnchanged();
    if (count == 0) break;
  }
  return OkStatus();
}

Status StoredInput::ReadAt(std::span<std::byte> into, uint64_t offset) const {
  AdviseReadAhead(offset, into.size());
  return PeekAt(into, offset);
}

Status StoredInput::PeekAt(std::span<std::byte> into, uint64_t offset) const {
  CHECK(regular_);
  ASSIGN_OR_RETURN(const size_t count, file_.ReadAt(into, offset));
  if (count == into.size()) return OkStatus();
  RETURN_IF_ERROR(CheckSizeUnchanged());
  return ByteError(name_, offset + count, "the file ends too early");
}

Status StoredInput::CheckSizeUnchanged() const {
  if (!regular_) return OkStatus();
  ASSIGN_OR_RETURN(const uint64_t size, file_.Size());
  if (size == bytes_) return OkStatus();
  return ByteError(name_, std::min(size, bytes_),
                   StrCat("the file changed from ", bytes_, " to ", size,
                          " bytes while it was read: start again when nothing writes to it"));
}

void StoredInput::AdviseReadAhead(uint64_t offset, uint64_t bytes) const {
  if (!regular_) return;
  // For one call, the kernel reads at most the size of one disk request, so the steps are small.
  constexpr uint64_t kStep = uint64_t{512} << 10;
  for (const uint64_t first : {offset, offset + kReadAheadBytes}) {
    const uint64_t end = std::min(first + bytes, bytes_);
    for (uint64_t at = first; at < end; at += kStep) {
      posix_fadvise(file_.fd(), static_cast<off_t>(at),
                    static_cast<off_t>(std::min(kStep, end - at)), POSIX_FADV_WILLNEED);
    }
  }
}

}  // namespace edgemill

#include "common/status.h"

#include <cerrno>
#include <cstring>
#include <type_traits>

namespace edgemill {

bool Status::disk_full() const { return errno_value() == ENOSPC || errno_value() == EDQUOT; }

bool Status::out_of_resources() const {
  switch (errno_value()) {
    case EAGAIN:
    case EMFILE:
    case ENFILE:
    case ENOMEM:
      return true;
    default:
      return false;
  }
}

const FaultPlace& Status::place() const {
  static const FaultPlace nowhere;
  return ok() ? nowhere : error_->place;
}

Status Status::WithMessage(std::string_view message) const {
  CHECK(!ok());
  Status status;
  status.error_ = std::make_shared<const Error>(
      Error{error_->code, error_->errno_value, std::string(message), error_->place});
  return status;
}

Status Status::At(const FaultPlace& place) const {
  CHECK(!ok());
  Error error = *error_;
  const auto fill = [](auto& own, const auto& other) {
    if (own == std::decay_t<decltype(own)>()) own = other;
  };
  fill(error.place.file, place.file);
  fill(error.place.line, place.line);
  fill(error.place.column, place.column);
  fill(error.place.offset, place.offset);
  fill(error.place.block_of, place.block_of);
  fill(error.place.block, place.block);
  Status status;
  status.error_ = std::make_shared<const Error>(std::move(error));
  return status;
}

Status ByteError(const std::string& file, uint64_t offset, std::string_view what) {
  return BadDataError(StrCat(file, ": byte ", offset, ": ", what))
      .At({.file = file, .offset = offset});
}

namespace {

Status ErrnoErrorOf(int errno_value, std::string_view operation, std::string_view path) {
  const std::string message =
      StrCat(path, ": cannot ", operation, ": ", std::strerror(errno_value));
  switch (errno_value) {
    case EACCES:
    case EPERM:
    case EROFS:
      return Status(Code::kPermission, StrCat(message, ": check the owner and mode, or the mount"),
                    errno_value);
    case ENOENT:
    case ENOTDIR:
      return Status(Code::kMissing, message, errno_value);
    case EEXIST:
      return Status(Code::kOutput, message, errno_value);
    case ENOMEM:
      return Status(
          Code::kBudget,
          StrCat(message, ": the system, or a limit of this process, grants no more memory"),
          errno_value);
    case EMFILE:
      return Status(Code::kIo, StrCat(message, ": raise the limit of open files (ulimit -n)"),
                    errno_value);
    case ENOSPC:
    case EDQUOT:
      return Status(Code::kIo, StrCat(message, ": free some space and try again"), errno_value);
    default:
      return Status(Code::kIo, message, errno_value);
  }
}

}  // namespace

Status ErrnoError(int errno_value, std::string_view operation, std::string_view path) {
  return ErrnoErrorOf(errno_value, operation, path).At({.file = std::string(path)});
}

Status Annotate(const Status& status, std::string_view prefix) {
  if (status.ok()) return status;
  return status.WithMessage(StrCat(prefix, ": ", status.message()));
}

}  // namespace edgemill

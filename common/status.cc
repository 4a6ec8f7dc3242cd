#include "common/status.h"

#include <cerrno>
#include <cstring>

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

Status ErrnoError(int errno_value, std::string_view operation, std::string_view path) {
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
      return Status(Code::kBudget, message, errno_value);
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

Status Annotate(const Status& status, std::string_view prefix) {
  if (status.ok()) return status;
  return status.WithMessage(StrCat(prefix, ": ", status.message()));
}

}  // namespace edgemill

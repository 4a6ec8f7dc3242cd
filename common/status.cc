#include "common/status.h"

#include <cerrno>
#include <cstring>

namespace edgemill {

Status ErrnoError(int errno_value, std::string_view operation, std::string_view path) {
  const std::string message =
      StrCat(path, ": cannot ", operation, ": ", std::strerror(errno_value));
  switch (errno_value) {
    case EACCES:
    case EPERM:
    case EROFS:
      return PermissionError(StrCat(message, ": check the owner and mode, or the mount"));
    case ENOENT:
    case ENOTDIR:
      return MissingError(message);
    case EEXIST:
      return OutputError(message);
    case ENOMEM:
      return BudgetError(message);
    case ENOSPC:
    case EDQUOT:
      return IoError(StrCat(message, ": free some space and try again"));
    default:
      return IoError(message);
  }
}

Status Annotate(const Status& status, std::string_view prefix) {
  if (status.ok()) return status;
  return Status(status.code(), StrCat(prefix, ": ", status.message()));
}

}  // namespace edgemill

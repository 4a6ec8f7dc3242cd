// The lock of a graph directory: many readers or one writer, released by the kernel when a process
// dies.
#pragma once

#include <string>
#include <string_view>

#include "common/os/file.h"
#include "common/status.h"

namespace edgemill {

inline constexpr std::string_view kLockName = "LOCK";

/// An open-file-description lock (fcntl F_OFD_SETLK) on NAME.mill/LOCK. Move-only; released when
/// destroyed, and by the kernel when the process ends in any way, so a lock is never stale.
class GraphLock {
 public:
  enum class Mode {
    kShared,     // reads: the file is opened read-only, so read-only media work
    kExclusive,  // writes
  };

  GraphLock() = default;
  /// Takes the lock of the graph in `directory` without waiting. `create` makes the file when it is
  /// missing. LockedError names the processes that hold it, as far as /proc shows them.
  /// MissingError without a lock file.
  static StatusOr<GraphLock> Acquire(const File& directory, Mode mode, bool create = false);

  bool held() const { return file_.valid(); }

 private:
  explicit GraphLock(File file) : file_(std::move(file)) {}
  File file_;
};

}  // namespace edgemill

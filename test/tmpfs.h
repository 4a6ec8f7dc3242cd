// Small file systems for tests of full disks.
#pragma once

#include <sys/mount.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

#include "common/strings.h"

namespace edgemill {

/// A tmpfs on an existing directory, as long as this lives.
class Tmpfs {
 public:
  /// `size` has the form that mount takes, such as "8m".
  Tmpfs(std::string directory, const std::string& size) : directory_(std::move(directory)) {
    if (geteuid() != 0) {
      why_not_ = "mounting a small tmpfs takes root";
    } else if (!Mount(0, size)) {
      why_not_ = StrCat("no tmpfs may be mounted here: errno ", errno);
    }
  }
  ~Tmpfs() {
    if (mounted()) umount(directory_.c_str());
  }
  Tmpfs(const Tmpfs&) = delete;
  Tmpfs& operator=(const Tmpfs&) = delete;

  bool mounted() const { return why_not_.empty(); }
  /// Why the tmpfs is not mounted. Empty when it is mounted.
  const std::string& why_not() const { return why_not_; }
  bool Resize(const std::string& size) { return Mount(MS_REMOUNT, size); }

 private:
  bool Mount(unsigned long flags, const std::string& size) {
    return mount("tmpfs", directory_.c_str(), "tmpfs", flags, ("size=" + size).c_str()) == 0;
  }

  std::string directory_;
  std::string why_not_;
};

}  // namespace edgemill

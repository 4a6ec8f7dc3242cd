#include "bench/record/machine.h"

#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "common/strings.h"
#include "common/threads/parallel.h"

namespace edgemill::bench {
namespace {

/// The first line of a file in /sys or /proc; empty when there is none.
std::string FirstLine(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return std::string(StripSpace(line));
}

std::string CpuName() {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line)) {
    if (line.starts_with("model name")) {
      return std::string(StripSpace(std::string_view(line).substr(line.find(':') + 1)));
    }
  }
  return "";
}

/// The file system type of the mount with device number `device` ("254:0").
std::string FileSystemOf(const std::string& device) {
  std::ifstream file("/proc/self/mountinfo");
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string id, parent, number, word;
    words >> id >> parent >> number;
    if (number != device) continue;
    while (words >> word && word != "-") {
    }
    words >> word;
    return word;
  }
  return "";
}

/// The word in brackets: "[none] mq-deadline".
std::string Chosen(const std::string& line) {
  const size_t open = line.find('['), close = line.find(']');
  if (open == std::string::npos || close == std::string::npos || close < open) return line;
  return line.substr(open + 1, close - open - 1);
}

Disk DiskOf(const std::string& path) {
  Disk disk;
  disk.path = path;
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return disk;
  const std::string number = StrCat(major(info.st_dev), ":", minor(info.st_dev));
  disk.file_system = FileSystemOf(number);
  struct statvfs space;
  if (statvfs(path.c_str(), &space) == 0) disk.bytes = uint64_t{space.f_blocks} * space.f_frsize;
  char resolved[PATH_MAX];
  if (realpath(StrCat("/sys/dev/block/", number).c_str(), resolved) == nullptr) return disk;
  std::string block = resolved;
  disk.device = block.substr(block.rfind('/') + 1);
  // A partition's queue is its disk's.
  if (access(StrCat(block, "/partition").c_str(), F_OK) == 0) block.erase(block.rfind('/'));
  disk.model = FirstLine(StrCat(block, "/device/model"));
  disk.scheduler = Chosen(FirstLine(StrCat(block, "/queue/scheduler")));
  disk.rotational = FirstLine(StrCat(block, "/queue/rotational")) == "1";
  return disk;
}

}  // namespace

Machine ThisMachine(const std::vector<std::string>& paths) {
  Machine machine;
  machine.cpu = CpuName();
  machine.cores = static_cast<uint64_t>(AvailableThreads());
  machine.memory_bytes =
      static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  utsname name{};
  if (uname(&name) == 0) machine.kernel = name.release;
  for (const std::string& path : paths) machine.disks.push_back(DiskOf(path));
  return machine;
}

}  // namespace edgemill::bench

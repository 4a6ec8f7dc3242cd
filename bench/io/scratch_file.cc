#include "bench/io/scratch_file.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "bench/io/io_point.h"
#include "common/cancel.h"
#include "common/random.h"
#include "common/units.h"

namespace edgemill::bench {
namespace {

constexpr std::string_view kPrefix = ".edgemill-bench-";
constexpr std::string_view kSuffix = ".tmp";

std::string ScratchName(pid_t process) { return StrCat(kPrefix, process, kSuffix); }

/// Removes files of processes that were killed after they made a file and before they unlinked it.
Status RemoveLeftovers(const std::string& path) {
  ASSIGN_OR_RETURN(const std::vector<std::string> names, ListDirectory(path));
  for (const std::string_view name : names) {
    if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) continue;
    pid_t process = 0;
    const size_t digits = name.size() - std::min(name.size(), kPrefix.size() + kSuffix.size());
    if (!ParseNumber(name.substr(kPrefix.size(), digits), &process) || process <= 0) continue;
    if (kill(process, 0) == 0 || errno != ESRCH) continue;
    RETURN_IF_ERROR(RemoveFile(StrCat(path, "/", name)));
  }
  return OkStatus();
}

/// Opens a file without a name. If the file system has no such files, makes one with a name and
/// unlinks it at once.
StatusOr<File> OpenNameless(const std::string& path, int direct_flag) {
  const int flags = O_RDWR | direct_flag;
  StatusOr<File> file = File::Open(path, flags | O_TMPFILE);
  if (file.ok() || file.status().code() == Code::kPermission) return file;
  const std::string name = StrCat(path, "/", ScratchName(getpid()));
  file = File::Open(name, flags | O_CREAT | O_EXCL);
  // File systems without O_DIRECT refuse the flag only after they have made the file.
  if (file.ok() || PathExists(name)) RETURN_IF_ERROR(RemoveFile(name));
  return file;
}

StatusOr<File> OpenScratch(const std::string& path, bool* direct) {
  StatusOr<File> file = OpenNameless(path, O_DIRECT);
  if (file.ok() || file.status().code() != Code::kIo) return file;
  StatusOr<File> plain = OpenNameless(path, 0);
  if (plain.ok()) *direct = false;
  return plain;
}

}  // namespace

StatusOr<ScratchDirectory> OpenScratchDirectory(const std::string& path) {
  ScratchDirectory scratch;
  scratch.path = path;
  struct stat info;
  if (stat(path.c_str(), &info) != 0) {
    return errno == ENOENT
               ? MissingError(StrCat(path, ": does not exist: name the directory to measure"))
               : ErrnoError(errno, "measure", path);
  }
  if (!S_ISDIR(info.st_mode)) {
    return MissingError(StrCat(path, ": is not a directory: name the directory to measure"));
  }
  scratch.device = info.st_dev;
  struct statfs system;
  if (statfs(path.c_str(), &system) == 0) {
    scratch.in_memory = system.f_type == TMPFS_MAGIC || system.f_type == RAMFS_MAGIC;
  }
  RETURN_IF_ERROR(RemoveLeftovers(path));
  ASSIGN_OR_RETURN(scratch.read_file, OpenScratch(path, &scratch.direct));
  ASSIGN_OR_RETURN(scratch.write_file, OpenScratch(path, &scratch.direct));
  return scratch;
}

Status CheckFreeDisk(const std::string& path, uint64_t bytes, std::string_view advice) {
  ASSIGN_OR_RETURN(const uint64_t free_bytes, FreeDiskBytes(path));
  if (bytes <= free_bytes) return OkStatus();
  return IoError(StrCat(path, ": too little disk space: ", FormatBytes(bytes), " needed, ",
                        FormatBytes(free_bytes), " free: ", advice));
}

uint64_t StampOf(uint64_t offset) { return Mix64(offset ^ 0x656467656d696c6c); }

void Stamp(std::span<std::byte> memory, uint64_t offset) {
  for (size_t at = 0; at < memory.size(); at += kMinIoSize) {
    const uint64_t stamp = StampOf(offset + at);
    std::memcpy(memory.data() + at, &stamp, sizeof(stamp));
  }
}

Status CheckStamps(std::span<const std::byte> memory, uint64_t offset, const std::string& path,
                   bool all) {
  const size_t step = all ? kMinIoSize : std::max(kMinIoSize, memory.size() - kMinIoSize);
  for (size_t at = 0; at < memory.size(); at += step) {
    uint64_t stamp = 0;
    std::memcpy(&stamp, memory.data() + at, sizeof(stamp));
    if (stamp != StampOf(offset + at)) {
      return BadDataError(StrCat("read ", path, " (offset ", offset + at,
                                 ", length 4096): not what was written there: check the device"));
    }
  }
  return OkStatus();
}

void FillRandom(std::span<std::byte> memory) {
  Random random(1);
  for (size_t at = 0; at + 8 <= memory.size(); at += 8) {
    const uint64_t value = random();
    std::memcpy(memory.data() + at, &value, sizeof(value));
  }
}

Status FillStamped(const File& file, uint64_t size, std::span<std::byte> memory,
                   Progress& progress) {
  FillRandom(memory);
  for (uint64_t at = 0; at < size;) {
    RETURN_IF_ERROR(CheckCancelled());
    const auto chunk = memory.first(std::min<uint64_t>(memory.size(), size - at));
    Stamp(chunk, at);
    RETURN_IF_ERROR(file.WriteAt(chunk, at));
    at += chunk.size();
    progress.Advance(chunk.size(), chunk.size());
  }
  return file.Sync();
}

}  // namespace edgemill::bench

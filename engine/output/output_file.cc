#include "engine/output/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <functional>
#include <span>
#include <utility>

#include "common/check.h"
#include "common/os/file_place.h"
#include "common/os/stream_write.h"
#include "common/strings.h"
#include "storage/catalog/identity_file.h"

namespace edgemill {
namespace {

constexpr std::string_view kPartSuffix = ".edgemill-part";

/// Whether the byte continues a character of UTF-8.
bool GoesOn(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

/// The path to which an output is written before it is renamed to `path`, which is no link. A name
/// that is too long for the suffix is cut, and gets a hash to differ from others.
std::string PartOf(const std::string& path) {
  const std::string parent = ParentDirectory(path);
  const size_t begin = path.rfind('/') + 1;
  const std::string name = path.substr(begin);
  const int64_t limit = pathconf(parent.c_str(), _PC_NAME_MAX);
  const size_t most = limit > 0 ? static_cast<size_t>(limit) : size_t{NAME_MAX};
  if (name.size() + kPartSuffix.size() <= most) return StrCat(path, kPartSuffix);
  const std::string hash = StrCat(".", std::hash<std::string>()(name));
  size_t kept = most - std::min(most, kPartSuffix.size() + hash.size());
  while (kept > 0 && GoesOn(name[kept])) --kept;
  return StrCat(path.substr(0, begin), name.substr(0, kept), hash, kPartSuffix);
}

/// The place of the output `path`, if one may be made there.
StatusOr<FilePlace> OutputPlace(const std::string& path) {
  StatusOr<FilePlace> place = PlaceOf(path);
  if (place.status().code() == Code::kMissing) {
    return OutputError(std::string(place.status().message()));
  }
  if (place.status().errno_value() == ENAMETOOLONG) {
    return OutputError(StrCat(path, ": is too long for a file's name: give a shorter one"));
  }
  RETURN_IF_ERROR(place.status());
  if (place->directory()) {
    return OutputError(StrCat(path, ": is a directory: give the name of a file"));
  }
  if (place->descriptor < 0) return place;
  const int flags = fcntl(place->descriptor, F_GETFL);
  if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY) {
    return OutputError(StrCat(path, ": is not open for writing: name a file"));
  }
  return place;
}

/// Duplicates `descriptor`, which this process has open as `path`.
StatusOr<File> OpenDescriptor(int descriptor, const std::string& path) {
  const int fd = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  if (fd < 0) return ErrnoError(errno, "open", path);
  return File(fd, path);
}

std::span<const std::byte> BytesOf(std::string_view text) { return std::as_bytes(std::span(text)); }

}  // namespace

Status WriteStandardOutput(std::string_view text, bool* reader_left) {
  const Status status = WriteStream(STDOUT_FILENO, "standard output", BytesOf(text));
  if (status.errno_value() != EPIPE) return status;
  if (reader_left != nullptr) *reader_left = true;
  return OkStatus();
}

Status WriteStandardError(std::string_view text) {
  const Status status = WriteStream(STDERR_FILENO, "standard error", BytesOf(text));
  return status.errno_value() == EPIPE ? OkStatus() : status;
}

Status CheckOutputPath(const std::string& path, bool may_exist) {
  ASSIGN_OR_RETURN(const FilePlace place, OutputPlace(path));
  const bool in_place = place.descriptor >= 0 || (place.exists() && !place.regular());
  if (in_place) return OkStatus();
  const std::string parent = ParentDirectory(place.path);
  if (const std::string graph = GraphAround(parent); !graph.empty()) {
    return OutputError(StrCat(path, ": lies in ", graph,
                              ", which holds a graph and nothing else: name another place"));
  }
  if (place.exists() && !may_exist) {
    return OutputError(
        StrCat(path, ": exists already: give another name, or --force to replace it"));
  }
  if (access(parent.c_str(), W_OK | X_OK) != 0) {
    return Annotate(ErrnoError(errno, "create a file in", parent), path);
  }
  return PlaceOf(PartOf(place.path)).status();  // a path may be too long for it
}

bool IsDeviceName(std::string_view path) {
  // /dev/shm is a folder of ordinary files in memory.
  const bool in_dev = path.starts_with("/dev/") && !path.starts_with("/dev/shm/");
  return in_dev || path.starts_with("/proc/self/fd/");
}

bool IsUnfinishedOutput(const std::string& path) {
  const StatusOr<FilePlace> place = PlaceOf(path);
  return place.ok() && !place->exists() && PathExists(PartOf(place->path));
}

Status WriteTextOutput(const std::string& path, std::string_view text) {
  ASSIGN_OR_RETURN(OutputFile file, OutputFile::Open(path));
  RETURN_IF_ERROR(file.Write(text));
  return file.Finish();
}

StatusOr<OutputFile> OutputFile::Open(const std::string& path) {
  OutputFile output;
  output.path_ = path;
  if (path == "-") return output;
  ASSIGN_OR_RETURN(const FilePlace place, OutputPlace(path));
  if (place.descriptor == STDOUT_FILENO) {
    output.path_ = "-";
    return output;
  }
  if (place.descriptor >= 0) {
    ASSIGN_OR_RETURN(output.file_, OpenDescriptor(place.descriptor, path));
    return output;
  }
  if (place.exists() && !place.regular()) {
    ASSIGN_OR_RETURN(output.file_, OpenStream(path));
    return output;
  }
  output.path_ = place.path;  // a link stays, and its target is replaced
  const std::string temporary = PartOf(place.path);
  StatusOr<File> file = File::OpenAlone(temporary, /*wait=*/false);
  if (file.status().code() == Code::kLocked) {
    return LockedError(StrCat(path, ": is being written by another process: wait for it to end"));
  }
  RETURN_IF_ERROR(file.status());
  output.file_ = std::move(*file);
  output.temporary_ = temporary;
  return output;
}

OutputFile& OutputFile::operator=(OutputFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(temporary_, other.temporary_);
  std::swap(file_, other.file_);
  std::swap(new_, other.new_);
  std::swap(reader_left_, other.reader_left_);
  return *this;
}

OutputFile::~OutputFile() {
  if (temporary_.empty()) return;
  [[maybe_unused]] const Status removed = RemoveFile(temporary_);
}

Status OutputFile::Write(std::string_view bytes) {
  CHECK(!path_.empty());  // Open has made it
  if (reader_left_) return OkStatus();
  if (path_ == "-") return WriteStandardOutput(bytes, &reader_left_);
  if (temporary_.empty()) return WriteStream(file_.fd(), file_.path(), BytesOf(bytes));
  return file_.WriteAll(BytesOf(bytes));
}

Status OutputFile::Finish() {
  CHECK(!path_.empty());
  if (temporary_.empty()) return OkStatus();
  RETURN_IF_ERROR(file_.Sync());
  fault::KillPoint("cli.output.written");
  ASSIGN_OR_RETURN(const bool exists, Exists(path_));
  RETURN_IF_ERROR(RenameFile(temporary_, path_));
  temporary_.clear();
  new_ = !exists;
  const Status synced = SyncParent(path_);
  if (!synced.ok()) Withdraw();
  return synced;
}

void OutputFile::Withdraw() {
  CHECK(!new_ || temporary_.empty());  // Finish has put the file in its place
  if (std::exchange(new_, false)) RemoveFile(path_).ok();
}

}  // namespace edgemill

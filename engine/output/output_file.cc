#include "engine/output/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <span>
#include <utility>

#include "common/strings.h"

namespace edgemill {
namespace {

Status WriteDescriptor(int fd, std::string_view name, std::string_view text,
                       bool* reader_left = nullptr) {
  while (!text.empty()) {
    if (const int error = fault::Injected(fault::Op::kWrite, name); error != 0) {
      return ErrnoError(error, "write", name);
    }
    const ssize_t written = write(fd, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<size_t>(written));
    } else if (errno == EPIPE) {
      if (reader_left != nullptr) *reader_left = true;
      return OkStatus();
    } else if (errno != EINTR && errno != EAGAIN) {
      return ErrnoError(errno, "write", name);
    }
  }
  return OkStatus();
}

/// Where an output is written before it takes its place.
std::string PartOf(const std::string& path) { return path + ".edgemill-part"; }

/// Whether `path` is something that is there already and no regular file.
bool IsSpecialFile(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

}  // namespace

Status WriteStandardOutput(std::string_view text, bool* reader_left) {
  return WriteDescriptor(STDOUT_FILENO, "standard output", text, reader_left);
}

Status WriteStandardError(std::string_view text) {
  return WriteDescriptor(STDERR_FILENO, "standard error", text);
}

Status CheckOutputPath(const std::string& path, bool may_exist) {
  const std::string parent = ParentDirectory(path);
  ASSIGN_OR_RETURN(const bool exists, Exists(parent));
  if (!exists) {
    return OutputError(StrCat(path, ": directory ", parent, " does not exist: make it first"));
  }
  struct stat status {};
  if (stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) {
      return OutputError(StrCat(path, ": is a directory: give the name of a file"));
    }
    if (!S_ISREG(status.st_mode)) return OkStatus();  // a device or pipe is written in place
    if (!may_exist) {
      return OutputError(
          StrCat(path, ": exists already: give another name, or --force to replace it"));
    }
  }
  if (access(parent.c_str(), W_OK | X_OK) != 0) {
    return Annotate(ErrnoError(errno, "create a file in", parent), path);
  }
  return OkStatus();
}

bool IsUnfinishedOutput(const std::string& path) {
  return !PathExists(path) && PathExists(PartOf(path));
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
  if (IsSpecialFile(path)) {
    ASSIGN_OR_RETURN(output.file_, File::Open(path, O_WRONLY));
    return output;
  }
  const std::string temporary = PartOf(path);
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
  if (reader_left_) return OkStatus();
  if (path_ == "-") return WriteStandardOutput(bytes, &reader_left_);
  return file_.WriteAll(std::as_bytes(std::span(bytes)));
}

Status OutputFile::Finish() {
  if (temporary_.empty()) return OkStatus();
  RETURN_IF_ERROR(file_.Sync());
  fault::KillPoint("cli.output.written");
  const bool is_new = !PathExists(path_);
  RETURN_IF_ERROR(RenameFile(temporary_, path_));
  temporary_.clear();
  new_ = is_new;
  const Status synced = SyncParent(path_);
  if (!synced.ok()) Withdraw();
  return synced;
}

void OutputFile::Withdraw() {
  if (std::exchange(new_, false)) RemoveFile(path_).ok();
}

}  // namespace edgemill

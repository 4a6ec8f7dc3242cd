#include "cli/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <span>
#include <utility>

#include "common/strings.h"

namespace edgemill::cli {
namespace {

Status WriteDescriptor(int fd, std::string_view name, std::string_view text,
                       bool* reader_left = nullptr) {
  while (!text.empty()) {
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

std::string ParentDirectory(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

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
  if (!PathExists(parent)) {
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
  const std::string temporary = StrCat(path, ".", getpid(), ".tmp");
  ASSIGN_OR_RETURN(output.file_, File::Open(temporary, O_WRONLY | O_CREAT | O_EXCL));
  output.temporary_ = temporary;
  return output;
}

OutputFile& OutputFile::operator=(OutputFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(temporary_, other.temporary_);
  std::swap(file_, other.file_);
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
  RETURN_IF_ERROR(RenameFile(temporary_, path_));
  temporary_.clear();
  return SyncDirectory(ParentDirectory(path_));
}

}  // namespace edgemill::cli

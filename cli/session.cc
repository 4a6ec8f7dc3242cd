#include "cli/session.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <nlohmann/json.hpp>
#include <span>

#include "common/file.h"
#include "common/parallel.h"
#include "common/strings.h"
#include "common/units.h"

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

}  // namespace

Status WriteStandardOutput(std::string_view text, bool* reader_left) {
  return WriteDescriptor(STDOUT_FILENO, "standard output", text, reader_left);
}

void Session::Declare(OptionSet& options, const SharedChoices& choices) {
  options.Section("Shared by the commands");
  if (choices.memory) {
    options.Bytes("--memory", &options_.memory_bytes,
                  "hard bound of this process's memory, such as 512MiB (default: half of what is "
                  "free)");
  }
  if (choices.threads) {
    options.Number("--threads", &options_.threads, "N",
                   "threads to use (default: the processors this process may use)", 1, 1024);
  }
  if (!choices.data_help.empty()) {
    options.Texts("--data", &options_.data_directories, "DIR", choices.data_help);
  }
  options.Text("--json", &options_.json, "FILE",
               "write the answer as JSON too; - for standard output, in the text's place");
  options.Flag("--quiet", &options_.quiet, "no progress and no messages but errors");
}

Status Session::Start() {
  memory_bytes_ = options_.memory_bytes > 0 ? options_.memory_bytes : DefaultMemoryBytes();
  if (memory_bytes_ <= MemoryBudget::kProcessBytes) {
    return BudgetError(StrCat(
        "--memory ", FormatBytes(memory_bytes_), " is not more than the ",
        FormatBytes(MemoryBudget::kProcessBytes), " that the process itself takes: give at least ",
        FormatMebibytesUp(MemoryBudget::kProcessBytes + (uint64_t{16} << 20))));
  }
  threads_ = options_.threads > 0 ? static_cast<int>(options_.threads) : AvailableThreads();
  budget_ = std::make_unique<MemoryBudget>(memory_bytes_);
  ProgressStyle style = isatty(STDERR_FILENO) != 0 ? ProgressStyle::kTerminal : ProgressStyle::kLog;
  if (options_.quiet) style = ProgressStyle::kQuiet;
  progress_ = std::make_unique<ProgressDisplay>(style);
  if (wants_json() && !json_on_standard_output()) return CheckOutputPath(options_.json, true);
  return OkStatus();
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
  struct stat status {};
  if (stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode)) {
    return WriteFileAtomically(path, text);
  }
  ASSIGN_OR_RETURN(const File file, File::Open(path, O_WRONLY));
  return file.WriteAll(std::as_bytes(std::span(text)));
}

Status Session::Print(std::string_view text) {
  const bool taken = standard_output_taken_ || json_on_standard_output();
  if (taken && options_.quiet) return OkStatus();
  return taken ? WriteDescriptor(STDERR_FILENO, "standard error", text) : WriteStandardOutput(text);
}

Status Session::Finish(std::string_view command, const Status& status) {
  progress_.reset();
  if (!wants_json()) return status;
  if (!status.ok() && json_.empty()) {
    const nlohmann::ordered_json failure = {{"command", std::string(command)},
                                            {"error", std::string(status.message())},
                                            {"exit_code", status.exit_code()}};
    json_ = failure.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  }
  json_ += '\n';
  const Status written = json_on_standard_output() ? WriteStandardOutput(json_)
                                                   : WriteTextOutput(options_.json, json_);
  return status.ok() ? written : status;
}

}  // namespace edgemill::cli

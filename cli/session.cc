#include "cli/session.h"

#include <fcntl.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "cli/display/json_text.h"
#include "cli/signals.h"
#include "common/os/file.h"
#include "common/os/file_place.h"
#include "common/strings.h"
#include "common/threads/parallel.h"
#include "common/units.h"
#include "engine/output/output_file.h"

namespace edgemill::cli {

Status WithDoneWork(const Status& status, std::string_view done) {
  return status.ok() ? status : status.WithMessage(StrCat(status.message(), ": ", done));
}

void SharedOptions::Declare(OptionSet& options, const SharedChoices& choices) {
  options.Section("Shared by the commands");
  if (choices.memory) {
    options.Bytes("--memory", &memory_bytes,
                  "hard bound of this process's memory, such as 512MiB (default: half of what is "
                  "free)");
  }
  if (choices.threads) {
    options.Number("--threads", &threads, "N",
                   "threads to use (default: the processors this process may use)", {1, 1024});
  }
  if (!choices.data_help.empty()) {
    options.Texts("--data", &data_directories, "DIR", choices.data_help);
    options.Makes("--data");
  }
}

void Session::Declare(OptionSet& options, const SharedChoices& choices) {
  options_.Declare(options, choices);
  options.Text("--json", &options_.json, "FILE",
               "write the answer as JSON too; - for standard output, in the text's place");
  options.WritesTo("--json");
  options.Choice("--progress", &options_.progress, {"auto", "json", "none"},
                 "on standard error: auto, the default, is a line on a terminal, and elsewhere one "
                 "every 10 seconds; json is for programs, with messages as JSON too");
  options.Flag("--quiet", &options_.quiet, "no progress and no messages but errors");
}

Status Session::Start() {
  memory_bytes_ = options_.memory_bytes > 0 ? options_.memory_bytes : DefaultMemoryBytes();
  threads_ = options_.threads > 0 ? static_cast<int>(options_.threads) : AvailableThreads();
  budget_ = std::make_unique<MemoryBudget>(memory_bytes_);
  progress_ = std::make_unique<ProgressDisplay>(Style());
  if (std::string warning = MemoryWarning(memory_bytes_); !warning.empty()) {
    progress_->Note(warning);
    warnings_.push_back(std::move(warning));
  }
  return CheckJsonPath();
}

ProgressStyle Session::Style() const {
  if (options_.quiet) return ProgressStyle::kQuiet;
  if (json_messages()) return ProgressStyle::kJson;
  if (options_.progress == "none") return ProgressStyle::kNotes;
  return isatty(STDERR_FILENO) != 0 ? ProgressStyle::kTerminal : ProgressStyle::kLog;
}

Status Session::CheckJsonPath() {
  if (!wants_json() || json_on_standard_output()) return OkStatus();
  // An earlier report may be replaced. Any other file belongs to the user, and may be an input.
  const StatusOr<FilePlace> place = PlaceOf(options_.json);
  if (place.ok() && place->regular() && place->descriptor < 0) {
    std::byte first{'{'};  // so that an empty file passes
    const StatusOr<File> file = File::Open(options_.json, O_RDONLY);
    if (!file.ok() || !file->ReadAt({&first, 1}, 0).ok() || first != std::byte{'{'}) {
      const std::string path = std::exchange(options_.json, std::string());
      return OutputError(StrCat(path, ": exists and is not JSON: name another file for --json"));
    }
  }
  const Status status = CheckOutputPath(options_.json, true);
  if (!status.ok()) options_.json.clear();  // the report of the error may not overwrite it either
  return status;
}

Status Session::Print(std::string_view text) {
  progress_->Finish();  // so that the answer is not on the line of progress
  const bool taken = standard_output_taken_ || json_on_standard_output();
  if (taken && options_.quiet) return OkStatus();
  if (!taken) return WriteStandardOutput(text);
  return WriteStandardError(json_messages() ? MessageJson("summary", text) + "\n"
                                            : std::string(text));
}

void Session::AddWarnings() {
  if (warnings_.empty() || json_.empty()) return;
  nlohmann::ordered_json json = nlohmann::ordered_json::parse(json_);
  for (const std::string& warning : warnings_) json["warnings"].push_back(warning);
  json_ = JsonText(json);
}

Status Session::Finish(std::string_view command, const Status& status) {
  progress_.reset();
  if (!wants_json()) return status;
  if (!status.ok() && json_.empty()) {
    // A benchmark that failed does not overwrite the results of an earlier one.
    const bool keeps = command.starts_with("bench") && !json_on_standard_output();
    if (keeps && PathExists(options_.json)) return status;
    nlohmann::ordered_json failure = {{"command", std::string(command)}};
    failure.update(nlohmann::ordered_json::parse(ErrorJson(status, ExitCode(status))));
    json_ = JsonText(failure);
  }
  AddWarnings();
  json_ += '\n';
  const Status written = json_on_standard_output() ? WriteStandardOutput(json_)
                                                   : WriteTextOutput(options_.json, json_);
  return status.ok() ? WithDoneWork(written, "all but this report is done") : status;
}

}  // namespace edgemill::cli

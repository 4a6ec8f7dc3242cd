#include "cli/display/progress_display.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "common/strings.h"
#include "common/threads/parallel.h"
#include "engine/output/output_file.h"

namespace edgemill::cli {
namespace {

/// Seconds between two lines.
double Interval(ProgressStyle style) {
  switch (style) {
    case ProgressStyle::kTerminal:
      return 0.2;
    case ProgressStyle::kJson:
      return 1;
    case ProgressStyle::kLog:
    case ProgressStyle::kNotes:
    case ProgressStyle::kQuiet:
      break;
  }
  return 10;
}

size_t TerminalColumns() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 20) return 80;
  return size.ws_col;
}

/// Writes to standard error. If this fails, there is nowhere to report it.
void WriteError(std::string_view text) { WriteStandardError(text).ok(); }

double CountSince(uint64_t now, uint64_t before) {
  return static_cast<double>(now - std::min(now, before));
}

}  // namespace

void StageRates::Start(const StageExtent& extent) {
  done_ = extent.units_before;
  bytes_ = extent.bytes_before;
  unit_rate_ = byte_rate_ = RecentRate();
  since_update_.Restart();
}

void StageRates::Update(uint64_t done, uint64_t bytes) {
  const double seconds = since_update_.seconds();
  unit_rate_.Add(CountSince(done, done_), seconds);
  byte_rate_.Add(CountSince(bytes, bytes_), seconds);
  done_ = done;
  bytes_ = bytes;
  since_update_.Restart();
}

ProgressDisplay::ProgressDisplay(ProgressStyle style) : style_(style) {
  if (style_ == ProgressStyle::kQuiet || style_ == ProgressStyle::kNotes) return;
  StatusOr<std::thread> thread = StartThread([this] { Run(); });
  if (thread.ok()) thread_ = std::move(*thread);  // otherwise there is no display
}

ProgressDisplay::~ProgressDisplay() { Finish(); }

void ProgressDisplay::Finish() {
  {
    MutexLock lock(mutex_);
    if (style_ == ProgressStyle::kJson && !finished_) Show();
    finished_ = true;
    ClearLine();
    wake_.NotifyAll();
  }
  if (thread_.joinable()) thread_.join();
}

void ProgressDisplay::StartStage(std::string_view name, std::string_view unit,
                                 const StageExtent& extent) {
  MutexLock lock(mutex_);
  if (style_ == ProgressStyle::kJson) Show();  // the end of the stage before
  Progress::StartStage(name, unit, extent);
  command_.StartStage(name, since_start_.seconds());
  stage_ = {.name = std::string(name), .unit = std::string(unit), .extent = extent};
  rates_.Start(extent);
  if (style_ == ProgressStyle::kJson) Show();
}

void ProgressDisplay::Plan(std::vector<PlannedStage> stages) {
  MutexLock lock(mutex_);
  command_.Plan(std::move(stages), since_start_.seconds());
}

void ProgressDisplay::StartRound(std::string_view name) {
  MutexLock lock(mutex_);
  round_ = name;
}

void ProgressDisplay::Note(std::string_view message) {
  if (style_ == ProgressStyle::kQuiet) return;
  MutexLock lock(mutex_);
  if (!notes_.emplace(message).second) return;  // every trial has the same notes
  ClearLine();
  WriteError(style_ == ProgressStyle::kJson ? StrCat(MessageJson("note", message), "\n")
                                            : StrCat("edgemill: ", message, "\n"));
}

void ProgressDisplay::ClearLine() {
  if (!line_shown_) return;
  WriteError("\r\x1b[K");
  line_shown_ = false;
}

void ProgressDisplay::Show() {
  if (stage_.name.empty()) return;
  rates_.Update(done(), bytes());
  ProgressFigures figures{.stage = stage_.name,
                          .unit = stage_.unit,
                          .round = round_,
                          .iteration = iteration(),
                          .expected_iterations = max_iterations(),
                          .done = rates_.done(),
                          .total = stage_.extent.units,
                          .bytes = rates_.bytes(),
                          .total_bytes = stage_.extent.bytes,
                          .units_per_second = rates_.units_per_second(),
                          .bytes_per_second = rates_.bytes_per_second(),
                          .elapsed_seconds = stage_.clock.seconds()};
  // Between an iteration's start and its pass, nothing of it is done.
  const bool in_part = pass_units() > 0 || figures.iteration > 0;
  if (figures.total == 0 && figures.total_bytes == 0 && in_part) {
    figures.total = pass_units();
    figures.done = figures.done - std::min(figures.done, pass_begin());
  }
  if (command_.planned()) {
    const CommandShare::Figures command =
        command_.At({.share = StageShare(figures),
                     .seconds_left = StageSecondsLeft(figures),
                     .units = CountSince(rates_.done(), stage_.extent.units_before)},
                    since_start_.seconds());
    figures.command_share = command.share;
    figures.command_seconds_left = command.seconds_left;
  }
  if (style_ == ProgressStyle::kJson) {
    WriteError(StrCat(ProgressJson(figures, since_start_.seconds()), "\n"));
    return;
  }
  std::string line = FormatProgress(figures);
  if (style_ == ProgressStyle::kTerminal) {
    line.resize(std::min(line.size(), TerminalColumns() - 1));
    WriteError(StrCat("\r", line, "\x1b[K"));
    line_shown_ = true;
  } else {
    WriteError(StrCat("edgemill: ", line, "\n"));
  }
}

void ProgressDisplay::Run() {
  const double interval = Interval(style_);
  MutexLock lock(mutex_);
  Stopwatch since_shown;
  while (!finished_) {
    wake_.WaitFor(mutex_, std::max(0.0, interval - since_shown.seconds()));
    if (finished_ || since_shown.seconds() < interval) continue;
    Show();
    since_shown.Restart();
  }
}

}  // namespace edgemill::cli

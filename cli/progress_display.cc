#include "cli/progress_display.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "common/parallel.h"
#include "common/strings.h"
#include "common/units.h"

namespace edgemill::cli {
namespace {

constexpr double kTerminalInterval = 0.2;
constexpr double kLogInterval = 30;

/// "950", "1.2 k", "52 M", "3.5 G".
std::string FormatShort(double value) {
  static constexpr std::string_view kUnits[] = {"", " k", " M", " G", " T"};
  size_t unit = 0;
  while (value >= 1000 && unit + 1 < std::size(kUnits)) {
    value /= 1000;
    ++unit;
  }
  return StrCat(FormatFixed(value, unit > 0 && value < 10 ? 1 : 0), kUnits[unit]);
}

/// "0:43", "1:02:09".
std::string FormatDuration(double seconds) {
  const uint64_t whole = static_cast<uint64_t>(std::llround(std::min(seconds, 3.6e6)));
  const auto two_digits = [](uint64_t n) { return StrCat(n < 10 ? "0" : "", n); };
  if (whole >= 3600) {
    return StrCat(whole / 3600, ":", two_digits(whole / 60 % 60), ":", two_digits(whole % 60));
  }
  return StrCat(whole / 60, ":", two_digits(whole % 60));
}

size_t TerminalColumns() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 20) return 80;
  return size.ws_col;
}

/// Standard error is where errors go; there is nowhere to report that it failed.
void WriteError(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

}  // namespace

std::string FormatProgress(const ProgressFigures& figures) {
  std::string line(figures.stage);
  line += ": ";
  const double done = static_cast<double>(figures.done);
  if (figures.total > 0) {
    const double total = static_cast<double>(figures.total);
    line += StrCat(FormatFixed(std::min(100.0, 100 * done / total), 0), " %, ", FormatShort(done),
                   " of ", FormatShort(total));
  } else {
    line += FormatShort(done);
  }
  line += StrCat(" ", figures.unit);
  if (figures.units_per_second > 0) {
    line += StrCat(", ", FormatShort(figures.units_per_second), "/s");
  }
  if (figures.bytes_per_second >= 1) {
    line += StrCat(", ", FormatBytes(static_cast<uint64_t>(figures.bytes_per_second)), "/s");
  }
  if (figures.total > figures.done && figures.units_per_second > 0) {
    const double left = static_cast<double>(figures.total - figures.done);
    line += StrCat(", ", FormatDuration(left / figures.units_per_second), " left");
  }
  return line;
}

ProgressDisplay::ProgressDisplay(ProgressStyle style) : style_(style) {
  if (style_ == ProgressStyle::kQuiet) return;
  StatusOr<std::thread> thread = StartThread([this] { Run(); });
  if (thread.ok()) thread_ = std::move(*thread);  // otherwise work goes on unseen
}

ProgressDisplay::~ProgressDisplay() { Finish(); }

void ProgressDisplay::Finish() {
  {
    MutexLock lock(mutex_);
    finished_ = true;
    ClearLine();
    wake_.NotifyAll();
  }
  if (thread_.joinable()) thread_.join();
}

void ProgressDisplay::StartStage(std::string_view name, std::string_view unit, uint64_t total) {
  MutexLock lock(mutex_);
  Progress::StartStage(name, unit, total);
  stage_ = name;
  unit_ = unit;
  total_ = total;
  last_done_ = last_bytes_ = 0;
  unit_rate_ = byte_rate_ = 0;
  clock_.Restart();
}

void ProgressDisplay::Note(std::string_view message) {
  if (style_ == ProgressStyle::kQuiet) return;
  MutexLock lock(mutex_);
  ClearLine();
  WriteError(StrCat("edgemill: ", message, "\n"));
}

void ProgressDisplay::ClearLine() {
  if (!line_shown_) return;
  WriteError("\r\x1b[K");
  line_shown_ = false;
}

void ProgressDisplay::Show() {
  const double seconds = clock_.seconds();
  if (stage_.empty() || seconds <= 0) return;
  const uint64_t done_now = done();
  const uint64_t bytes_now = bytes();
  // Smoothed, so that the time left does not jump about: a new figure counts for a fifth.
  const double share = unit_rate_ == 0 || style_ == ProgressStyle::kLog ? 1 : 0.2;
  const double unit_rate = static_cast<double>(done_now - std::min(done_now, last_done_)) / seconds;
  const double byte_rate =
      static_cast<double>(bytes_now - std::min(bytes_now, last_bytes_)) / seconds;
  unit_rate_ += share * (unit_rate - unit_rate_);
  byte_rate_ += share * (byte_rate - byte_rate_);
  last_done_ = done_now;
  last_bytes_ = bytes_now;
  clock_.Restart();
  std::string line = FormatProgress({stage_, unit_, done_now, total_, unit_rate_, byte_rate_});
  if (style_ == ProgressStyle::kTerminal) {
    line.resize(std::min(line.size(), TerminalColumns() - 1));
    WriteError(StrCat("\r", line, "\x1b[K"));
    line_shown_ = true;
  } else {
    WriteError(StrCat("edgemill: ", line, "\n"));
  }
}

void ProgressDisplay::Run() {
  const double interval = style_ == ProgressStyle::kTerminal ? kTerminalInterval : kLogInterval;
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

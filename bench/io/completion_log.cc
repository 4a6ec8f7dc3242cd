#include "bench/io/completion_log.h"

#include <algorithm>
#include <cmath>

#include "common/strings.h"

namespace edgemill::bench {
namespace {

constexpr double kSlowShare = 0.25;
constexpr double kMinSlowSeconds = 0.1;
/// Windows are joined until the median one has this many completions. Fewer would say little.
constexpr uint64_t kUsualCompletions = 8;
constexpr size_t kMinWindows = 4;
constexpr double kLateFactor = 10;
constexpr double kMinLateSeconds = 0.05;

}  // namespace

std::string Disturbance::Describe() const {
  const std::string when = StrCat(", ", FormatFixed(at_seconds, 2), " s after the start");
  const std::string length = StrCat(FormatFixed(seconds, 2), " s");
  switch (kind) {
    case Kind::kSilence:
      return StrCat("nothing completed for ", length, when);
    case Kind::kSlow:
      return StrCat("slow for ", length, when, ": ", FormatFixed(rate / 1e9, 3), " GB/s where ",
                    FormatFixed(usual_rate / 1e9, 3), " are usual");
    case Kind::kLatency:
      return StrCat("one request took ", FormatFixed(seconds * 1e3, 1), " ms", when, ": nearly all",
                    " others took at most ", FormatFixed(usual_seconds * 1e3, 2), " ms");
  }
  return "";
}

CompletionLog::Window& CompletionLog::At(double seconds) {
  while (seconds >= window_seconds_ * kWindows) {
    for (size_t i = 0; i < kWindows; ++i) {
      Window sum;
      for (size_t half = 2 * i; half < std::min(2 * i + 2, kWindows); ++half) {
        sum.bytes += windows_[half].bytes;
        sum.completions += windows_[half].completions;
        sum.excused |= windows_[half].excused;
      }
      windows_[i] = sum;
    }
    window_seconds_ *= 2;
  }
  return windows_[static_cast<size_t>(std::max(0.0, seconds) / window_seconds_)];
}

void CompletionLog::NoteSilence(double until) {
  if (until - last_ >= kSilenceSeconds && silences_.size() < kMaxFound) {
    silences_.push_back(
        {.kind = Disturbance::Kind::kSilence, .at_seconds = last_, .seconds = until - last_});
  }
  last_ = std::max(last_, until);
}

void CompletionLog::Add(double at_seconds, uint64_t bytes, double latency_seconds) {
  NoteSilence(at_seconds);
  if (latency_seconds > latency_.max_seconds()) slowest_at_ = at_seconds - latency_seconds;
  latency_.Add(latency_seconds);
  Window& window = At(at_seconds);
  window.bytes += bytes;
  ++window.completions;
}

void CompletionLog::Excuse(double begin, double end) {
  At(end);  // widens all windows before the loop uses their width
  for (double at = begin; at < end; at += window_seconds_) At(at).excused = true;
  At(end).excused = true;
}

void CompletionLog::Finish(double at_seconds) {
  NoteSilence(at_seconds);
  end_ = at_seconds;
}

void CompletionLog::FindSlow(std::vector<Disturbance>* found) const {
  // Leaves out the last window, which is not full. Joins windows until the median one has enough
  // completions.
  const size_t whole =
      std::min(kWindows, static_cast<size_t>(std::max(0.0, end_) / window_seconds_));
  for (size_t together = 1; whole / together >= kMinWindows; together *= 2) {
    std::vector<Window> windows(whole / together);
    for (size_t i = 0; i < windows.size() * together; ++i) {
      Window& window = windows[i / together];
      window.bytes += windows_[i].bytes;
      window.completions += windows_[i].completions;
      window.excused |= windows_[i].excused;
    }
    std::vector<Window> sorted;
    std::copy_if(windows.begin(), windows.end(), std::back_inserter(sorted),
                 [](const Window& window) { return !window.excused; });
    if (sorted.size() < kMinWindows) continue;
    std::sort(sorted.begin(), sorted.end(),
              [](const Window& a, const Window& b) { return a.bytes < b.bytes; });
    const Window& usual = sorted[sorted.size() / 2];
    if (usual.completions < kUsualCompletions) continue;
    const double width = window_seconds_ * static_cast<double>(together);
    const double bound = kSlowShare * static_cast<double>(usual.bytes);
    for (size_t i = 0; i < windows.size() && found->size() < kMaxFound; ++i) {
      const size_t begin = i;
      uint64_t bytes = 0;
      while (i < windows.size() && !windows[i].excused &&
             static_cast<double>(windows[i].bytes) < bound) {
        bytes += windows[i++].bytes;
      }
      const double seconds = static_cast<double>(i - begin) * width;
      if (seconds < kMinSlowSeconds) continue;
      found->push_back({.kind = Disturbance::Kind::kSlow,
                        .at_seconds = static_cast<double>(begin) * width,
                        .seconds = seconds,
                        .rate = static_cast<double>(bytes) / seconds,
                        .usual_rate = static_cast<double>(usual.bytes) / width});
    }
    return;
  }
}

std::vector<Disturbance> CompletionLog::FindDisturbances() const {
  std::vector<Disturbance> found = silences_;
  std::vector<Disturbance> slow;
  FindSlow(&slow);
  // A silence is also slow, but is reported only once.
  const auto is_reported = [&](const Disturbance& event) {
    return std::any_of(silences_.begin(), silences_.end(), [&](const Disturbance& silence) {
      return event.at_seconds < silence.at_seconds + silence.seconds &&
             silence.at_seconds < event.at_seconds + event.seconds;
    });
  };
  std::copy_if(slow.begin(), slow.end(), std::back_inserter(found),
               [&](const Disturbance& event) { return !is_reported(event); });
  const uint64_t count = latency_.count();
  const double share = count >= 1000 ? 0.999 : count >= 100 ? 0.99 : 0.5;
  const double usual = latency_.Quantile(share);
  const Disturbance late = {.kind = Disturbance::Kind::kLatency,
                            .at_seconds = slowest_at_,
                            .seconds = latency_.max_seconds(),
                            .usual_seconds = usual};
  if (late.seconds >= std::max(kMinLateSeconds, kLateFactor * usual) && !is_reported(late)) {
    found.push_back(late);
  }
  std::sort(found.begin(), found.end(),
            [](const Disturbance& a, const Disturbance& b) { return a.at_seconds < b.at_seconds; });
  found.resize(std::min(found.size(), kMaxFound));
  return found;
}

}  // namespace edgemill::bench

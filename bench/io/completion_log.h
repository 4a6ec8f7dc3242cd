// Records the completions of one device during a measurement, in fixed memory: rate, latency and
// steadiness.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/io/latency_histogram.h"

namespace edgemill::bench {

/// A part of a measurement in which the device was slow or silent. An average would hide it.
struct Disturbance {
  enum class Kind {
    kSilence,  // no completion for 1 s or more
    kSlow,     // below a quarter of the usual rate for 0.1 s or more
    kLatency,  // one request took ten times as long as nearly all others
  } kind = Kind::kSilence;
  double at_seconds = 0;     // when it began, since the start of the measurement
  double seconds = 0;        // how long it lasted; for kLatency, the time of the request
  double rate = 0;           // kSlow: bytes a second during it
  double usual_rate = 0;     // kSlow: bytes a second of the median window
  double usual_seconds = 0;  // kLatency: the time of nearly all other requests, at most

  /// "nothing completed for 1.20 s, 0.35 s after the start".
  std::string Describe() const;
};

/// Records completions in the order in which they are noticed. Times are seconds since the start of
/// the measurement. Takes 100 KiB. Not thread-safe.
class CompletionLog {
 public:
  CompletionLog() : windows_(kWindows) {}

  void Add(double at_seconds, uint64_t bytes, double latency_seconds);
  /// Says that nothing could complete from `begin` to `end`, because this program waited for
  /// something else, such as a sync. Windows in this time do not count as slow. A silence of 1 s
  /// still counts.
  void Excuse(double begin, double end);
  /// Ends the measurement.
  void Finish(double at_seconds);

  const LatencyHistogram& latency() const { return latency_; }
  /// The disturbances in order of time, at most kMaxFound of them. Call it after Finish.
  std::vector<Disturbance> FindDisturbances() const;

  static constexpr size_t kMaxFound = 16;
  static constexpr double kSilenceSeconds = 1;

 private:
  struct Window {
    uint64_t bytes = 0;
    uint32_t completions = 0;
    bool excused = false;
  };
  static constexpr size_t kWindows = 4096;
  static constexpr double kFirstWindowSeconds = 0.025;

  /// Returns the window of a time. Doubles the width of all windows until the time is in one.
  Window& At(double seconds);
  void NoteSilence(double until);
  void FindSlow(std::vector<Disturbance>* found) const;

  LatencyHistogram latency_;
  double slowest_at_ = 0;
  std::vector<Window> windows_;
  double window_seconds_ = kFirstWindowSeconds;
  double last_ = 0;
  double end_ = 0;
  std::vector<Disturbance> silences_;
};

}  // namespace edgemill::bench

// One device's completions during a measurement, in fixed memory: how fast, how late, how steady.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/io/latency_histogram.h"

namespace edgemill::bench {

/// A stretch of a measurement that an average would hide.
struct Disturbance {
  enum class Kind {
    kSilence,  // nothing completed for a second or more
    kSlow,     // for a tenth of a second or more, under a quarter of the usual rate
    kLatency,  // one request took ten times what nearly all others took
  } kind = Kind::kSilence;
  double at_seconds = 0;  // when it began, from the measurement's start
  double seconds = 0;     // how long it lasted; of kLatency the request
  double rate = 0;        // kSlow: bytes a second meanwhile; kLatency: the usual seconds
  double usual_rate = 0;  // kSlow: the median window's

  /// "nothing completed for 1.20 s, 0.35 s after the start".
  std::string Describe() const;
};

/// Takes in completions in the order in which they are noticed. Times are seconds from the
/// measurement's start. Takes 100 KiB. Not thread-safe.
class CompletionLog {
 public:
  CompletionLog() : windows_(kWindows) {}

  void Add(double at_seconds, uint64_t bytes, double latency_seconds);
  /// Nothing could complete from `begin` to `end`, for this program waited for something else (a
  /// sync): windows there are not held against the device. A second of silence still is.
  void Excuse(double begin, double end);
  /// The measurement is over.
  void Finish(double at_seconds);

  const LatencyHistogram& latency() const { return latency_; }
  /// After Finish: what was not steady, in order of time, at most kMaxFound of them.
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

  /// The window of a time; makes windows twice as wide until there is one.
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

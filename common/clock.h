// Monotonic time.
#pragma once

#include <algorithm>
#include <chrono>

namespace edgemill {

/// Measures the seconds since its construction or last restart.
class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  /// Seconds from the start to `time`.
  double SecondsAt(std::chrono::steady_clock::time_point time) const {
    return std::chrono::duration<double>(time - start_).count();
  }
  void Restart() { start_ = std::chrono::steady_clock::now(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// A clock for timeouts of devices. Of the time between two calls, at most kMaxBetween counts. A
/// waiting thread calls Now several times a second. A longer time means that the process was
/// stopped or its machine suspended, which says nothing about the device. Not thread-safe.
class PatienceClock {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  static constexpr double kMaxBetween = 1;  // second

  /// The seconds that counted since construction.
  double Now() { return NowAt(std::chrono::steady_clock::now()); }
  /// The same at `time`, which must not be earlier than in the last call.
  double NowAt(TimePoint time) {
    const double passed = std::chrono::duration<double>(time - last_).count();
    last_ = time;
    return seconds_ += std::clamp(passed, 0.0, kMaxBetween);
  }

 private:
  TimePoint last_ = std::chrono::steady_clock::now();
  double seconds_ = 0;
};

}  // namespace edgemill

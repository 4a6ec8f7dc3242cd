// Monotonic time.
#pragma once

#include <chrono>

namespace edgemill {

/// Seconds since it was made or restarted.
class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  /// Seconds from then to `time`.
  double SecondsAt(std::chrono::steady_clock::time_point time) const {
    return std::chrono::duration<double>(time - start_).count();
  }
  void Restart() { start_ = std::chrono::steady_clock::now(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace edgemill

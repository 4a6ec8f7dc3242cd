// Where long operations say how far they are; the program decides how to show it.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

namespace edgemill {

/// Receives progress. One stage at a time; Advance is called from many threads and must be cheap.
/// The default does nothing but count.
class Progress {
 public:
  virtual ~Progress() = default;
  /// A stage starts. `unit` is what is counted ("edges", "blocks"); `total` is 0 when unknown.
  virtual void StartStage(std::string_view /*name*/, std::string_view /*unit*/,
                          uint64_t /*total*/) {
    done_.store(0, std::memory_order_relaxed);
    bytes_.store(0, std::memory_order_relaxed);
  }
  /// `units` more are done, and `bytes` more were read or written for them. Thread-safe.
  void Advance(uint64_t units, uint64_t bytes = 0) {
    done_.fetch_add(units, std::memory_order_relaxed);
    bytes_.fetch_add(bytes, std::memory_order_relaxed);
  }
  /// A message for the user (a warning, a decision that was taken), shown at once. Thread-safe.
  virtual void Note(std::string_view /*message*/) {}

  uint64_t done() const { return done_.load(std::memory_order_relaxed); }
  uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  std::atomic<uint64_t> done_{0};
  std::atomic<uint64_t> bytes_{0};
};

}  // namespace edgemill

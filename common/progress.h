// Where long operations report their progress. The program decides how to show it.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

namespace edgemill {

/// How much there is to do in a stage. If `units` are unknown, `bytes` give the share that is done.
struct StageExtent {
  uint64_t units = 0;         // 0: unknown
  uint64_t bytes = 0;         // to be given to Advance; 0: unknown
  uint64_t units_before = 0;  // done by an earlier process
  uint64_t bytes_before = 0;
};

/// Receives progress. One stage at a time. Advance is called from many threads and must be cheap.
/// The default only counts.
class Progress {
 public:
  virtual ~Progress() = default;
  /// A stage starts. `unit` is what is counted ("edges", "blocks").
  virtual void StartStage(std::string_view /*name*/, std::string_view /*unit*/,
                          const StageExtent& extent) {
    done_.store(extent.units_before, std::memory_order_relaxed);
    bytes_.store(extent.bytes_before, std::memory_order_relaxed);
    iteration_.store(0, std::memory_order_relaxed);
    max_iterations_.store(0, std::memory_order_relaxed);
    StartPass(0);
  }
  /// For a command that repeats the same stages: names the round of the stages that follow ("trial
  /// 3 of 16").
  virtual void StartRound(std::string_view /*name*/) {}
  /// A stage of `total` units starts; 0: unknown.
  void StartStage(std::string_view name, std::string_view unit, uint64_t total) {
    StartStage(name, unit, StageExtent{.units = total});
  }
  /// The stage has at most so many iterations. Without a call the number is unknown.
  void SetMostIterations(uint64_t count) {
    max_iterations_.store(count, std::memory_order_relaxed);
  }
  /// The stage's iteration `number`, from 1, starts.
  void StartIteration(uint64_t number) {
    iteration_.store(number, std::memory_order_relaxed);
    StartPass(0);
  }
  /// A pass over `units` starts. Gives the share that is done if the stage's own total is unknown.
  void StartPass(uint64_t units) {
    pass_begin_.store(done(), std::memory_order_relaxed);
    pass_units_.store(units, std::memory_order_relaxed);
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
  /// The number of the iteration; 0 before the first.
  uint64_t iteration() const { return iteration_.load(std::memory_order_relaxed); }
  /// 0: unknown.
  uint64_t max_iterations() const { return max_iterations_.load(std::memory_order_relaxed); }
  /// done() when the pass under way started.
  uint64_t pass_begin() const { return pass_begin_.load(std::memory_order_relaxed); }
  /// The units of the pass under way; 0: unknown, or none is.
  uint64_t pass_units() const { return pass_units_.load(std::memory_order_relaxed); }

 private:
  std::atomic<uint64_t> done_{0};
  std::atomic<uint64_t> bytes_{0};
  std::atomic<uint64_t> iteration_{0};
  std::atomic<uint64_t> max_iterations_{0};
  std::atomic<uint64_t> pass_begin_{0};
  std::atomic<uint64_t> pass_units_{0};
};

}  // namespace edgemill

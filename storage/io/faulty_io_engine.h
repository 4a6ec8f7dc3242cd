// Faults for tests, injected below the engines' retries: what a kernel or a device may do to any
// attempt.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "storage/io/io_backend.h"

namespace edgemill {

/// What happens to one attempt.
struct IoFault {
  enum class Kind : uint8_t {
    kErrno,    // nothing is moved; fails with errno `value`
    kShort,    // `value` bytes are moved (of a read, the rest of the memory is spoilt)
    kCorrupt,  // bit `value` (modulo the length) is flipped on the way
    kDelay,    // the result comes `value` milliseconds late
    kNever,    // the result never comes
    kReorder,  // the result comes after the next `value` others (or when nothing else is under way)
    kDuplicate,  // the result comes twice
    kTorn,       // writes: only the first `value` bytes reach the file, but all are reported
  };
  Kind kind = Kind::kErrno;
  uint64_t value = 0;
};

/// Decides the faults. `Decide` gets the attempt and its index (from 0, over all engines made while
/// the plan is installed) and is called on the engines' threads: it must be thread-safe.
class IoFaultPlan {
 public:
  using Decider = std::function<std::optional<IoFault>(const IoAttempt& attempt, uint64_t index)>;
  explicit IoFaultPlan(Decider decide) : decide_(std::move(decide)) {}

  /// A plan of one fault: at attempt `index`, and at all later ones when `sticky`.
  static std::shared_ptr<IoFaultPlan> At(uint64_t index, IoFault fault, bool sticky = false);

  std::optional<IoFault> Decide(const IoAttempt& attempt) {
    return decide_(attempt, attempts_.fetch_add(1, std::memory_order_relaxed));
  }
  /// Attempts so far.
  uint64_t attempts() const { return attempts_.load(std::memory_order_relaxed); }

 private:
  Decider decide_;
  std::atomic<uint64_t> attempts_{0};
};

/// Gives engines that MakeIoEngine makes from now on the faults of `plan` (none when null).
/// Thread-safe. Tests only.
void InstallIoFaults(std::shared_ptr<IoFaultPlan> plan);

/// `backend` under the installed plan, or as it is without one.
std::unique_ptr<IoBackend> WithInstalledIoFaults(std::unique_ptr<IoBackend> backend);

}  // namespace edgemill

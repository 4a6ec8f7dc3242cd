// Transfers that always end: done, failed, or given up when a device hangs.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "common/clock.h"
#include "common/status.h"
#include "common/thread_annotations.h"
#include "storage/io/io_engine.h"

namespace edgemill {

/// How long a device may keep a request while the process runs (PatienceClock).
struct IoPatience {
  double stall_seconds = 30;
  /// The same after a stop was requested: longer than a healthy disk takes, but short for the user.
  double cancel_seconds = 5;
};

/// The error of a request for `length` bytes of `path` that was not answered for `seconds`.
Status StallError(IoRequest::Op op, std::string_view path, uint64_t offset, uint64_t length,
                  double seconds);

/// Keeps `owner` as long as the process runs: the kernel may still use its memory. Thread-safe.
void KeepForKernel(std::shared_ptr<void> owner);

/// An engine whose waits always end. Not thread-safe. The memory of a request that was given up may
/// be freed when it is a mapping (Buffer). The kernel keeps the pages of a direct transfer until
/// the transfer ends.
class TimeoutEngine {
 public:
  /// An engine for up to `depth` requests under way.
  static StatusOr<std::unique_ptr<TimeoutEngine>> Create(size_t depth, const IoPatience& patience);
  /// Waits for the requests under way, as Wait does. If some do not end, keeps the engine for the
  /// kernel (KeepForKernel).
  ~TimeoutEngine();

  /// Starts a request at the next Wait at the latest. No other request under way may have its tag.
  Status Submit(const IoRequest& request);
  /// Waits until at least `least` of the requests under way have ended, and appends their
  /// completions. With 0 it starts what was submitted, and polls. IoError when one is not answered
  /// in time. CancelledError when a stop was requested and one is not answered soon. After either
  /// error nothing more may be submitted.
  Status Wait(size_t least, std::vector<IoCompletion>* completions);
  size_t in_flight() const { return engine_->in_flight(); }
  size_t depth() const { return engine_->depth(); }

 private:
  struct UnderWay {
    IoRequest request;
    double start;  // by clock_
  };
  TimeoutEngine(std::unique_ptr<IoEngine> engine, const IoPatience& patience)
      : engine_(std::move(engine)), patience_(patience) {}
  Status CheckPatience();

  std::unique_ptr<IoEngine> engine_;
  const IoPatience patience_;
  std::vector<UnderWay> under_way_;
  PatienceClock clock_;
  std::optional<double> cancelled_;  // when a stop was first seen
  bool given_up_ = false;
};

/// Engines for threads that make one transfer at a time and wait for it: a transfer makes a new
/// engine only when all others are in use. Thread-safe.
class TransferPool {
 public:
  explicit TransferPool(const IoPatience& patience) : patience_(patience) {}

  /// Makes `request` and waits for its end. Returns the bytes moved: fewer than requested only
  /// where a read meets the end of the file. Errors as TimeoutEngine's.
  StatusOr<size_t> Transfer(const IoRequest& request);

 private:
  const IoPatience patience_;
  Mutex mutex_;
  std::vector<std::unique_ptr<TimeoutEngine>> idle_ GUARDED_BY(mutex_);
};

}  // namespace edgemill

// The times of a run's edge passes on a GPU, for each batch, and the sums for each transfer engine.
//
// Batches overlap, so a batch's own time says little. Accounts have its share of the time
// (SharedSeconds). Shares add up to the time in which the GPU or the link was at work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/check.h"
#include "engine/cost/shared_seconds.h"
#include "engine/device/transfer.h"
#include "engine/report/timeline.h"

namespace edgemill {

/// One batch. Times on the host are seconds since the run's set-up. Times on the GPU are seconds
/// since the origin of the batch's pass. CUDA gives `float` milliseconds: an hour after the origin,
/// their steps are a quarter of a second.
struct BatchRecord {
  bool on_device = false;  // its blocks are resident: no staging buffer is used
  uint32_t stream = 0;
  TransferAccounts moved;   // for each engine, without seconds
  double filling = 0;       // host: it began to fill the buffer
  double filled = 0;        // host: it is about to launch the batch
  double begun = 0;         // GPU: copies begin
  double copied = 0;        // GPU: copies end, kernels begin
  double ended = 0;         // GPU: kernels end
  double host_seconds = 0;  // of all filling threads, over their number
};

/// The passes since the last account. Not thread-safe.
class PassRecord {
 public:
  /// Starts a pass. Returns its number.
  size_t Start();
  /// Sets the origin of pass number `pass`, in seconds since the run's set-up.
  void SetOrigin(size_t pass, double seconds) {
    CHECK_LT(pass, passes_.size());
    passes_[pass].origin = seconds;
  }
  /// Adds a batch of the last pass. Batches are added in the order in which their kernels are
  /// queued. Returns the batch's number.
  size_t Add(const BatchRecord& batch);
  BatchRecord& batch(size_t number) {
    CHECK_LT(number, batches_.size());
    return batches_[number];
  }
  /// Adds a time span in which the disk was read. Spans are added in the order of time.
  void AddReading(double begin, double end) { reading_.push_back({begin, end}); }

  /// Returns the accounts of all batches; their times must be known. If a batch has several
  /// engines, each gets a share of the batch's time by its bytes. If no engine moved bytes, the
  /// shares are equal.
  TransferAccounts Account() const;
  /// Adds to `timeline` when the disk, the host, copies and kernels worked.
  void AddTo(Timeline* timeline) const;
  void Clear();

 private:
  struct Pass {
    size_t first = 0;   // its first batch
    double origin = 0;  // of times on the GPU
  };

  std::span<const BatchRecord> BatchesOf(size_t pass) const;

  std::vector<Pass> passes_;
  std::vector<BatchRecord> batches_;
  std::vector<TimeSpan> reading_;
};

}  // namespace edgemill

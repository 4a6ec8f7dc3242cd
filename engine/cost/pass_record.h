// What a run's edge passes on a GPU took: by batch, and added up by transfer engine.
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

/// One batch. Times of the host are seconds since the run's set-up. Those on the GPU are seconds
/// since the origin of the batch's pass: CUDA tells them as `float` milliseconds, which an hour
/// after their origin are a quarter of a second apart.
struct BatchRecord {
  bool on_device = false;  // already: visited at once, in no staging buffer
  uint32_t stream = 0;
  TransferAccounts moved;   // by engine, without seconds
  double filling = 0;       // the host began to gather it
  double filled = 0;        // and had it queued
  double begun = 0;         // on the GPU: copies
  double copied = 0;        // likewise; kernels follow
  double ended = 0;         // likewise: kernels
  double host_seconds = 0;  // of all threads that gathered, by their number
};

/// The passes since the last account. Not thread-safe.
class PassRecord {
 public:
  /// A pass starts. Returns its number.
  size_t Start();
  /// The origin of pass number `pass` turned out to be so many seconds after the run's set-up.
  void SetOrigin(size_t pass, double seconds) {
    CHECK_LT(pass, passes_.size());
    passes_[pass].origin = seconds;
  }
  /// Adds a batch in the order in which kernels were queued; returns its number.
  size_t Add(const BatchRecord& batch);
  BatchRecord& batch(size_t number) {
    CHECK_LT(number, batches_.size());
    return batches_[number];
  }
  /// The disk was read from `begin` to `end`, after what was added before.
  void AddReading(double begin, double end) { reading_.push_back({begin, end}); }

  /// The accounts of what was added, all of whose times must be known. The time of a batch of
  /// several engines falls to each by the bytes that it moved; where none moved any, equally.
  TransferAccounts Account() const;
  /// Adds what the disk, the host, copies and kernels did to `timeline`.
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

// Measures when the batches of edge passes were at work, by marks in their streams.
//
// CUDA gives the time between two events as float milliseconds, which is inexact for long times.
// Each pass therefore counts its times on the GPU from an origin of its own. Each origin is
// measured from the one before, and the sums are in double.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/clock.h"
#include "common/status.h"
#include "engine/cost/pass_record.h"
#include "engine/device/gpu.h"
#include "engine/device/transfer.h"
#include "engine/report/timeline.h"
#include "engine/transfer/staged_batch.h"
#include "storage/read/block_reader.h"

namespace edgemill {

/// Belongs to one run. The thread that drives passes uses it; any thread may use the clock.
class PassTimer {
 public:
  /// Marks of one batch in its stream.
  struct BatchMarks {
    GpuEvent begun;  // before its copies
    GpuEvent copied;
    GpuEvent done;
    size_t record = 0;  // index of the batch's record
  };

  /// `num_buffers` batches are under way at a time. `threads` threads fill them.
  PassTimer(Gpu& gpu, uint32_t num_buffers, int threads)
      : gpu_(gpu), num_buffers_(num_buffers), threads_(threads) {}
  Status Create();
  /// Starts the clock. Waits for `main`.
  Status Start(GpuStream& main);
  /// Seconds since Start.
  const Stopwatch& clock() const { return clock_; }

  /// Begins a pass.
  Status BeginPass();
  /// Marks the origin of the pass's times on `main`. The pass's batches come after this mark.
  Status MarkReady(GpuStream& main) { return main.Record(marks_[num_passes_ - 1].ready); }
  const GpuEvent& ready() const { return marks_[num_passes_ - 1].ready; }
  /// Called before a launch on `main` over `num_blocks` resident blocks, which `transfer` brought.
  Status BeginResident(uint64_t num_blocks, Transfer transfer, GpuStream& main);
  /// Called when that launch is queued.
  Status EndResident(GpuStream& main);
  /// Called before `batch`, in buffer `number`, is launched.
  void BeginBatch(const StagedBatch& batch, uint32_t number, BatchMarks* marks);
  /// Called when the batch is done.
  Status EndBatch(const BatchMarks& marks);
  /// Forgets the passes since the last account.
  void Clear();

  /// Returns the account of the passes since the last call. They must be done. Adds to `timeline`
  /// when each part and `reader` worked.
  StatusOr<TransferAccounts> DrainAccounts(BlockReader& reader, Timeline* timeline);

 private:
  /// The marks of one pass, on the main stream.
  struct PassMarks {
    GpuEvent ready;  // the origin
    GpuEvent resident_begun;
    GpuEvent resident_done;
    bool has_resident = false;  // a launch over resident blocks was timed
    size_t record = 0;
  };

  /// Fills in the times of the launches over resident blocks.
  Status ReadResident(size_t pass);
  /// Finds out when the passes' origins were.
  Status ReadOrigins();

  Gpu& gpu_;
  const uint32_t num_buffers_;
  const int threads_;
  Stopwatch clock_;
  PassRecord record_;
  std::vector<PassMarks> marks_;  // used again after each account
  size_t num_passes_ = 0;         // since the last account
  GpuEvent last_origin_;          // the origin before those passes
  double last_origin_seconds_ = 0;
};

}  // namespace edgemill

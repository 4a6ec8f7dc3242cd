// When the batches of edge passes were at work, by marks in their streams.
//
// CUDA gives the time between two events as float milliseconds. So times on the GPU count from an
// origin of their own in each pass. Each origin counts from the one before, added up in double.
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
    GpuEvent begun;  // its copies
    GpuEvent copied;
    GpuEvent done;
    size_t record = 0;  // index of the batch's record
  };

  /// `num_buffers` batches are under way at a time, filled by `threads` threads.
  PassTimer(Gpu& gpu, uint32_t num_buffers, int threads)
      : gpu_(gpu), num_buffers_(num_buffers), threads_(threads) {}
  Status Create();
  /// Time starts. Waits for `main`.
  Status Start(GpuStream& main);
  /// Seconds since Start.
  const Stopwatch& clock() const { return clock_; }

  /// A pass begins.
  Status BeginPass();
  /// What is on `main` so far comes before the pass's batches: the origin of its times.
  Status MarkReady(GpuStream& main) { return main.Record(marks_[num_passes_ - 1].ready); }
  const GpuEvent& ready() const { return marks_[num_passes_ - 1].ready; }
  /// A launch over so many resident blocks follows on `main`, which `transfer` brought there.
  Status BeginResident(uint64_t num_blocks, Transfer transfer, GpuStream& main);
  /// That launch is queued.
  Status EndResident(GpuStream& main);
  /// `batch`, in buffer `number`, is about to be queued.
  void BeginBatch(const StagedBatch& batch, uint32_t number, BatchMarks* marks);
  /// It is done.
  Status EndBatch(const BatchMarks& marks);
  /// Forgets the passes since the last account.
  void Clear();

  /// Accounts for the passes since the last call, which must be done. Adds to `timeline` when each
  /// part worked, and when `reader` did.
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
  GpuEvent last_origin_;          // before them
  double last_origin_seconds_ = 0;
};

}  // namespace edgemill

// The staging buffers between the threads that read blocks and the thread that feeds the GPU.
//
// All readers fill the same buffer. When it is full, or the pass ends, the feeding thread submits
// it. When the buffer's stream has passed a mark, the feeding thread frees it. With several
// buffers, reading, copies and kernels overlap. Readers wait when the GPU does not keep up.
//
// A batch may hold leases on buffers that the disk waits for. To avoid deadlock, a batch with such
// leases is submitted partly filled once the GPU has idled for half a millisecond.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "common/clock.h"
#include "common/status.h"
#include "common/thread_annotations.h"
#include "engine/transfer/staged_batch.h"

namespace edgemill {

/// Belongs to one run. Thread-safe.
class StagingQueue {
 public:
  /// `memory`: the memory of each buffer, StagingLayout::HostBytes(limits.buffer_bytes) bytes.
  /// `clock` gives the times and must outlive it.
  StagingQueue(std::span<std::byte* const> memory, const StagingLimits& limits,
               const Stopwatch& clock);

  const StagingLimits& limits() const { return limits_; }
  /// Returns the number of the batch's buffer.
  size_t NumberOf(const StagedBatch& batch) const {
    return static_cast<size_t>(&batch - batches_.data());
  }

  // Readers:
  /// A place in the batch that is being filled. Its thread must call Finish.
  struct Claimed {
    StagedBatch* batch = nullptr;
    uint32_t index = 0;
    std::byte* to = nullptr;  // pinned memory: use.host_bytes
  };
  /// Takes a place for a block. Waits while no buffer is free. Returns an error after Fail.
  StatusOr<Claimed> Claim(const StagingUse& use);
  /// Fills in a place that Claim returned.
  void Finish(StagedBatch& batch, const StagedBlock& block);
  /// Called when readers have no more blocks in this pass.
  void EndFilling();

  // The feeding thread:
  /// Returns a free buffer for this thread to fill; null if none is free. Leaves one buffer for the
  /// readers while they work.
  StagedBatch* AcquireFree();
  /// What the feeding thread does next. `full`: submit this batch. `oldest`: no batch is full; wait
  /// for this one. Both null: all is done, or the readers need time and `may_wait` is false.
  struct Next {
    StagedBatch* full = nullptr;
    StagedBatch* oldest = nullptr;
  };
  Next NextFull(bool may_wait);
  /// Called when the batch's work is queued.
  void Submitted(StagedBatch& batch);
  /// Called when the work of the oldest submitted batch is done.
  void Free(StagedBatch& batch);
  /// Called when the feeding thread gives up: readers get an error.
  void Fail();
  /// Prepares for the next pass. All buffers must be free.
  void Reset();

 private:
  enum class PassState : uint8_t { kOpen, kEnded, kFailed };  // kFailed is final

  void Move(StagedBatch& batch, StagingState to) REQUIRES(mutex_);
  /// Takes a free buffer and empties it.
  StagedBatch* BeginFilling() REQUIRES(mutex_);
  /// Closes the batch that is being filled, if there is one: no more blocks go into it.
  void Seal() REQUIRES(mutex_);
  void MakeFull(StagedBatch& batch) REQUIRES(mutex_);
  /// Waits for readers, for a short time. If nothing changes, seals a batch that holds leases, so
  /// that it can be submitted.
  void AwaitReaders() REQUIRES(mutex_);
  bool AllDone() const REQUIRES(mutex_);

  const StagingLimits limits_;
  const Stopwatch& clock_;
  std::vector<StagedBatch> batches_;
  Mutex mutex_;
  CondVar changed_;
  PassState pass_ GUARDED_BY(mutex_) = PassState::kOpen;
  StagedBatch* filling_ GUARDED_BY(mutex_) = nullptr;
  // Each in the order in which batches came into this state:
  std::deque<StagedBatch*> free_ GUARDED_BY(mutex_);
  std::deque<StagedBatch*> full_ GUARDED_BY(mutex_);
  std::deque<StagedBatch*> submitted_ GUARDED_BY(mutex_);
};

}  // namespace edgemill

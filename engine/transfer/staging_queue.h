// The staging buffers between the threads that read blocks and the one that feeds the GPU.
//
// Readers fill one together. When it is full, or the pass ends, the feeding thread submits it, and
// frees it when its stream has passed a mark. With several buffers, reading and checking, copies
// and kernels overlap; readers wait when the GPU does not keep up.
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
  /// `memory`: each buffer's, of StagingLayout::HostBytes(limits.buffer_bytes). Times are
  /// `clock`'s, which must outlive it.
  StagingQueue(std::span<std::byte* const> memory, const StagingLimits& limits,
               const Stopwatch& clock);

  const StagingLimits& limits() const { return limits_; }
  /// The number of the buffer that a batch is in.
  size_t NumberOf(const StagedBatch& batch) const {
    return static_cast<size_t>(&batch - batches_.data());
  }

  // Readers:
  /// A place in the batch that is being filled, which Finish is to be called for.
  struct Claimed {
    StagedBatch* batch = nullptr;
    uint32_t index = 0;
    std::byte* to = nullptr;  // so many bytes of pinned memory as the use has
  };
  /// Takes a place for a block; waits while no buffer is free. An error after Fail.
  StatusOr<Claimed> Claim(const StagingUse& use);
  /// Fills in a place.
  void Finish(StagedBatch& batch, const StagedBlock& block);
  /// Readers have no more blocks in this pass.
  void EndFilling();

  // The feeding thread:
  /// A free buffer for it to fill itself; null without one, or when it is the last for readers.
  StagedBatch* AcquireFree();
  /// The batch to submit next; or, when none is full, the oldest to wait for; neither when all is
  /// done, or, unless `may_wait`, readers are not so far.
  struct Next {
    StagedBatch* full = nullptr;
    StagedBatch* oldest = nullptr;
  };
  Next NextFull(bool may_wait);
  /// The batch's work is queued.
  void Submitted(StagedBatch& batch);
  /// The work of the oldest submitted batch is done.
  void Free(StagedBatch& batch);
  /// The feeding thread gave up: readers end.
  void Fail();
  /// Ready for the next pass. All buffers must be free.
  void Reset();

 private:
  enum class PassState : uint8_t { kOpen, kEnded, kFailed };  // kFailed is left by nothing

  void Move(StagedBatch& batch, StagingState to) REQUIRES(mutex_);
  /// A free buffer, emptied.
  StagedBatch* BeginFilling() REQUIRES(mutex_);
  /// Nothing more goes into the batch that is being filled, if one is.
  void Seal() REQUIRES(mutex_);
  void MakeFull(StagedBatch& batch) REQUIRES(mutex_);
  /// Waits for readers; submits what they have filled so far, if they wait for its leases.
  void AwaitReaders() REQUIRES(mutex_);
  bool AllDone() const REQUIRES(mutex_);

  const StagingLimits limits_;
  const Stopwatch& clock_;
  std::vector<StagedBatch> batches_;
  Mutex mutex_;
  CondVar changed_;
  PassState pass_ GUARDED_BY(mutex_) = PassState::kOpen;
  StagedBatch* filling_ GUARDED_BY(mutex_) = nullptr;
  // In the order in which their batches came to be so:
  std::deque<StagedBatch*> free_ GUARDED_BY(mutex_);
  std::deque<StagedBatch*> full_ GUARDED_BY(mutex_);
  std::deque<StagedBatch*> submitted_ GUARDED_BY(mutex_);
};

}  // namespace edgemill

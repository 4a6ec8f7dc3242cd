#include "engine/transfer/staging_queue.h"

#include <algorithm>

#include "common/check.h"
#include "engine/cost/tuning.h"

namespace edgemill {

StagingQueue::StagingQueue(std::span<std::byte* const> memory, const StagingLimits& limits,
                           const Stopwatch& clock)
    : limits_(limits), clock_(clock), batches_(memory.size()) {
  MutexLock lock(mutex_);
  for (size_t i = 0; i < memory.size(); ++i) {
    batches_[i].memory = memory[i];
    batches_[i].copies.reserve(StagingLayout::kMaxCopies);
    free_.push_back(&batches_[i]);
  }
}

void StagingQueue::Move(StagedBatch& batch, StagingState to) {
  CHECK(MayFollow(batch.state, to));
  batch.state = to;
}

StagedBatch* StagingQueue::BeginFilling() {
  StagedBatch* const batch = free_.front();
  free_.pop_front();
  Move(*batch, StagingState::kFilling);
  batch->Clear(clock_.seconds());
  return batch;
}

void StagingQueue::Seal() {
  if (filling_ == nullptr) return;
  if (filling_->num_writers == 0) {
    MakeFull(*filling_);
  } else {
    Move(*filling_, StagingState::kSealed);
  }
  filling_ = nullptr;
  changed_.NotifyAll();
}

void StagingQueue::MakeFull(StagedBatch& batch) {
  Move(batch, StagingState::kFull);
  full_.push_back(&batch);
}

StatusOr<StagingQueue::Claimed> StagingQueue::Claim(const StagingUse& use) {
  CHECK_LE(use.host_bytes, limits_.buffer_bytes);
  MutexLock lock(mutex_);
  while (true) {
    if (pass_ == PassState::kFailed) {
      return InternalError("the thread that feeds the GPU has ended");
    }
    if (filling_ != nullptr && !filling_->Fits(use, limits_)) Seal();
    if (filling_ == nullptr && !free_.empty()) filling_ = BeginFilling();
    if (filling_ != nullptr) break;
    changed_.Wait(mutex_, WaitCause::kDevice);
  }
  ++filling_->num_writers;
  std::byte* const to = filling_->bytes() + filling_->use.host_bytes;
  const uint32_t index = filling_->Reserve(use);
  return Claimed{filling_, index, to};
}

void StagingQueue::Finish(StagedBatch& batch, const StagedBlock& block) {
  MutexLock lock(mutex_);
  batch.Add(block);
  CHECK_GT(batch.num_writers, 0u);
  if (--batch.num_writers > 0 || batch.state != StagingState::kSealed) return;
  MakeFull(batch);
  changed_.NotifyAll();
}

void StagingQueue::EndFilling() {
  MutexLock lock(mutex_);
  Seal();
  if (pass_ == PassState::kOpen) pass_ = PassState::kEnded;
  changed_.NotifyAll();
}

StagedBatch* StagingQueue::AcquireFree() {
  MutexLock lock(mutex_);
  const size_t for_readers = pass_ == PassState::kEnded || batches_.size() == 1 ? 0 : 1;
  return free_.size() > for_readers ? BeginFilling() : nullptr;
}

StagingQueue::Next StagingQueue::NextFull(bool may_wait) {
  MutexLock lock(mutex_);
  while (true) {
    if (!full_.empty()) {
      StagedBatch* const batch = full_.front();
      full_.pop_front();
      return {.full = batch};
    }
    if (!submitted_.empty()) return {.oldest = submitted_.front()};
    if (!may_wait || AllDone()) return {};
    AwaitReaders();
  }
}

bool StagingQueue::AllDone() const {
  return pass_ == PassState::kEnded &&
         std::none_of(batches_.begin(), batches_.end(), [](const StagedBatch& batch) {
           return batch.state == StagingState::kSealed;
         });
}

void StagingQueue::AwaitReaders() {
  const StagedBatch* const filling = filling_;
  if (filling == nullptr || filling->leases.empty()) {
    changed_.WaitFor(mutex_, kPatienceSeconds);
  } else if (!changed_.WaitFor(mutex_, kPatienceSeconds) && filling_ == filling) {
    Seal();
  }
}

void StagingQueue::Submitted(StagedBatch& batch) {
  MutexLock lock(mutex_);
  Move(batch, StagingState::kSubmitted);
  submitted_.push_back(&batch);
}

void StagingQueue::Free(StagedBatch& batch) {
  batch.leases.clear();
  MutexLock lock(mutex_);
  CHECK(!submitted_.empty() && submitted_.front() == &batch);
  submitted_.pop_front();
  Move(batch, StagingState::kFree);
  free_.push_back(&batch);
  changed_.NotifyAll();
}

void StagingQueue::Fail() {
  MutexLock lock(mutex_);
  pass_ = PassState::kFailed;
  changed_.NotifyAll();
}

void StagingQueue::Reset() {
  MutexLock lock(mutex_);
  CHECK_EQ(free_.size(), batches_.size());
  if (pass_ == PassState::kEnded) pass_ = PassState::kOpen;
}

}  // namespace edgemill

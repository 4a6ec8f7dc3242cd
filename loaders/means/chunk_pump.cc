#include "loaders/means/chunk_pump.h"

#include <algorithm>
#include <atomic>
#include <limits>

#include "common/cancel.h"
#include "common/parallel.h"
#include "common/thread_annotations.h"

namespace edgemill {
namespace {

constexpr uint64_t kNoSequence = std::numeric_limits<uint64_t>::max();

/// Lets threads through in the order of their chunks' sequences, and keeps the first error in that
/// order.
class Turnstile {
 public:
  explicit Turnstile(uint64_t first) : next_(first) {}

  /// Waits for `sequence`'s turn; false when an earlier chunk failed, so that it will never come.
  bool Enter(uint64_t sequence) {
    MutexLock lock(mutex_);
    while (next_ != sequence && failed_ > sequence) changed_.Wait(mutex_, WaitCause::kTurn);
    return next_ == sequence && failed_ > sequence;
  }
  void Leave() {
    MutexLock lock(mutex_);
    ++next_;
    changed_.NotifyAll();
  }
  void Fail(uint64_t sequence, const Status& error) {
    MutexLock lock(mutex_);
    if (error_.ok() || sequence < failed_) error_ = error;
    failed_ = std::min(failed_, sequence);
    changed_.NotifyAll();
  }
  bool failed() const {
    MutexLock lock(mutex_);
    return !error_.ok();
  }
  Status error() const {
    MutexLock lock(mutex_);
    return error_;
  }

 private:
  mutable Mutex mutex_;
  CondVar changed_;
  uint64_t next_ GUARDED_BY(mutex_);
  uint64_t failed_ GUARDED_BY(mutex_) = kNoSequence;
  Status error_ GUARDED_BY(mutex_);
};

}  // namespace

Status ChunkPump::Hold(uint64_t edges, int threads) {
  Turnstile turns(0);
  Mutex mutex;
  std::atomic<uint64_t> num_edges{0};
  RETURN_IF_ERROR(RunThreads(threads, [&](int) -> Status {
    while (num_edges.load(std::memory_order_relaxed) < edges && !turns.failed()) {
      EdgeChunk chunk;
      const StatusOr<bool> more = CancelRequested() ? CheckCancelled() : source_.Next(&chunk);
      if (!more.ok()) {
        turns.Fail(chunk.sequence, more.status());
        break;
      }
      MutexLock lock(mutex);
      if (!*more) {
        at_end_ = true;
        break;
      }
      num_edges.fetch_add(chunk.num_edges(), std::memory_order_relaxed);
      held_.push_back(std::move(chunk));
    }
    return OkStatus();
  }));
  RETURN_IF_ERROR(turns.error());
  std::sort(held_.begin(), held_.end(),
            [](const EdgeChunk& a, const EdgeChunk& b) { return a.sequence < b.sequence; });
  return OkStatus();
}

Status ChunkPump::Run(int threads, const ChunkWork& work) {
  if (held_.empty() && !at_end_) RETURN_IF_ERROR(Hold(1, 1));
  if (held_.empty()) return OkStatus();
  Turnstile turns(held_.front().sequence);
  Mutex mutex;
  const auto next = [&](EdgeChunk* chunk) -> StatusOr<bool> {
    {
      MutexLock lock(mutex);
      if (!held_.empty()) {
        *chunk = std::move(held_.front());
        held_.pop_front();
        return true;
      }
    }
    if (at_end_) return false;
    return source_.Next(chunk);
  };
  RETURN_IF_ERROR(RunThreads(threads, [&](int thread) -> Status {
    EdgeChunk chunk;
    while (!turns.failed()) {
      chunk.Clear();
      chunk.sequence = kNoSequence - 1;  // of a source's error that names none
      const StatusOr<bool> more = CancelRequested() ? CheckCancelled() : next(&chunk);
      if (more.ok() && !*more) break;
      Status done = more.ok() ? work.prepare(thread, chunk) : more.status();
      if (done.ok()) {
        if (!turns.Enter(chunk.sequence)) break;
        done = work.commit(thread, chunk);
        if (done.ok()) turns.Leave();
        if (work.finish) work.finish(thread);
        if (done.ok()) continue;
      }
      turns.Fail(chunk.sequence, done);
    }
    return OkStatus();
  }));
  return turns.error();
}

}  // namespace edgemill

#include "loaders/context/chunk_pump.h"

#include <algorithm>
#include <atomic>
#include <limits>

#include "common/cancel.h"
#include "common/check.h"
#include "common/thread_annotations.h"
#include "common/threads/parallel.h"
#include "common/threads/turn_queue.h"

namespace edgemill {
namespace {

constexpr uint64_t kNoSequence = std::numeric_limits<uint64_t>::max();

/// The error with the lowest sequence of a chunk.
class FirstError {
 public:
  void Set(uint64_t sequence, const Status& error) {
    MutexLock lock(mutex_);
    if (error_.ok() || sequence < sequence_) {
      error_ = error;
      sequence_ = sequence;
    }
  }
  bool is_set() const { return !error().ok(); }
  Status error() const {
    MutexLock lock(mutex_);
    return error_;
  }

 private:
  mutable Mutex mutex_;
  Status error_ GUARDED_BY(mutex_);
  uint64_t sequence_ GUARDED_BY(mutex_) = kNoSequence;
};

}  // namespace

StatusOr<bool> ChunkPump::Next(EdgeChunk* chunk) {
  RETURN_IF_ERROR(CheckCancelled());
  ASSIGN_OR_RETURN(const bool more, source_.Next(chunk));
  if (more) progress_.Advance(chunk->num_edges(), chunk->stored_bytes);
  return more;
}

Status ChunkPump::Hold(uint64_t edges, int threads) {
  CHECK_GT(threads, 0);
  FirstError failed;
  Mutex mutex;
  std::atomic<uint64_t> num_edges{0};
  RETURN_IF_ERROR(RunThreads(threads, [&](int) -> Status {
    while (num_edges.load(std::memory_order_relaxed) < edges && !failed.is_set()) {
      EdgeChunk chunk;
      const StatusOr<bool> more = Next(&chunk);
      if (!more.ok()) {
        failed.Set(chunk.sequence, more.status());
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
  RETURN_IF_ERROR(failed.error());
  std::sort(held_.begin(), held_.end(),
            [](const EdgeChunk& a, const EdgeChunk& b) { return a.sequence < b.sequence; });
  // No chunk between them is missing.
  CHECK(held_.empty() || held_.back().sequence - held_.front().sequence + 1 == held_.size());
  return OkStatus();
}

Status ChunkPump::Run(int threads, const ChunkWork& work) {
  CHECK(work.prepare && work.append_in_order);
  if (held_.empty() && !at_end_) RETURN_IF_ERROR(Hold(1, 1));
  if (held_.empty()) return OkStatus();
  TurnQueue turns(held_.front().sequence);
  FirstError failed;
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
    return Next(chunk);
  };
  RETURN_IF_ERROR(RunThreads(threads, [&](int thread) -> Status {
    EdgeChunk chunk;
    while (!failed.is_set()) {
      chunk.Clear();
      chunk.sequence = kNoSequence - 1;  // for an error of a source that sets no sequence
      const StatusOr<bool> more = CancelRequested() ? CheckCancelled() : next(&chunk);
      if (more.ok() && !*more) break;
      Status done = more.ok() ? work.prepare(thread, chunk) : more.status();
      if (done.ok()) {
        if (!turns.Await(chunk.sequence)) break;
        done = work.append_in_order(thread, chunk);
        if (done.ok()) turns.Pass();
        if (work.finish) work.finish(thread);
        if (done.ok()) continue;
      }
      failed.Set(chunk.sequence, done);
      turns.EndAt(chunk.sequence);
    }
    return OkStatus();
  }));
  return failed.error();
}

}  // namespace edgemill

// Plain reads (declared in bench/io/io_trial.h), with which measurements are compared.
#include <atomic>
#include <mutex>

#include "bench/io/io_trial.h"
#include "common/cancel.h"
#include "common/clock.h"
#include "common/thread_annotations.h"
#include "common/threads/parallel.h"

namespace edgemill::bench {
namespace {

/// What the threads share.
struct PlainReads {
  explicit PlainReads(size_t num_directories) : next(num_directories) {}
  std::vector<std::atomic<uint64_t>> next;  // by directory
  std::atomic<bool> stop{false};
  Stopwatch clock;
  Mutex mutex;
  uint64_t completed GUARDED_BY(mutex) = 0;
  double first_full GUARDED_BY(mutex) = 0;
  double last GUARDED_BY(mutex) = 0;
};

}  // namespace

StatusOr<double> RunPlainReads(std::span<ScratchDirectory* const> directories,
                               std::span<std::byte> memory, const IoTrialOptions& options) {
  PlainReads reads(directories.size());
  const uint64_t threads = kPlainReadDepth * directories.size();
  uint64_t start = options.seed * 37;  // not always the same place
  for (auto& next : reads.next) next = start++;
  // As in a trial, only the time of full queues counts: from completion number `threads` on.
  const auto read = [&](int thread) -> Status {
    const size_t directory = static_cast<size_t>(thread) % directories.size();
    const File& file = directories[directory]->read_file;
    const auto into =
        memory.subspan(static_cast<size_t>(thread) * kPlainReadBytes, kPlainReadBytes);
    while (!reads.stop.load(std::memory_order_relaxed)) {
      RETURN_IF_ERROR(CheckCancelled());
      const uint64_t offset =
          reads.next[directory].fetch_add(1) * kPlainReadBytes % options.file_bytes;
      ASSIGN_OR_RETURN(const size_t bytes, file.ReadAt(into, offset));
      RETURN_IF_ERROR(CheckStamps(into.first(bytes), offset, file.path(), false));
      MutexLock lock(reads.mutex);
      const double now = reads.clock.seconds();
      if (now >= options.seconds && reads.completed >= 2 * threads) {
        reads.stop = true;
        break;
      }
      reads.last = now;
      if (++reads.completed == threads) reads.first_full = now;
    }
    return OkStatus();
  };
  const Status status = RunThreads(static_cast<int>(threads), [&](int thread) {
    const Status status = read(thread);
    if (!status.ok()) reads.stop = true;
    return status;
  });
  RETURN_IF_ERROR(status);
  MutexLock lock(reads.mutex);
  return static_cast<double>((reads.completed - threads) * kPlainReadBytes) /
         std::max(reads.last - reads.first_full, 1e-9);
}

}  // namespace edgemill::bench

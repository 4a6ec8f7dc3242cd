// Running a function on several threads.
#pragma once

#include <cstddef>
#include <functional>
#include <thread>

#include "common/status.h"

namespace edgemill {

/// The default of --threads: the number of processors in the process's affinity mask, but no more
/// than the quotas of its control groups allow.
int AvailableThreads();

/// Starts a thread that runs `body`. BudgetError if the system starts no thread because of limits
/// on processes or memory.
StatusOr<std::thread> StartThread(std::function<void()> body);

/// Calls `body(thread)` for thread = 0 .. threads - 1 at the same time, each on a thread of its own
/// (0 on the caller's), and waits for all. Returns the error of the lowest-numbered thread that
/// failed. Returns StartThread's error, without a call of `body`, if too few threads start. Started
/// threads sleep until the next call: a call costs some 10 us a thread.
Status RunThreads(int threads, const std::function<Status(int thread)>& body);

/// The same for threads that take work from one place until none is left. Only threads that begin
/// before body(0) has returned take part. The call does not wait for threads that come too late,
/// for lack of a core.
Status ShareWork(int threads, const std::function<Status(int thread)>& body);

/// How many threads `work` needs: one for each `share` of it, at least 1, at most `threads`. Work
/// that takes less time than waking a thread is faster on the caller's thread alone.
int TeamFor(uint64_t work, uint64_t share, int threads);

/// How many threads the functions here have woken in this process so far, without the callers' own
/// threads. For tests.
uint64_t ThreadsWoken();

/// Splits [0, size) into chunks of `grain` (> 0), and calls `body(begin, end)` for each on
/// `threads` threads (ShareWork). Threads take chunks in order as they come free. Chunk borders are
/// the same for any number of threads. Ignores cancellation, for work that must be completed.
void ForEachChunk(size_t size, size_t grain, int threads,
                  const std::function<void(size_t begin, size_t end)>& body);

/// A grain, a multiple of 64, for loops that write arrays of 4 bytes an element for the first time.
/// It is 2^19 elements, a huge page, if each thread then gets several grains. If threads first
/// write to the same huge page at the same time, each clears a page, and only one of these is kept.
size_t FirstTouchGrain(size_t size, int threads);

/// As ForEachChunk, but stops at the first error, of the body or of a cancellation, and returns it.
Status ParallelFor(size_t size, size_t grain, int threads,
                   const std::function<Status(size_t begin, size_t end)>& body);

}  // namespace edgemill

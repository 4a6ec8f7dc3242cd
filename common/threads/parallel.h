// Running a function on several threads.
#pragma once

#include <cstddef>
#include <functional>
#include <thread>

#include "common/status.h"

namespace edgemill {

/// The default of --threads: as many as the process's affinity mask has processors, and no more
/// than its control groups' quotas of processor time keep busy.
int AvailableThreads();

/// A thread that runs `body`. BudgetError where the system starts none because of limits on
/// processes or memory.
StatusOr<std::thread> StartThread(std::function<void()> body);

/// Calls `body(thread)` for thread = 0 .. threads - 1 at the same time, each on a thread of its own
/// (0 on the caller's), and waits for all. Returns the error of the lowest-numbered thread that
/// failed, or StartThread's, and then `body` was not called. Threads once started sleep until the
/// next call: a call costs some 10 us a thread.
Status RunThreads(int threads, const std::function<Status(int thread)>& body);

/// The same for threads that take work from one place until none is left. Only threads that come
/// before body(0) has returned take part. Late ones, for lack of a core or of work, are not waited
/// for.
Status ShareWork(int threads, const std::function<Status(int thread)>& body);

/// How many threads `work` is worth: one for each `share` of it, at least 1, at most `threads`.
/// What takes less time than waking a thread does is faster on the caller's alone.
int TeamFor(uint64_t work, uint64_t share, int threads);

/// Threads that calls of this process have woken so far, for tests: those of RunThreads and what
/// uses it, the callers' own apart.
uint64_t ThreadsWoken();

/// Splits [0, size) into chunks of `grain` (> 0), and calls `body(begin, end)` for each on
/// `threads` threads (ShareWork). Threads take chunks in order as they come free. Chunk borders are
/// the same whatever the thread count. Runs to its end also after a cancellation: for what must not
/// stay half done.
void ForEachChunk(size_t size, size_t grain, int threads,
                  const std::function<void(size_t begin, size_t end)>& body);

/// A grain, a multiple of 64, for loops that write arrays of 4 bytes an element for the first time.
/// It is 2^19 elements, a huge page, where that leaves each thread some. Threads that first write
/// to one huge page at the same time all clear one, of which only one is kept.
size_t FirstTouchGrain(size_t size, int threads);

/// As ForEachChunk, but stops early and returns the first error met, a cancellation's or the
/// body's.
Status ParallelFor(size_t size, size_t grain, int threads,
                   const std::function<Status(size_t begin, size_t end)>& body);

}  // namespace edgemill

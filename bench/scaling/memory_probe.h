// Measures how fast the host's memory and cores are on different numbers of threads. Scaling is
// compared with these rates.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/os/memory_budget.h"
#include "common/progress.h"
#include "common/status.h"
#include "common/units.h"

namespace edgemill::bench {

struct MemoryProbeOptions {
  /// The largest number of threads. 1, 2, 4, ... threads are measured, and this number.
  int threads = 1;
  uint64_t trials = 5;
  /// Bytes copied, or first touched, in a trial: more than the caches hold.
  uint64_t copy_bytes = 1024 * kMebibyte;
  /// Bytes of the array of 4-byte values that gathers read. The bitmap has a bit for each value.
  uint64_t gather_bytes = 256 * kMebibyte;
  /// Random accesses of each thread in a trial. They take 50 to 150 ms, because the kernel needs
  /// some time to spread threads over cores.
  uint64_t accesses = 1 << 23;
};

/// The names of the kinds of work, as in MemorySeries.
inline constexpr std::string_view kArithmetic = "arithmetic";
inline constexpr std::string_view kCopy = "copy";
inline constexpr std::string_view kTouchHugePages = "first touch, huge pages";
inline constexpr std::string_view kTouchSmallPages = "first touch, small pages";
inline constexpr std::string_view kGather = "random gathers";
inline constexpr std::string_view kSetBits = "random atomic or";

/// All trials of one kind of work on one number of threads.
struct MemorySeries {
  std::string_view work;
  std::string_view unit;  // "GB/s", "G/s"
  int threads = 1;
  std::vector<double> rates;  // in `unit`, one for each trial
};

/// The thread counts that are measured up to `threads`: 1, 2, 4, ... and `threads` itself.
std::vector<int> ThreadCounts(int threads);

/// Measures each kind of work on each number of threads. Thread counts take turns. The first trial
/// of each is a warm-up, which does not count.
///
/// - arithmetic: 64-bit mixes of a counter, without memory, in G/s;
/// - copy: bytes copied by memcpy, each counted once, in GB/s (the memory moves twice as many);
/// - first touch: bytes of fresh anonymous memory, one write every 4 KiB, in GB/s;
/// - random gathers: independent 4-byte reads, prefetched as an edge pass does, in G/s;
/// - random atomic or: bits set at random in a bitmap that all threads share, in G/s.
///
/// Checks the results of the work. Returns InternalError when one is wrong, BudgetError with a
/// --memory that is enough, and UsageError for arrays of less than a mebibyte.
StatusOr<std::vector<MemorySeries>> ProbeMemory(const MemoryProbeOptions& options,
                                                MemoryBudget& budget, Progress& progress);

}  // namespace edgemill::bench

// One measurement of a disk at one point of the grid, and the plain reads that it is compared with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bench/io/completion_log.h"
#include "bench/io/io_point.h"
#include "bench/io/latency_histogram.h"
#include "bench/io/scratch_file.h"
#include "common/progress.h"
#include "common/status.h"
#include "storage/io/io_engine.h"

namespace edgemill::bench {

/// How to measure.
struct IoTrialOptions {
  IoEngineKind engine = IoEngineKind::kAuto;
  double seconds = 1;
  uint64_t file_bytes = 0;  // size of each test file; a multiple of kMaxIoSize
  uint64_t seed = 1;        // for the choice of random offsets
  /// Seconds without a completion after which a message says that a device does not answer.
  double silence_limit_seconds = CompletionLog::kSilenceSeconds;
};

/// What one trial found.
struct IoTrial {
  double bytes_per_second = 0;
  double operations_per_second = 0;
  double cpu_seconds_per_gb = 0;  // user and system time of this process
  uint64_t bytes = 0;
  double slowest_sync_seconds = 0;  // only of writes
  std::vector<double> directory_bytes_per_second;
  LatencyHistogram latency;  // of all directories
  struct Event {
    size_t directory = 0;
    Disturbance disturbance;
  };
  std::vector<Event> events;
};

/// Plain reads: the size of a request, and the number of threads for each directory.
constexpr uint64_t kPlainReadBytes = uint64_t{1} << 20;
constexpr uint64_t kPlainReadDepth = 32;

/// Bytes of memory that a trial at `point` needs.
uint64_t TrialMemoryBytes(const IoPoint& point, size_t num_directories);
constexpr uint64_t PlainMemoryBytes(size_t num_directories) {
  return kPlainReadBytes * kPlainReadDepth * num_directories;
}

/// Measures `point` on all `directories` at once. Uses one I/O engine from one thread, as runs and
/// ingests do. Keeps `depth` requests under way on each directory.
///
/// Writes append to a file. fdatasync follows each 64 MiB written to a directory, and the last
/// write. A file that has file_bytes is emptied, and writing goes on at its start. The rate of
/// writes includes the time of the syncs. The rate of reads counts only the time in which the
/// queues are full. This time starts once `depth` requests for each directory have completed. It
/// ends with the last completion within `seconds`.
///
/// Returns BadDataError when the data read, or a sample of the data written, is wrong. Returns
/// IoError when the device fails, and CancelledError on Ctrl-C.
StatusOr<IoTrial> RunIoTrial(const IoPoint& point, std::span<ScratchDirectory* const> directories,
                             std::span<std::byte> memory, const IoTrialOptions& options,
                             Progress& progress);

/// Measures plain reads, in bytes a second, without an I/O engine. 32 threads for each directory
/// only call pread(2), for one MiB after another.
StatusOr<double> RunPlainReads(std::span<ScratchDirectory* const> directories,
                               std::span<std::byte> memory, const IoTrialOptions& options);

}  // namespace edgemill::bench

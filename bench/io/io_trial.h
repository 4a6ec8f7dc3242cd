// One measurement of a disk at one point of the grid, and the plain reads it is held against.
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
  uint64_t file_bytes = 0;  // of each read file; a multiple of kMaxIoSize
  uint64_t seed = 1;        // of random places
  /// Silence after which a message says that a device does not answer.
  double patience_seconds = CompletionLog::kSilenceSeconds;
};

/// What one trial found.
struct IoTrial {
  double bytes_per_second = 0;
  double operations_per_second = 0;
  double cpu_seconds_per_gb = 0;  // of this process, kernel work for it included
  uint64_t bytes = 0;
  double slowest_sync_seconds = 0;  // writes
  std::vector<double> directory_bytes_per_second;
  LatencyHistogram latency;  // of all directories
  struct Event {
    size_t directory = 0;
    Unsteadiness what;
  };
  std::vector<Event> events;
};

/// Plain reads: requests of this size, so many threads a directory.
constexpr uint64_t kPlainReadBytes = uint64_t{1} << 20;
constexpr uint64_t kPlainReadDepth = 32;

/// Bytes of memory a trial at `point` needs.
uint64_t TrialMemoryBytes(const IoPoint& point, size_t num_directories);
constexpr uint64_t PlainMemoryBytes(size_t num_directories) {
  return kPlainReadBytes * kPlainReadDepth * num_directories;
}

/// Measures `point` on all `directories` at once through an I/O engine, as runs and ingests use it:
/// one thread, one engine, `depth` requests under way on each directory. Writes append, are synced
/// (fdatasync) whenever 64 MiB a directory are written and at the end, and start over with an empty
/// file at file_bytes. The rate of reads is that of a full queue: from the depth-th completion to
/// the last before the time is over. That of writes includes the syncs. What was read, and a sample
/// of what was written, is checked: BadDataError. IoError when the device fails; CancelledError on
/// Ctrl-C.
StatusOr<IoTrial> RunIoTrial(const IoPoint& point, std::span<ScratchDirectory* const> directories,
                             std::span<std::byte> memory, const IoTrialOptions& options,
                             Progress& progress);

/// Bytes a second that threads get which do nothing but pread(2) 1 MiB after the other, 32 a
/// directory, through no engine.
StatusOr<double> RunPlainReads(std::span<ScratchDirectory* const> directories,
                               std::span<std::byte> memory, const IoTrialOptions& options);

}  // namespace edgemill::bench

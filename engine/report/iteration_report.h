// What an iteration did and cost: for reports, and for the planner.
#pragma once

#include <cstdint>
#include <vector>

#include "common/thread_times.h"
#include "engine/device/transfer.h"
#include "engine/program/mode.h"

namespace edgemill {

/// One iteration. Times are summed over threads but for `seconds`.
struct IterationReport {
  Mode mode = Mode::kPull;
  uint64_t active_vertices = 0;    // that send
  EdgeIndex active_edges = 0;      // their out-edges; 0 where the out-index is not loaded
  EdgeIndex edges = 0;             // visited: of a pull, all of the blocks that it looks through
  uint64_t blocks = 0;             // visited
  uint64_t cpu_blocks = 0;         // of them, by the CPU
  uint64_t repeated_vertices = 0;  // that sent in the iteration in which they became active
  uint64_t blocks_repeated = 0;    // passes over blocks beyond the first, for these
  uint64_t blocks_read = 0;        // from disk
  uint64_t cache_hits = 0;         // blocks
  uint64_t bytes_read = 0;
  uint64_t iterations = 1;  // that this stands for: those of few vertices are one launch on a GPU
  bool on_gpu = false;
  TransferAccounts transfers;    // to a GPU
  uint64_t exchanged_bytes = 0;  // between copies of the state of two processors that shared it
  double seconds = 0;
  double wait_seconds = 0;        // for the disk
  double check_seconds = 0;       // checksums
  double decompress_seconds = 0;  // Zstandard
  double compute_seconds = 0;     // decoding groups and running the algorithm
  PhaseTimes times;               // where the threads' time went
};

}  // namespace edgemill

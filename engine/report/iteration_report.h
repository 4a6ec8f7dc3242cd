// The work and the costs of an iteration, for reports and for the dispatcher.
#pragma once

#include <cstdint>
#include <vector>

#include "common/thread_times.h"
#include "engine/device/transfer.h"
#include "engine/program/mode.h"

namespace edgemill {

/// A step of GPU kernels, inside of launches that do several iterations.
struct StepReport {
  const char* name = "";
  uint64_t times = 0;
  double seconds = 0;
};

/// One iteration. All times except `seconds` are summed over threads.
struct IterationReport {
  Mode mode = Mode::kPull;
  uint64_t active_vertices = 0;    // vertices that send
  EdgeIndex active_edges = 0;      // their out-edges; 0 where the out-index is not loaded
  EdgeIndex edges = 0;             // visited: in a pull, all edges of the blocks that it reads
  uint64_t blocks = 0;             // visited
  uint64_t cpu_blocks = 0;         // visited by the CPU
  uint64_t repeated_vertices = 0;  // that sent in the iteration in which they became active
  uint64_t blocks_repeated = 0;    // passes over blocks beyond the first, for these vertices
  uint64_t blocks_read = 0;        // from disk
  uint64_t cache_hits = 0;         // blocks found in the block cache
  uint64_t bytes_read = 0;         // from disk
  uint64_t iterations = 1;         // in this report: several small ones may have one report
  bool on_gpu = false;
  TransferAccounts transfers;    // to a GPU
  uint64_t exchanged_bytes = 0;  // between the copies of the state, in a shared iteration
  double seconds = 0;
  double wait_seconds = 0;        // waiting for the disk
  double idle_seconds = 0;        // no read was under way, from the last pass's to this one's
  double check_seconds = 0;       // checksums
  double decompress_seconds = 0;  // Zstandard
  double compute_seconds = 0;     // decoding groups and running the algorithm
  PhaseTimes times;               // where the threads' time went
};

}  // namespace edgemill

// What the user of a run says about checkpoints, and learns of them.
#pragma once

#include <cstdint>
#include <string>

namespace edgemill {

/// When a run writes checkpoints, and where.
struct CheckpointOptions {
  uint64_t every_passes = 0;  // 0: not by their number
  double every_seconds = 0;   // 0: not by time
  std::string directory;      // empty: inside the graph directory
  bool resume = false;        // go on from the newest one
  /// For tests: after so many passes the run halts, as after a request (RequestHalt). 0: it ends.
  uint64_t halts_after = 0;

  /// Whether the run keeps a journal.
  bool wanted() const {
    return every_passes > 0 || every_seconds > 0 || !directory.empty() || resume || halts_after > 0;
  }
};

/// What checkpoints have cost.
struct CheckpointReport {
  uint64_t written = 0;
  uint64_t bytes = 0;
  double seconds = 0;           // during which the run waited
  double restore_seconds = 0;   // reading the checkpoint, after the answers
  uint64_t resumed_passes = 0;  // that the run had done before
};

}  // namespace edgemill

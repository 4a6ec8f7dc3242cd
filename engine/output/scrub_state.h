// The progress of a scrub and the faults that it has found, kept in a file so that the scrub can
// continue after an interruption.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/os/uuid.h"
#include "common/status.h"

namespace edgemill {

/// A scrub's progress. Columns are done in the order of their kinds.
struct ScrubState {
  Uuid graph;
  int column = 0;           // the column under way
  uint64_t next_block = 0;  // in that column
  uint64_t last = 0;        // last value of the block before, if that block was good
  bool last_known = false;
  uint64_t forward_hash = 0;  // of the column so far; see BlockFacts
  uint64_t backward_hash = 0;
  uint64_t self_loops = 0;
  uint64_t duplicates = 0;
  bool column_bad = false;        // something in this column is wrong: its sums mean nothing
  uint64_t out_forward_hash = 0;  // of the out-neighbours, once they are done and good
  bool out_good = false;
  uint64_t blocks_checked = 0;
  uint64_t bytes_checked = 0;
  uint64_t blocks_bad = 0;
  std::vector<std::string> faults;  // the first kMaxFaults of them
  std::vector<FaultPlace> places;   // of each
  int first_fault_code = 0;

  static constexpr size_t kMaxFaults = 10000;

  void AddFault(const Status& fault);
};

/// Reads the state at `path`, which carries a checksum: a scrub that trusted a damaged state would
/// skip blocks. MissingError when there is none. BadDataError when the state belongs to another
/// graph or version, or is damaged.
StatusOr<ScrubState> ReadScrubState(const std::string& path, const Uuid& graph);
/// Writes the state, completely or not at all.
Status WriteScrubState(const std::string& path, const ScrubState& state);

}  // namespace edgemill

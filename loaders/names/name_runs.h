// The names of an input, gathered and sorted by an external merge sort (Knuth, The Art of Computer
// Programming 3, 5.4).
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "common/buffer.h"
#include "common/check.h"
#include "common/os/memory_budget.h"
#include "common/status.h"
#include "loaders/names/name_run.h"
#include "loaders/source/edge_source.h"
#include "loaders/spill/spill_space.h"

namespace edgemill {

/// Gathers names in memory. Full memory is sorted and written as a run. Not thread-safe.
class NameRuns {
 public:
  /// The least memory to gather names in. It holds several of the longest names.
  static constexpr uint64_t kMinBytes = uint64_t{1} << 20;

  /// Reserves `bytes`, at least kMinBytes. Later sorts use `threads` threads.
  static StatusOr<NameRuns> Create(uint64_t bytes, int threads, MemoryBudget& budget);

  /// Adds names, in any order and also repeatedly. Writes a run to `space` when memory is full.
  Status Add(const NameList& names, SpillSpace& space);
  /// Writes what is in memory as a run.
  Status WriteRun(SpillSpace& space);
  /// Merges all names into one run in `space`, within the memory that `budget` has left. Gives back
  /// the memory that gathered names. Keeps the runs, for an ingest that resumes before this step.
  StatusOr<NameRun> Merge(SpillSpace& space, MemoryBudget& budget);

  /// The runs, for the journal.
  const std::vector<std::unique_ptr<SpillStream>>& runs() const { return runs_; }
  void AddRun(std::unique_ptr<SpillStream> run) {
    CHECK(run != nullptr);
    runs_.push_back(std::move(run));
  }
  /// Forgets all names, once they are in the graph or in another run.
  void Clear();

 private:
  /// A name in memory. The first 8 bytes decide most comparisons.
  struct Entry {
    uint64_t prefix;
    uint32_t offset;
    uint32_t length;
  };

  bool HasRoom(size_t bytes) const {
    return bytes_used_ + bytes + (num_entries_ + 1) * sizeof(Entry) <= memory_.size();
  }
  void AddName(std::string_view name);
  std::string_view TextOf(const Entry& entry) const {
    return {reinterpret_cast<const char*>(memory_.data()) + entry.offset, entry.length};
  }
  std::span<Entry> entries();
  void Sort();
  template <typename Visit>
  Status MergeAll(std::span<const std::unique_ptr<SpillStream>> runs, bool memory_too, Visit visit);

  int threads_ = 1;
  MemoryReservation reservation_;
  Buffer memory_;  // bytes of names from the front, entries from the back
  size_t bytes_used_ = 0;
  size_t num_entries_ = 0;
  std::vector<std::unique_ptr<SpillStream>> runs_;
};

}  // namespace edgemill

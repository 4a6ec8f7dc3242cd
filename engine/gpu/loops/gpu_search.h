// Searches: many pulls of an operator in one launch, as the host sees it.
#pragma once

#include <cstdint>

#include "engine/gpu/workspace/gpu_workspace.h"
#include "engine/program/backend.h"

namespace edgemill {

/// What a launch did.
struct SearchResult {
  uint64_t passes = 0;
  uint64_t emitted = 0;  // vertices, but for those that it started with
  uint64_t active = 0;   // that are in the next set
  bool gave_up = false;  // a pass, whose lists would take longer across the link than all blocks
};

class GpuSearch {
 public:
  explicit GpuSearch(GpuWorkspace& workspace) : workspace_(workspace) {}

  /// Whether pulls from lists of `lists` may be a launch, as far as is known before the first.
  bool MayRun(Direction lists) const;
  /// After MayRun. The first samples neighbours. Gives up where kernels do not reach all lists.
  /// From the current set, to the next one; waits. `knows_closed`: whose Cond is false is closed;
  /// in any case they are afterwards, as far as lists lead to them.
  StatusOr<SearchResult> Run(const ProgramLaunch& program, bool knows_closed, uint64_t max_passes);

 private:
  /// How many lists a pass may look through.
  uint32_t MostLists(Direction lists);

  GpuWorkspace& workspace_;
};

}  // namespace edgemill

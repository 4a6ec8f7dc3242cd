// Searches: many pulls of an operator in one launch, as the host sees it.
#pragma once

#include <cstdint>

#include "engine/gpu/workspace/gpu_workspace.h"
#include "engine/program/backend.h"

namespace edgemill {

/// The result of a launch.
struct SearchResult {
  uint64_t passes = 0;
  uint64_t emitted = 0;  // vertices, without those that it started with
  uint64_t active = 0;   // vertices in the next set
  bool gave_up = false;  // kernels cannot read all lists, or not fast enough
};

class GpuSearch {
 public:
  explicit GpuSearch(GpuWorkspace& workspace) : workspace_(workspace) {}

  /// Whether pulls through the lists of `lists` may be one launch. Run may still give up.
  bool MayRun(Direction lists) const;
  /// Call this after MayRun returned true. The first call samples neighbours. Gives up if kernels
  /// cannot read all lists. Starts from the current set, writes the next one, and waits for the
  /// GPU. `knows_closed`: exactly the vertices whose Cond is false have closed bits. Afterwards
  /// closed bits are right for all vertices with edges.
  StatusOr<SearchResult> Run(const ProgramLaunch& program, bool knows_closed, uint64_t max_passes);

 private:
  /// The most lists that a pass may look through.
  uint32_t MostLists(Direction lists);

  GpuWorkspace& workspace_;
};

}  // namespace edgemill

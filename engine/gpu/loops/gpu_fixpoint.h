// Many passes of an operator in one launch, as the host sees it.
#pragma once

#include <cstdint>

#include "engine/gpu/program/fixpoint_launch.h"
#include "engine/gpu/workspace/gpu_workspace.h"
#include "engine/program/backend.h"

namespace edgemill {

/// What a launch starts from, and what it left.
struct FixpointResult {
  FixpointProgress at;
  bool reopened = false;  // a vertex took a first message, and would take another
};

class GpuFixpoint {
 public:
  explicit GpuFixpoint(GpuWorkspace& workspace) : workspace_(workspace) {}

  /// Whether passes from so many vertices and edges had better be one launch: they are few, and
  /// kernels reach all lists of `lists`, or may, in the time that such launches would have saved so
  /// far.
  bool MayRun(Direction lists, const ActiveCounts& active);
  /// After MayRun. From the current set, with the next one clear; waits.
  StatusOr<FixpointResult> Run(const ProgramLaunch& program, uint64_t max_passes,
                               const BucketBound& bucket);

 private:
  GpuWorkspace& workspace_;
  bool zero_copies_ = false;  // the launch reads blocks across the link
  uint32_t max_chunks_ = 0;
  double lost_seconds_ = 0;  // that launches would have saved
};

}  // namespace edgemill

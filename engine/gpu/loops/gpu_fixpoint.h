// Many passes of an operator in one launch, as the host sees it.
#pragma once

#include <cstdint>

#include "engine/gpu/program/fixpoint_launch.h"
#include "engine/gpu/workspace/gpu_workspace.h"
#include "engine/program/backend.h"

namespace edgemill {

/// The result of a launch.
struct FixpointResult {
  FixpointProgress at;
  bool reopened = false;  // a vertex took a message, and its Cond is still true
};

class GpuFixpoint {
 public:
  explicit GpuFixpoint(GpuWorkspace& workspace) : workspace_(workspace) {}

  /// Whether to do the passes from the `active` vertices in one launch. There must be few of them.
  /// Their lists must be on the GPU, or be reached by zero-copy, or cost no more to bring than the
  /// time lost so far.
  bool MayRun(Direction lists, const ActiveCounts& active);
  /// Call this after MayRun returned true. Starts from the current set, clears the next one, and
  /// waits for the GPU.
  StatusOr<FixpointResult> Run(const ProgramLaunch& program, uint64_t max_passes,
                               const BucketBound& bucket);

 private:
  GpuWorkspace& workspace_;
  bool zero_copies_ = false;  // the launch reads blocks across the link
  uint32_t max_chunks_ = 0;
  double lost_seconds_ = 0;  // that one launch for many passes would have saved
};

}  // namespace edgemill

// The sets of a Bucketed on a GPU: the active vertices, and those that wait for a later bucket.
#pragma once

#include "common/status.h"
#include "engine/gpu/gpu_sets.h"
#include "engine/gpu/program/program_launchers.h"
#include "engine/gpu/workspace/gpu_workspace.h"

namespace edgemill {

/// The steps between passes. A program is given as bytes, with views on the GPU. None of them
/// counts the active vertices.
class GpuBuckets {
 public:
  /// All must outlive it.
  GpuBuckets(GpuWorkspace& workspace, GpuSets& sets, const EdgeProgramLaunchers& kernels)
      : workspace_(workspace), sets_(sets), kernels_(kernels) {}

  /// Makes the waiting set empty.
  Status Clear();
  /// Leaves those of the current set that are below `bound`; the others wait.
  Status Split(const void* program, double bound);
  /// The least priority that waits and is at least `bound`; kNoBound where there is none.
  StatusOr<double> Least(const void* program, double bound);
  /// Makes the waiting vertices below `bound` the current set. Those below `before` were taken
  /// earlier.
  Status ActivateWaiting(const void* program, double before, double bound);

 private:
  PassArrays& arrays() { return workspace_.arrays(); }
  uint64_t num_vertices() const { return workspace_.graph().num_vertices(); }
  LaunchOn on() { return {workspace_.Grids(), workspace_.main().handle()}; }

  GpuWorkspace& workspace_;
  GpuSets& sets_;
  const EdgeProgramLaunchers& kernels_;
};

}  // namespace edgemill

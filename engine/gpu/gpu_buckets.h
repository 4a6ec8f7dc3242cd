// The sets of a Bucketed on a GPU: the active vertices, and those that wait for a later bucket.
#pragma once

#include "common/status.h"
#include "engine/gpu/gpu_sets.h"
#include "engine/gpu/program/program_launchers.h"
#include "engine/gpu/workspace/gpu_workspace.h"

namespace edgemill {

/// The steps between passes. `program` points to the program's bytes, with views of memory on the
/// GPU. No step counts the active vertices.
class GpuBuckets {
 public:
  /// All arguments must outlive it.
  GpuBuckets(GpuWorkspace& workspace, GpuSets& sets, const EdgeProgramLaunchers& kernels)
      : workspace_(workspace), sets_(sets), kernels_(kernels) {}

  /// Makes the waiting set empty.
  Status Clear();
  /// Keeps the members of the current set with priorities below `bound`. The other members wait.
  Status Split(const void* program, double bound);
  /// Returns the least priority of a waiting vertex that is at least `bound`, or kNoBound.
  StatusOr<double> Least(const void* program, double bound);
  /// Makes the waiting vertices with priorities below `bound` the current set. Drops vertices below
  /// `before`, which were active earlier.
  Status ActivateWaiting(const void* program, double before, double bound);
  /// Drops waiting vertices with priorities below `before`. Overwrites the next set, which is
  /// unused between passes.
  Status DropWaiting(const void* program, double before);

 private:
  /// Moves waiting vertices with priorities from `before` to `bound` to `due`, which is empty.
  Status Activate(const void* program, double before, double bound, uint32_t* due);
  PassArrays& arrays() { return workspace_.arrays(); }
  uint64_t num_vertices() const { return workspace_.graph().num_vertices(); }
  LaunchOn on() { return {workspace_.Grids(), workspace_.main().handle()}; }

  GpuWorkspace& workspace_;
  GpuSets& sets_;
  const EdgeProgramLaunchers& kernels_;
};

}  // namespace edgemill

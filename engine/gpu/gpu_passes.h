// The passes of one edge operator on a GPU.
#pragma once

#include <memory>

#include "engine/gpu/gpu_buckets.h"
#include "engine/gpu/gpu_pass.h"
#include "engine/gpu/gpu_sets.h"
#include "engine/gpu/loops/gpu_fixpoint.h"
#include "engine/gpu/loops/gpu_search.h"
#include "engine/gpu/pass_tallies.h"
#include "engine/gpu/workspace/gpu_workspace.h"
#include "engine/plan/direction_policy.h"
#include "engine/program/backend.h"

namespace edgemill {

/// A program, and the kernels that are compiled for it. Both outlive its passes.
struct CompiledProgram {
  const ProgramRef& ref;
  const EdgeProgramLaunchers& kernels;
};

class ProgramPasses final : public OperatorPasses {
 public:
  /// All arguments must outlive it. Returns UsageError where the graph lacks the lists for `mode`.
  static StatusOr<std::unique_ptr<ProgramPasses>> Create(GpuWorkspace& workspace, GpuSets& sets,
                                                         const CompiledProgram& program,
                                                         const OtherMemory& memory, Mode mode);

  Status Begin(const VertexSet& from) override;
  ActiveCounts active() const override { return active_; }
  ActiveCounts emitted() const override { return emitted_; }
  Status Pass(bool asynchronous, double bound) override;
  Status Advance() override;
  Status AdvanceBelow(double bound) override;
  Status Split(double bound) override;
  StatusOr<double> LeastWaiting(double bound) override;
  Status ActivateWaiting(double before, double bound) override;
  Status ActivateAll(double bound) override;
  StatusOr<uint64_t> SmallPassesInOneLaunch(uint64_t max_passes, BucketBound* bucket) override;
  StatusOr<VertexSet> End() override { return sets_.Download(active_.vertices); }

  // For passes that another processor shares. `program` points to a copy with views of memory on
  // the GPU.
  GpuPass& pass() { return pass_; }
  /// Adds to the program's tallies what passes have added on the GPU since the last call.
  Status ReadTallies();
  Mode NextMode() const {
    return policy_.Choose({active_.vertices, active_.edges, emitted_.edges});
  }
  /// Whether this program's pulls may be done by GpuSearch.
  bool MaySearch() const;
  /// Whether they may, and no search has given up.
  bool Searches() const { return !search_.gave_up() && MaySearch(); }
  /// How often a push passes over each batch; 0 unless the pass is an asynchronous push.
  uint32_t RepeatsOf(Mode mode, bool asynchronous) const;
  /// Clears the sets and counters that a pass writes, and lets the program consume. Returns the
  /// vertices that emit; null: all.
  StatusOr<const uint32_t*> BeginPass(const void* program, Mode mode, uint32_t repeats);

 private:
  ProgramPasses(GpuWorkspace& workspace, GpuSets& sets, const CompiledProgram& program,
                const OtherMemory& memory, const DirectionPolicy& policy);

  /// The program, and its copy with views on the GPU.
  struct Program {
    const ProgramRef ref;
    const OtherMemory memory;
    DeviceCopy copy;
  };

  /// Returns the program's copy on the GPU. `writes`: whether the kernels write its arrays.
  StatusOr<const void*> OnGpu(bool writes) {
    const ProgramRef& ref = program_.ref;
    return program_.copy.Make(ref.calls->fields, ref.program, program_.memory, writes);
  }
  PassArrays& arrays() { return workspace_.arrays(); }
  /// Counts the active vertices and their edges, and ends the pass under way, if there is one.
  Status CountActive();
  Status EndPass(const PassCounters& found);
  /// Called before many passes in one launch: makes the sets free to be written.
  Status BeginLaunch(Mode mode);
  /// Called after a launch that did `passes` passes.
  Status EndLaunch(uint64_t passes);
  /// Whether such a search may begin with pushes from the active vertices.
  bool MaySearchFromStart(const void* program) const;
  /// Does several passes in one launch, and returns how many. The first ones may be pushes along
  /// `push_lists`; none: it only pulls.
  StatusOr<uint64_t> Search(uint64_t max_passes, std::optional<Direction> push_lists);
  /// Makes the vertices that became active the current set.
  void Swap();

  GpuWorkspace& workspace_;
  GpuSets& sets_;
  Program program_;
  GpuPass pass_;
  DirectionPolicy policy_;
  bool in_pass_ = false;  // a pass has begun and is not reported yet
  ActiveCounts active_;
  ActiveCounts emitted_;
  PassTallies tallies_;
  GpuBuckets buckets_;
  GpuFixpoint fixpoint_;
  GpuSearch search_;
};

}  // namespace edgemill

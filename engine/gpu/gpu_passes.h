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
  /// All must outlive it. UsageError where the graph lacks the lists for the given mode.
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
  StatusOr<uint64_t> PassesAlone(uint64_t max_passes, BucketBound* bucket) override;
  StatusOr<VertexSet> End() override { return sets_.Download(active_.vertices); }

  // For passes that another processor shares; `program` is a copy with views on the GPU.
  GpuPass& pass() { return pass_; }
  /// Adds what passes have added to tallies since the last call to those of the program.
  Status ReadTallies();
  Mode NextMode() const {
    return policy_.Choose({active_.vertices, active_.edges, emitted_.edges});
  }
  /// How often a push in such a pass goes over each batch.
  uint32_t RepeatsOf(Mode mode, bool asynchronous) const;
  /// Clears what a pass writes, and makes the program consume. Returns the vertices that emit;
  /// null: all.
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

  /// `writes`: as OnDevice.
  StatusOr<const void*> OnGpu(bool writes) {
    const ProgramRef& ref = program_.ref;
    return program_.copy.Make(ref.calls->fields, ref.program, program_.memory, writes);
  }
  PassArrays& arrays() { return workspace_.arrays(); }
  /// Counts the current set, ends the pass under way, and notes what passes have found.
  Status CountActive();
  Status EndPass(const PassCounters& found);
  /// Before passes in one launch: they write the sets.
  Status BeginLaunch(Mode mode);
  /// After `passes` of them.
  Status EndLaunch(uint64_t passes);
  /// Whether pulls may be searches.
  bool MaySearch() const;
  /// Pulls in one launch, as many as it took.
  StatusOr<uint64_t> Search(uint64_t max_passes);
  /// The vertices that became active emit next.
  void Swap();

  GpuWorkspace& workspace_;
  GpuSets& sets_;
  Program program_;
  GpuPass pass_;
  DirectionPolicy policy_;
  bool in_pass_ = false;  // its account is not given yet
  ActiveCounts active_;
  ActiveCounts emitted_;
  PassTallies tallies_;
  GpuBuckets buckets_;
  GpuFixpoint fixpoint_;
  GpuSearch search_;
};

}  // namespace edgemill

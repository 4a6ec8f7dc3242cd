// The passes of one edge operator on a card.
#pragma once

#include <memory>
#include <vector>

#include "engine/gpu/gpu_fixpoint.h"
#include "engine/gpu/gpu_operators.h"
#include "engine/gpu/gpu_sets.h"
#include "engine/gpu/gpu_workspace.h"
#include "engine/plan/direction_policy.h"

namespace edgemill {

class ProgramPasses final : public GpuPasses {
 public:
  /// UsageError where the graph has not the lists for the mode that was asked for.
  static StatusOr<std::unique_ptr<GpuPasses>> Create(GpuWorkspace& workspace, GpuSets& sets,
                                                     const CardProgram& program, Mode mode);

  Status Begin(const VertexSet& from) override;
  ActiveCounts active() const override { return active_; }
  ActiveCounts emitted() const override { return emitted_; }
  Status Pass(const void* program, bool asynchronous, double bound) override;
  Status Advance() override;
  Status AdvanceBelow(const void* program, double bound) override;
  Status Split(const void* program, double bound) override;
  StatusOr<double> LeastWaiting(const void* program, double bound) override;
  Status TakeWaiting(const void* program, double before, double bound) override;
  StatusOr<uint64_t> PassesAlone(const void* program, uint64_t most_passes,
                                 BucketBound* bucket) override;
  StatusOr<VertexSet> End() override { return sets_.Download(active_.vertices); }
  StatusOr<std::span<const std::byte>> TakeTallies() override;

 private:
  ProgramPasses(GpuWorkspace& workspace, GpuSets& sets, const CardProgram& program,
                const DirectionPolicy& policy);

  PassArrays& arrays() { return workspace_.arrays(); }
  CUstream_st* stream() { return workspace_.main().handle(); }
  PassLaunch LaunchOf(Direction lists);
  Status Push(const void* program, uint32_t repeats, double bound);
  Status Pull(const void* program, bool notified);
  Status PullFrom(const void* program, PassLaunch pass, Direction lists);
  /// Has the closed bits be those of Cond, or clear.
  Status Close(const void* program);
  Status ClearTallies();
  /// Counts the current set, ends the pass under way, and notes what passes have found.
  Status CountActive();
  Status EndPass(const PassCounters& found);
  /// Whoever became active emits next.
  void Swap();
  Status After(std::string_view kernel) { return workspace_.gpu().AfterLaunch(kernel); }

  GpuWorkspace& workspace_;
  GpuSets& sets_;
  const CardProgram program_;
  const DirectionPolicy policy_;
  const std::vector<Direction> push_lists_;
  const std::vector<Direction> pull_lists_;
  bool all_active_ = false;  // every vertex emits
  bool knows_closed_ = false;
  bool in_pass_ = false;  // its account is not given yet
  ActiveCounts active_;
  ActiveCounts emitted_;
  std::vector<std::byte> tallies_;
  GpuFixpoint fixpoint_;
};

}  // namespace edgemill

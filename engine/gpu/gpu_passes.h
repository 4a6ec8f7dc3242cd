// The passes of one edge operator on a card.
#pragma once

#include <memory>

#include "engine/gpu/card_buckets.h"
#include "engine/gpu/card_pass.h"
#include "engine/gpu/card_sharing.h"
#include "engine/gpu/gpu_operators.h"
#include "engine/gpu/gpu_sets.h"
#include "engine/gpu/loops/gpu_fixpoint.h"
#include "engine/gpu/loops/gpu_search.h"
#include "engine/gpu/pass_tallies.h"
#include "engine/gpu/workspace/gpu_workspace.h"
#include "engine/plan/direction_policy.h"

namespace edgemill {

class ProgramPasses final : public GpuPasses {
 public:
  /// `messages`: from another processor; null where none shares passes. UsageError where the graph
  /// has not the lists for the mode that was asked for.
  static StatusOr<std::unique_ptr<GpuPasses>> Create(GpuWorkspace& workspace, GpuSets& sets,
                                                     const CardProgram& program, Mode mode,
                                                     CardMessages* messages);

  Status Begin(const VertexSet& from) override;
  ActiveCounts active() const override { return active_; }
  ActiveCounts emitted() const override { return emitted_; }
  Status Pass(const void* program, bool asynchronous, double bound) override;
  GpuSharing& sharing() override;
  Status Advance() override;
  Status AdvanceBelow(const void* program, double bound) override;
  Status Split(const void* program, double bound) override;
  StatusOr<double> LeastWaiting(const void* program, double bound) override {
    return buckets_.Least(program, bound);
  }
  Status TakeWaiting(const void* program, double before, double bound) override;
  StatusOr<uint64_t> PassesAlone(const void* program, uint64_t most_passes,
                                 BucketBound* bucket) override;
  StatusOr<VertexSet> End() override { return sets_.Download(active_.vertices); }
  StatusOr<std::span<const std::byte>> TakeTallies() override { return tallies_.Take(); }

  // For passes that another processor shares:
  Mode NextMode() const {
    return policy_.Choose({active_.vertices, active_.edges, emitted_.edges});
  }
  /// How often a push in such a pass goes over each batch.
  uint32_t RepeatsOf(Mode mode, bool asynchronous) const;
  /// Clears what a pass writes, and has the program consume. Returns who emits; null: all.
  StatusOr<const uint32_t*> BeginPass(const void* program, Mode mode, uint32_t repeats);

 private:
  ProgramPasses(GpuWorkspace& workspace, GpuSets& sets, const CardProgram& program,
                const DirectionPolicy& policy, CardMessages* messages);

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
  StatusOr<uint64_t> Search(const void* program, uint64_t most_passes);
  /// Whoever became active emits next.
  void Swap();

  GpuWorkspace& workspace_;
  GpuSets& sets_;
  CardPass pass_;
  DirectionPolicy policy_;
  bool in_pass_ = false;  // its account is not given yet
  ActiveCounts active_;
  ActiveCounts emitted_;
  PassTallies tallies_;
  CardBuckets buckets_;
  GpuFixpoint fixpoint_;
  GpuSearch search_;
  std::unique_ptr<CardSharing> sharing_;  // where another processor may share passes
};

}  // namespace edgemill

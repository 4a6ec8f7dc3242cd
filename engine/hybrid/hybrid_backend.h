// Operators of several teams, each with a copy of the State's arrays, that share the passes of edge
// programs (Garaph, ATC 2017, section 5).
//
// The main team, a GPU, keeps the sets. The dispatcher decides pass by pass: the main team
// works alone, and its copy is ahead then; or the host teams work too, and each team takes a range
// of the blocks. Then each vertex has an owner, and only the owner's values count:
//   in push, and in pulls from both directions' lists, the main team owns all vertices. Host teams
//     send (vertex, combined message), or, where they may try Relax on their own copy, what changes
//     that; values of touched vertices come back.
//   in pull, the team that takes a block owns the vertices whose lists start there. A list may go
//     on in later teams' blocks: their parts of the sum go to its owner. Values of touched
//     vertices are exchanged, by the host's copy.
// Programs declare nothing for it: engine/program/sharing.h. Integers come out the same as on one
// processor, sums of reals within rounding.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "common/check.h"
#include "common/clock.h"
#include "engine/hybrid/host_team.h"
#include "engine/hybrid/hybrid_run.h"
#include "engine/hybrid/shared_pass.h"
#include "engine/hybrid/team_memories.h"
#include "engine/program/main_team.h"
#include "engine/report/recorder.h"

namespace edgemill {

/// The passes of one operator whose program may be shared.
class HybridPasses final : public OperatorPasses {
 public:
  /// `recorder`: where the main team reports its passes. All but `main_team` must outlive it.
  HybridPasses(std::unique_ptr<MainTeam> main_team, HybridRun& run, Recorder& recorder,
               const ProgramRef& program);

  Status Begin(const VertexSet& from) override { return main_team_->alone().Begin(from); }
  ActiveCounts active() const override { return main_team_->alone().active(); }
  ActiveCounts emitted() const override { return main_team_->alone().emitted(); }
  Status Pass(bool asynchronous, double bound) override;
  Status Advance() override;
  Status AdvanceBelow(double bound) override;
  Status Split(double bound) override { return main_team_->alone().Split(bound); }
  StatusOr<double> LeastWaiting(double bound) override {
    return main_team_->alone().LeastWaiting(bound);
  }
  Status ActivateWaiting(double before, double bound) override {
    return main_team_->alone().ActivateWaiting(before, bound);
  }
  StatusOr<uint64_t> PassesAlone(uint64_t max_passes, BucketBound* bucket) override;
  StatusOr<VertexSet> End() override;

 private:
  struct Seconds {
    double main_team = 0;
    double host_teams = 0;  // the longest that one took
  };

  struct TimedPass {
    Mode mode = Mode::kPull;
    double fraction = 1;       // of the edges
    double main_fraction = 1;  // the main team's share
    Seconds seconds;           // of a pass that was shared
    Stopwatch watch;           // since it began: a GPU alone works on when Pass returns
  };

  LoadedGraph& graph() const { return run_.graph(); }
  const TeamProgramCalls& calls() const { return *program_.calls->team; }
  void Move(PassStep step);
  IterationSituation Situation(Mode mode) const;
  /// Reports to the dispatcher what the pass that has ended took: a GPU gives its account of one
  /// only when it advances.
  void Learn();
  /// A pass in which the host teams have `host_blocks` of the blocks, each as many.
  SharedPass Plan(Mode mode, bool asynchronous, double bound, uint64_t host_blocks) const;
  Status PassTogether(const SharedPass& pass, double fraction);
  /// Copies what all read to each memory, and begins the pass.
  Status BeginTogether(const SharedPass& pass);
  /// All visit their blocks.
  Status Work(Seconds* seconds);
  /// Owners take what they have received.
  Status Take(const SharedPass& pass);
  /// What teams after `team` have of the list in which its blocks end: a sum, or empty. Valid until
  /// the next call.
  std::span<const std::byte> BorderOf(const SharedPass& pass, size_t team);
  /// Makes all copies alike.
  Status Return(const SharedPass& pass);
  /// Copies the values of `touched`, which are right in the memory of `team`, to all others.
  Status ReturnFrom(size_t team, std::span<const OwnElements> views, const IndexSet& touched);
  /// Blocks that the host teams have visited so far.
  uint64_t host_blocks_visited() const;
  uint64_t sent() const;

  const std::unique_ptr<MainTeam> main_team_;
  HybridRun& run_;
  Recorder& recorder_;
  const ProgramRef program_;
  std::vector<std::unique_ptr<HostTeam>> host_teams_;
  std::vector<MemoryId> memories_;          // of all teams
  std::unique_ptr<DeviceCopy[]> programs_;  // as each team sees it
  std::vector<std::byte> border_;
  PassStage stage_ = PassStage::kApart;
  std::optional<TimedPass> timed_;  // that the dispatcher does not know of
  bool combines_ = false;  // a pass was shared, and the copies of some arrays are to be combined
};

class HybridBackend final : public Backend {
 public:
  /// `recorder`: where `main_backend` reports its passes.
  HybridBackend(std::unique_ptr<Backend> main_backend, std::unique_ptr<HybridRun> run,
                Recorder& recorder)
      : main_backend_(std::move(main_backend)), run_(std::move(run)), recorder_(recorder) {
    CHECK(main_backend_ != nullptr && run_ != nullptr);
  }

  SetPool& sets() override { return main_backend_->sets(); }
  StatusOr<std::unique_ptr<OperatorPasses>> MakePasses(const ProgramRef& program) override;
  Status Map(const FunctionRef& function, const VertexSet& set) override {
    return main_backend_->Map(function, set);
  }
  StatusOr<VertexSet> Filter(const FunctionRef& function, const VertexSet& set) override {
    return main_backend_->Filter(function, set);
  }
  Status Reduce(const FunctionRef& function, const VertexSet& set, void* total) override {
    return main_backend_->Reduce(function, set, total);
  }
  Status VisitEdges(const FunctionRef& function, Directions directions, const VertexSet& set,
                    const Slice& slice) override {
    return main_backend_->VisitEdges(function, directions, set, slice);
  }
  Status VisitSampled(const FunctionRef& function, Directions lists) override {
    return main_backend_->VisitSampled(function, lists);
  }
  bool samples_hubs() const override { return main_backend_->samples_hubs(); }

 private:
  const std::unique_ptr<Backend> main_backend_;
  const std::unique_ptr<HybridRun> run_;
  Recorder& recorder_;
};

}  // namespace edgemill

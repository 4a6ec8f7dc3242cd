// Operators of several teams that share the passes of edge programs. Each team has a copy of the
// State's arrays (Garaph, ATC 2017, section 5).
//
// The main team, a GPU, keeps the sets. The dispatcher decides for each pass: either the main team
// works alone, and only its copy is up to date afterwards; or helpers work too. These are threads
// of the CPU, and each team takes a range of the blocks; or other GPUs, and each team takes the
// lists of a range of vertices, the same in all passes, so that its blocks stay on it. In a shared
// pass each vertex has an owner, and only the owner's values count:
//   In a push, and in a pull from the lists of both directions, the main team owns all vertices.
//     Helpers send it combined messages: threads pairs of a vertex and a message, GPUs a sum for
//     each vertex. Where they may try Relax on their own copy, they send only what changes that
//     copy. Values come back.
//   In another pull, and in all pulls of several GPUs, a vertex belongs to the team that has the
//     start of its list. If a list goes on in later teams' blocks, their parts of its sum go to its
//     owner. Values are exchanged, through the host's copy or from GPU to GPU.
// Programs declare nothing for this: see engine/program/sharing.h. Integers are the same as on one
// processor; sums of reals may differ by rounding.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "common/check.h"
#include "common/clock.h"
#include "engine/hybrid/hybrid_run.h"
#include "engine/hybrid/shared_pass.h"
#include "engine/hybrid/team_memories.h"
#include "engine/program/helper_team.h"
#include "engine/program/main_team.h"
#include "engine/report/recorder.h"

namespace edgemill {

/// The passes of one operator whose program may be shared.
class HybridPasses final : public OperatorPasses {
 public:
  /// The teams of one operator beside those of the HybridRun.
  struct Teams {
    std::unique_ptr<MainTeam> main;
    std::vector<std::unique_ptr<HelperTeam>> helpers;
  };
  /// `recorder`: gets the main team's reports of passes. All but `teams` must outlive this.
  HybridPasses(Teams teams, HybridRun& run, Recorder& recorder, const ProgramRef& program);

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
  Status ActivateAll(double bound) override { return main_team_->alone().ActivateAll(bound); }
  StatusOr<uint64_t> SmallPassesInOneLaunch(uint64_t max_passes, BucketBound* bucket) override;
  StatusOr<VertexSet> End() override;

 private:
  struct Seconds {
    double main_team = 0;
    double helpers = 0;  // of the slowest helper
  };

  struct TimedPass {
    Mode mode = Mode::kPull;
    double fraction = 1;       // as IterationSituation::fraction
    double main_fraction = 1;  // the main team's share of the blocks
    Seconds seconds;           // of a shared pass
    Stopwatch watch;           // since it began: a GPU that works alone goes on after Pass returns
  };

  LoadedGraph& graph() const { return run_.graph(); }
  const TeamProgramCalls& calls() const { return *program_.calls->team; }
  void Move(PassStep step);
  IterationSituation Situation(Mode mode) const;
  bool MayShare(Mode mode) const;
  /// Reports the seconds of the last pass to the dispatcher. Called after Advance, because a GPU
  /// reports a pass only then.
  void Learn();
  /// Plans a pass in which the host teams take `host_blocks` blocks, in equal shares.
  SharedPass Plan(Mode mode, bool asynchronous, double bound, uint64_t host_blocks) const;
  /// Plans a pass in which each team takes the lists of its vertices.
  SharedPass PlanByVertex(Mode mode) const;
  Status PassTogether(const SharedPass& pass, double fraction);
  /// Copies the elements that the pass reads to the memory of each team, and begins the pass.
  Status BeginTogether(const SharedPass& pass);
  /// Makes all teams visit their blocks at the same time.
  Status Work(Seconds* seconds);
  /// Makes the owners take what they have received.
  Status Take(const SharedPass& pass);
  /// The sum that later teams have for the list in which the blocks of `team` end; empty where they
  /// have none. Valid until the next call.
  std::span<const std::byte> BorderOf(const SharedPass& pass, size_t team);
  /// Makes all copies of the state equal.
  Status Return(const SharedPass& pass);
  /// Copies the values of each team's vertices to the other copies, without the host. Where only
  /// touched ones cross, their bytes are not counted: no processor knows how many they are.
  Status ReturnByVertex(const SharedPass& pass);
  /// Copies the values of `touched` from the memory of `team`, which owns them, to all others.
  Status ReturnFrom(size_t team, std::span<const OwnElements> views, const IndexSet& touched);
  uint64_t sent() const;

  const std::unique_ptr<MainTeam> main_team_;
  HybridRun& run_;
  Recorder& recorder_;
  const ProgramRef program_;
  std::vector<std::unique_ptr<HelperTeam>> helpers_;
  bool by_vertex_ = false;                  // all of these have their vertices' lists
  std::vector<MemoryId> memories_;          // of all teams
  std::unique_ptr<DeviceCopy[]> programs_;  // the program, with views of each team's memory
  std::vector<std::byte> border_;
  PassStage stage_ = PassStage::kCopiesDiffer;
  std::optional<TimedPass> timed_;  // not reported to the dispatcher yet
  bool must_combine_ = false;       // End must combine copies of arrays: a pass was shared
};

class HybridBackend final : public Backend {
 public:
  /// `recorder`: gets the reports of passes of `main_backend`.
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

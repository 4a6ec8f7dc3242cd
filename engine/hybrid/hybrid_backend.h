// The passes of one operator on two processors, each with a copy of the State's arrays (Garaph, ATC
// 2017, section 5).
//
// The leading team, a card's, keeps the sets. The dispatcher decides pass by pass: the leading team
// works alone, and its copy is ahead then; or the CPU's threads take the blocks from one on. Then
// each vertex has an owner, who alone changes what counts:
//   in push, and in pulls from both directions' lists, the leading team owns all vertices. The
//     helper sends (vertex, combined message), or, where it may try Relax on its own copy, what
//     changes that; values of touched vertices come back.
//   in pull, whoever takes a block owns the vertices whose lists start there; the list in which the
//     parts meet is the leading team's, to which the helper's part of the sum goes. Values of
//     touched vertices are exchanged.
// Programs declare nothing for it: engine/program/sharing.h. Integers come out the same as on one
// processor, sums of reals within rounding.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "common/clock.h"
#include "engine/hybrid/both_copies.h"
#include "engine/hybrid/helping_team.h"
#include "engine/hybrid/hybrid_run.h"
#include "engine/hybrid/leading_team.h"
#include "engine/hybrid/returned_values.h"

namespace edgemill {

template <typename P>
class HybridBackend final : public EdgeBackend<P> {
 public:
  /// `recorder`: where the leading team reports its passes.
  HybridBackend(std::unique_ptr<LeadingTeam<P>> leader, HybridRun& run, Recorder& recorder,
                Directions directions)
      : leader_(std::move(leader)),
        run_(run),
        recorder_(recorder),
        directions_(directions),
        helper_(run, directions) {}

  Status Begin(const VertexSet& from) override { return leader_->alone().Begin(from); }
  ActiveCounts active() const override { return leader_->alone().active(); }
  ActiveCounts emitted() const override { return leader_->alone().emitted(); }
  Status Pass(const P& program, bool asynchronous, double bound) override;
  Status Advance() override {
    RETURN_IF_ERROR(leader_->alone().Advance());
    Learn();
    return OkStatus();
  }
  Status AdvanceBelow(const P& program, double bound) override {
    RETURN_IF_ERROR(leader_->alone().AdvanceBelow(program, bound));
    Learn();
    return OkStatus();
  }
  Status Split(const P& program, double bound) override {
    return leader_->alone().Split(program, bound);
  }
  StatusOr<double> LeastWaiting(const P& program, double bound) override {
    return leader_->alone().LeastWaiting(program, bound);
  }
  Status TakeWaiting(const P& program, double before, double bound) override {
    return leader_->alone().TakeWaiting(program, before, bound);
  }
  StatusOr<uint64_t> PassesAlone(const P& program, uint64_t most_passes,
                                 BucketBound* bucket) override {
    // Not where the pass will be shared: to look on the card makes it the only one that is current.
    if (leader_->NextMode() != Mode::kPush || run_.dispatcher().told()) return uint64_t{0};
    const Dispatch dispatch = run_.dispatcher().Choose(Situation(program, Mode::kPush));
    if (dispatch.processors != Processors::kGpu) return uint64_t{0};
    Move(PassStep::kAlone);
    return leader_->alone().PassesAlone(program, most_passes, bucket);
  }
  StatusOr<VertexSet> End() override {
    if (combined_.has_value()) RETURN_IF_ERROR(EndInto(*combined_));
    return leader_->alone().End();
  }

 private:
  struct Seconds {
    double leader = 0;
    double helper = 0;
  };

  struct TimedPass {
    Mode mode = Mode::kPull;
    double fraction = 1;  // of the edges
    double leads = 1;     // the leader's share
    Seconds seconds;      // of a pass that was shared
    Stopwatch watch;      // since it began: a card alone works on when Pass returns
  };

  LoadedGraph& graph() const { return run_.graph(); }
  void Move(PassStep step) {
    const PassMove move = MoveOf(stage_, step);
    CHECK(move.allowed);
    stage_ = move.next;
  }
  IterationSituation Situation(const P& program, Mode mode) const;
  /// Tells the dispatcher what the pass that has ended took: a card gives its account of one only
  /// when it advances.
  void Learn();
  SharedPass Plan(Mode mode, bool asynchronous, double bound, uint64_t first) const;
  Status PassTogether(const P& program, const SharedPass& pass, double fraction);
  Status Work(Seconds* seconds);
  Status Return(const P& program, const SharedPass& pass);

  const std::unique_ptr<LeadingTeam<P>> leader_;
  HybridRun& run_;
  Recorder& recorder_;
  const Directions directions_;
  HelpingTeam<P> helper_;
  PassStage stage_ = PassStage::kApart;
  std::optional<TimedPass> timed_;  // that the dispatcher does not know of
  std::optional<P> combined_;  // once a pass was shared: of its arrays both copies are combined
};

template <typename P>
IterationSituation HybridBackend<P>::Situation(const P& program, Mode mode) const {
  const ActiveCounts active = this->active();
  const uint64_t num_vertices = graph().num_vertices();
  uint64_t state_bytes = 0;
  for (const OwnElements& view : OwnElementsOf(program)) state_bytes += view.count * view.bytes;
  IterationSituation situation{.mode = mode,
                               .may_share = kMayShare<P> && graph().num_blocks() > 0,
                               .on_host = stage_ == PassStage::kAlike,
                               .state_bytes = state_bytes};
  if (mode == Mode::kPush) {
    const double edges = std::max(1.0, static_cast<double>(graph().num_edges()));
    situation.fraction = std::min(1.0, static_cast<double>(active.edges) / edges);
  }
  const uint64_t changed =
      mode == Mode::kPush ? std::min<uint64_t>(num_vertices, active.edges) : num_vertices;
  const uint64_t sent = mode == Mode::kPush ? sizeof(VertexId) + sizeof(SumOfProgram<P>) : 0;
  situation.exchange_bytes =
      num_vertices / 8 + changed * (sent + state_bytes / std::max<uint64_t>(1, num_vertices));
  return situation;
}

template <typename P>
SharedPass HybridBackend<P>::Plan(Mode mode, bool asynchronous, double bound,
                                  uint64_t first) const {
  SharedPass pass{.mode = mode,
                  .asynchronous = asynchronous && mode == Mode::kPush,
                  .bound = bound,
                  .first = first};
  const std::vector<Direction> lists = ListsOfPass(pass, directions_, graph().info().directed);
  pass.owns_lists = mode == Mode::kPull && lists.size() == 1;
  if (pass.owns_lists && first > 0) {
    const BlockEdges edges = graph().Extent(lists[0], first);
    pass.first_vertex = edges.owned_begin;
    pass.splits_list = edges.continues;
  }
  return pass;
}

template <typename P>
Status HybridBackend<P>::Pass(const P& program, bool asynchronous, double bound) {
  // Few are active where a pull would be notified: not in passes that pay to share.
  const Mode mode = leader_->NextMode() == Mode::kPush ? Mode::kPush : Mode::kPull;
  const IterationSituation situation = Situation(program, mode);
  const Dispatch dispatch = run_.dispatcher().Choose(situation);
  const auto num_blocks = static_cast<double>(graph().num_blocks());
  const double share = dispatch.processors == Processors::kGpu ? 0 : dispatch.cpu_share;
  const auto blocks = static_cast<uint64_t>(std::llround(num_blocks * share));
  if constexpr (kMayShare<P>) {
    if (situation.may_share && blocks > 0) {
      return PassTogether(program, Plan(mode, asynchronous, bound, graph().num_blocks() - blocks),
                          situation.fraction);
    }
  }
  Move(PassStep::kAlone);
  timed_ = TimedPass{.mode = mode, .fraction = situation.fraction};
  return leader_->alone().Pass(program, asynchronous, bound);
}

template <typename P>
Status HybridBackend<P>::PassTogether(const P& program, const SharedPass& pass, double fraction) {
  Move(PassStep::kAlign);
  ASSIGN_OR_RETURN(const P leading, OnBoth(program, leader_->indexes()));
  if constexpr (kHasInto<P>) {
    if (!combined_.has_value()) BeginInto(program, graph().threads());
    combined_ = program;
  }
  const uint64_t blocks_before = helper_.blocks(), sent_before = helper_.sent();
  CrossedCounts& crossed = run_.crossed();
  const CrossedCounts before = crossed;
  RETURN_IF_ERROR(helper_.Begin(program, pass, *leader_));
  RETURN_IF_ERROR(leader_->Begin(leading, pass));
  Seconds seconds;
  RETURN_IF_ERROR(Work(&seconds));
  Move(PassStep::kWork);
  RETURN_IF_ERROR(leader_->Take(helper_.border()));
  Move(PassStep::kTake);
  const Stopwatch watch;
  RETURN_IF_ERROR(Return(program, pass));
  Move(PassStep::kReturn);
  const double return_seconds = watch.seconds();
  const uint64_t helped = helper_.blocks() - blocks_before;
  recorder_.AddBlocks(helped);
  recorder_.AddEdges(pass.mode == Mode::kPush ? active().edges : graph().EdgesOf(helped));
  const uint64_t messages = helper_.sent() - sent_before;
  ++crossed.passes;
  crossed.messages += messages;
  crossed.message_bytes += messages * (sizeof(VertexId) + sizeof(SumOfProgram<P>));
  recorder_.AddExchanged(crossed.bytes() - before.bytes());
  RETURN_IF_ERROR(leader_->End());
  Dispatcher& dispatcher = run_.dispatcher();
  dispatcher.LearnLink(crossed.returned_bytes - before.returned_bytes, return_seconds);
  timed_ = TimedPass{
      .mode = pass.mode,
      .fraction = fraction,
      .leads = static_cast<double>(pass.first) / static_cast<double>(graph().num_blocks()),
      .seconds = seconds};
  return OkStatus();
}

template <typename P>
void HybridBackend<P>::Learn() {
  const std::optional<TimedPass> timed = std::exchange(timed_, std::nullopt);
  const IterationReport& last = recorder_.last();
  Dispatcher& dispatcher = run_.dispatcher();
  if (!timed || !dispatcher.Tells(last.bytes_read, last.transfers.total().bytes)) return;
  const bool alone = timed->leads == 1;
  dispatcher.Learn(Processors::kGpu, timed->mode, timed->fraction, timed->leads,
                   alone ? timed->watch.seconds() : timed->seconds.leader);
  if (alone) return;
  dispatcher.Learn(Processors::kCpu, timed->mode, timed->fraction, 1 - timed->leads,
                   timed->seconds.helper);
}

/// Both visit their blocks.
template <typename P>
Status HybridBackend<P>::Work(Seconds* seconds) {
  return RunThreads(2, [&](int thread) -> Status {
    const Stopwatch watch;
    // The leader's device is the calling thread's.
    const bool leads = thread == 0;
    RETURN_IF_ERROR(leads ? leader_->Work() : helper_.Work(*leader_));
    (leads ? seconds->leader : seconds->helper) = watch.seconds();
    return OkStatus();
  });
}

/// Has both copies be alike.
template <typename P>
Status HybridBackend<P>::Return(const P& program, const SharedPass& pass) {
  const uint64_t num_vertices = graph().num_vertices();
  const std::vector<OwnElements> views = OwnElementsOf(program);
  CrossedCounts& crossed = run_.crossed();
  IndexSet touched;
  if (!kAppliesToAllOf<P>) {
    ASSIGN_OR_RETURN(const uint64_t bytes, leader_->TouchedWords(run_.words()));
    touched.words = run_.words();
    crossed.set_bytes += bytes;
  }
  touched.end = pass.owns_lists ? pass.first_vertex : num_vertices;
  ASSIGN_OR_RETURN(const uint64_t to_host, ReturnValues(ReturnTo::kHost, views, touched));
  crossed.returned_bytes += to_host;
  if (!pass.owns_lists) return OkStatus();
  touched.begin = pass.first_vertex;
  touched.end = num_vertices;
  if (!kAppliesToAllOf<P>) touched.words = helper_.touched();
  ASSIGN_OR_RETURN(const uint64_t to_place, ReturnValues(ReturnTo::kPlace, views, touched));
  crossed.returned_bytes += to_place;
  crossed.set_bytes += (num_vertices - pass.first_vertex) / 8;
  return leader_->AddActive(pass.first_vertex, helper_.active());
}

}  // namespace edgemill

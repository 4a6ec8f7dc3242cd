#include "engine/hybrid/hybrid_backend.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "common/parallel.h"
#include "engine/hybrid/returned_values.h"
#include "engine/hybrid/team_calls.h"
#include "engine/plan/direction_policy.h"

namespace edgemill {

HybridPasses::HybridPasses(std::unique_ptr<LeadingTeam> leader, HybridRun& run, Recorder& recorder,
                           const ProgramRef& program)
    : leader_(std::move(leader)),
      run_(run),
      recorder_(recorder),
      program_(program),
      helper_(program.calls->team->make_helper(run, program)) {}

void HybridPasses::Move(PassStep step) {
  const PassMove move = MoveOf(stage_, step);
  CHECK(move.allowed);
  stage_ = move.next;
}

Status HybridPasses::Advance() {
  RETURN_IF_ERROR(leader_->alone().Advance());
  Learn();
  return OkStatus();
}

Status HybridPasses::AdvanceBelow(double bound) {
  RETURN_IF_ERROR(leader_->alone().AdvanceBelow(bound));
  Learn();
  return OkStatus();
}

StatusOr<uint64_t> HybridPasses::PassesAlone(uint64_t most_passes, BucketBound* bucket) {
  // Not where the pass will be shared: to look on the GPU makes it the only one that is current.
  if (leader_->NextMode() != Mode::kPush || run_.dispatcher().told()) return uint64_t{0};
  const Dispatch dispatch = run_.dispatcher().Choose(Situation(Mode::kPush));
  if (dispatch.processors != Processors::kGpu) return uint64_t{0};
  Move(PassStep::kAlone);
  return leader_->alone().PassesAlone(most_passes, bucket);
}

StatusOr<VertexSet> HybridPasses::End() {
  if (combines_) RETURN_IF_ERROR(calls().end_into(program_.program));
  return leader_->alone().End();
}

IterationSituation HybridPasses::Situation(Mode mode) const {
  const ActiveCounts active = this->active();
  const uint64_t num_vertices = graph().num_vertices();
  uint64_t state_bytes = 0;
  for (const OwnElements& view : calls().own_elements(program_.program)) {
    state_bytes += view.count * view.bytes;
  }
  IterationSituation situation{.mode = mode,
                               .may_share = graph().num_blocks() > 0,
                               .on_host = stage_ == PassStage::kAlike,
                               .state_bytes = state_bytes};
  if (mode == Mode::kPush) {
    const double edges = std::max(1.0, static_cast<double>(graph().num_edges()));
    situation.fraction = std::min(1.0, static_cast<double>(active.edges) / edges);
  }
  const uint64_t changed =
      mode == Mode::kPush ? std::min<uint64_t>(num_vertices, active.edges) : num_vertices;
  const uint64_t sent = mode == Mode::kPush ? sizeof(VertexId) + program_.traits.sum_bytes : 0;
  situation.exchange_bytes =
      num_vertices / 8 + changed * (sent + state_bytes / std::max<uint64_t>(1, num_vertices));
  return situation;
}

SharedPass HybridPasses::Plan(Mode mode, bool asynchronous, double bound, uint64_t first) const {
  SharedPass pass{.mode = mode,
                  .asynchronous = asynchronous && mode == Mode::kPush,
                  .bound = bound,
                  .first = first};
  const std::vector<Direction> lists = ListsOf(program_.traits.directions, graph().info().directed,
                                               /*reversed=*/mode == Mode::kPull);
  pass.owns_lists = mode == Mode::kPull && lists.size() == 1;
  if (pass.owns_lists && first > 0) {
    const BlockEdges edges = graph().indexes().Extent(lists[0], first);
    pass.first_vertex = edges.owned_begin;
    pass.splits_list = edges.continues;
  }
  return pass;
}

Status HybridPasses::Pass(bool asynchronous, double bound) {
  // Few are active where a pull would be notified: not in passes that pay to share.
  const Mode mode = leader_->NextMode() == Mode::kPush ? Mode::kPush : Mode::kPull;
  const IterationSituation situation = Situation(mode);
  const Dispatch dispatch = run_.dispatcher().Choose(situation);
  const auto num_blocks = static_cast<double>(graph().num_blocks());
  const double share = dispatch.processors == Processors::kGpu ? 0 : dispatch.cpu_share;
  const auto blocks = static_cast<uint64_t>(std::llround(num_blocks * share));
  if (situation.may_share && blocks > 0) {
    return PassTogether(Plan(mode, asynchronous, bound, graph().num_blocks() - blocks),
                        situation.fraction);
  }
  Move(PassStep::kAlone);
  timed_ = TimedPass{.mode = mode, .fraction = situation.fraction};
  return leader_->alone().Pass(asynchronous, bound);
}

Status HybridPasses::PassTogether(const SharedPass& pass, double fraction) {
  Move(PassStep::kAlign);
  RETURN_IF_ERROR(calls().on_both(program_.program, leader_->indexes(), leading_.bytes()));
  if (calls().begin_into != nullptr && !combines_) {
    calls().begin_into(program_.program, graph().threads());
    combines_ = true;
  }
  const uint64_t blocks_before = helper_->blocks(), sent_before = helper_->sent();
  CrossedCounts& crossed = run_.crossed();
  const CrossedCounts before = crossed;
  RETURN_IF_ERROR(helper_->Begin(pass, *leader_));
  RETURN_IF_ERROR(leader_->Begin(leading_.bytes(), pass));
  Seconds seconds;
  RETURN_IF_ERROR(Work(&seconds));
  Move(PassStep::kWork);
  RETURN_IF_ERROR(leader_->Take(helper_->border()));
  Move(PassStep::kTake);
  const Stopwatch watch;
  RETURN_IF_ERROR(Return(pass));
  Move(PassStep::kReturn);
  const double return_seconds = watch.seconds();
  const uint64_t helped = helper_->blocks() - blocks_before;
  recorder_.AddBlocks(helped);
  recorder_.AddEdges(pass.mode == Mode::kPush ? active().edges : graph().blocks().EdgesOf(helped));
  const uint64_t messages = helper_->sent() - sent_before;
  ++crossed.passes;
  crossed.messages += messages;
  crossed.message_bytes += messages * (sizeof(VertexId) + program_.traits.sum_bytes);
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

void HybridPasses::Learn() {
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

Status HybridPasses::Work(Seconds* seconds) {
  return RunThreads(2, [&](int thread) -> Status {
    const Stopwatch watch;
    // The leader's device is the calling thread's.
    const bool leads = thread == 0;
    RETURN_IF_ERROR(leads ? leader_->Work() : helper_->Work(*leader_));
    (leads ? seconds->leader : seconds->helper) = watch.seconds();
    return OkStatus();
  });
}

Status HybridPasses::Return(const SharedPass& pass) {
  const uint64_t num_vertices = graph().num_vertices();
  const std::vector<OwnElements> views = calls().own_elements(program_.program);
  CrossedCounts& crossed = run_.crossed();
  const bool some = !program_.traits.applies_to_all;
  IndexSet touched;
  if (some) {
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
  if (some) touched.words = helper_->touched();
  ASSIGN_OR_RETURN(const uint64_t to_place, ReturnValues(ReturnTo::kPlace, views, touched));
  crossed.returned_bytes += to_place;
  crossed.set_bytes += (num_vertices - pass.first_vertex) / 8;
  return leader_->AddActive(pass.first_vertex, helper_->active());
}

StatusOr<std::unique_ptr<OperatorPasses>> HybridBackend::MakePasses(const ProgramRef& program) {
  if (program.calls->team == nullptr) return leader_->MakePasses(program);
  ASSIGN_OR_RETURN(std::unique_ptr<LeadingTeam> leader, leader_->MakeTeam(program));
  return std::unique_ptr<OperatorPasses>(
      std::make_unique<HybridPasses>(std::move(leader), *run_, recorder_, program));
}

}  // namespace edgemill

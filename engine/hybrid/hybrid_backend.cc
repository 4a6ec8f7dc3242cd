#include "engine/hybrid/hybrid_backend.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "common/check.h"
#include "common/threads/parallel.h"
#include "engine/hybrid/returned_values.h"
#include "engine/hybrid/team_calls.h"
#include "engine/plan/direction_policy.h"

namespace edgemill {

namespace {

/// The share with the blocks [begin, end), in a pass in which the team that has the start of a list
/// owns the list's vertex.
TeamShare OwningShare(const LoadedGraph& graph, Direction lists, uint64_t begin, uint64_t end) {
  // The first vertex whose list starts in `block` or later, and whether the block begins within an
  // earlier list.
  const auto border = [&](uint64_t block) -> std::pair<uint64_t, bool> {
    if (block == 0) return {0, false};
    if (block >= graph.num_blocks()) return {graph.num_vertices(), false};
    const BlockEdges edges = graph.indexes().Extent(lists, block);
    return {edges.owned_begin, edges.continues};
  };
  const auto [first_vertex, continues] = border(begin);
  const auto [end_vertex, splits] = border(end);
  const bool has_blocks = begin < end;
  return {begin, end, first_vertex, end_vertex, has_blocks && continues, has_blocks && splits};
}

}  // namespace

HybridPasses::HybridPasses(Teams teams, HybridRun& run, Recorder& recorder,
                           const ProgramRef& program)
    : main_team_(std::move(teams.main)),
      run_(run),
      recorder_(recorder),
      program_(program),
      helpers_(std::move(teams.helpers)),
      by_vertex_(!helpers_.empty()) {
  CHECK(main_team_ != nullptr);  // the main backend must make one
  for (const std::unique_ptr<HostTeamResources>& threads : run.host_teams()) {
    CHECK(!by_vertex_);  // shares of both kinds do not fit together
    helpers_.push_back(program.calls->team->make_host_team(*threads, program));
  }
  memories_.push_back(main_team_->memory().id);
  for (const auto& helper : helpers_) memories_.push_back(helper->memory().id);
  CHECK(!helpers_.empty() && memories_[0] != kHostMemory);
  programs_ = std::make_unique<DeviceCopy[]>(memories_.size());
}

void HybridPasses::Move(PassStep step) {
  const PassMove move = MoveOf(stage_, step);
  CHECK(move.allowed);
  stage_ = move.next;
}

Status HybridPasses::Advance() {
  RETURN_IF_ERROR(main_team_->alone().Advance());
  Learn();
  return OkStatus();
}

Status HybridPasses::AdvanceBelow(double bound) {
  RETURN_IF_ERROR(main_team_->alone().AdvanceBelow(bound));
  Learn();
  return OkStatus();
}

StatusOr<uint64_t> HybridPasses::SmallPassesInOneLaunch(uint64_t max_passes, BucketBound* bucket) {
  // Not before a shared pass: the attempt alone makes the GPU's copy the only current one.
  const bool searches = main_team_->Searches() && by_vertex_;
  const bool pushes = main_team_->NextMode() == Mode::kPush;
  if ((!pushes && !searches) || run_.dispatcher().options_decide()) return uint64_t{0};
  if (!searches) {
    const Dispatch dispatch = run_.dispatcher().Choose(Situation(Mode::kPush));
    if (dispatch.processors != Processors::kGpu) return uint64_t{0};
  }
  Move(PassStep::kAlone);
  return main_team_->alone().SmallPassesInOneLaunch(max_passes, bucket);
}

StatusOr<VertexSet> HybridPasses::End() {
  if (must_combine_) RETURN_IF_ERROR(calls().end_into(program_.program, memories_));
  return main_team_->alone().End();
}

IterationSituation HybridPasses::Situation(Mode mode) const {
  const ActiveCounts active = this->active();
  const uint64_t num_vertices = graph().num_vertices();
  uint64_t state_bytes = 0;
  for (const OwnElements& view : calls().own_elements(program_.program)) {
    state_bytes += view.count * view.bytes;
  }
  IterationSituation situation{.mode = mode,
                               .may_share = MayShare(mode),
                               .on_host = stage_ == PassStage::kCopiesEqual,
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

SharedPass HybridPasses::PlanByVertex(Mode mode) const {
  const bool owns = mode == Mode::kPull;
  const uint64_t num_vertices = graph().num_vertices();
  SharedPass pass{.mode = mode, .owns_lists = owns, .by_vertex = true, .shares = {}};
  // The main team has the vertices before the others'.
  pass.shares.push_back({.lists = {0, helpers_.front()->lists()->begin}});
  for (const auto& helper : helpers_) {
    CHECK(helper->lists()->begin == pass.shares.back().lists.end);
    pass.shares.push_back({.lists = *helper->lists()});
  }
  CHECK_EQ(pass.shares.back().lists.end, num_vertices);  // each list has exactly one team
  for (TeamShare& share : pass.shares) {
    const bool is_main = &share == &pass.shares.front();
    if (owns) {
      share.first_vertex = share.lists.begin;
      share.end_vertex = share.lists.end;
    } else if (is_main) {
      share.end_vertex = num_vertices;
    }
  }
  return pass;
}

SharedPass HybridPasses::Plan(Mode mode, bool asynchronous, double bound,
                              uint64_t host_blocks) const {
  CHECK_LE(host_blocks, graph().num_blocks());
  SharedPass pass{.mode = mode,
                  .asynchronous = asynchronous && mode == Mode::kPush,
                  .bound = bound,
                  .owns_lists = false,
                  .shares = {}};
  const std::vector<Direction> lists = ListsOf(program_.traits.directions, graph().info().directed,
                                               /*reversed=*/mode == Mode::kPull);
  pass.owns_lists = mode == Mode::kPull && lists.size() == 1;
  const uint64_t main_blocks = graph().num_blocks() - host_blocks;
  uint64_t begin = 0;
  for (size_t team = 0; team <= helpers_.size(); ++team) {
    const uint64_t end = main_blocks + host_blocks * team / helpers_.size();
    if (pass.owns_lists) {
      pass.shares.push_back(OwningShare(graph(), lists[0], begin, end));
    } else {
      const uint64_t owns = team == 0 ? graph().num_vertices() : 0;
      pass.shares.push_back({.begin = begin, .end = end, .end_vertex = owns});
    }
    begin = end;
  }
  CHECK_EQ(begin, graph().num_blocks());  // each block has exactly one team
  return pass;
}

bool HybridPasses::MayShare(Mode mode) const {
  return graph().num_blocks() > 0 &&
         std::all_of(helpers_.begin(), helpers_.end(),
                     [mode](const auto& team) { return team->MayHelp(mode); });
}

Status HybridPasses::Pass(bool asynchronous, double bound) {
  // No notify-pull: it serves passes with few active vertices, which do not pay to share.
  const Mode mode = main_team_->NextMode() == Mode::kPush ? Mode::kPush : Mode::kPull;
  const IterationSituation situation = Situation(mode);
  const Dispatch dispatch = run_.dispatcher().Choose(situation);
  const auto num_blocks = static_cast<double>(graph().num_blocks());
  const double share = dispatch.processors == Processors::kGpu ? 0 : dispatch.cpu_share;
  const auto host_blocks = static_cast<uint64_t>(std::llround(num_blocks * share));
  if (situation.may_share && host_blocks > 0) {
    return PassTogether(
        by_vertex_ ? PlanByVertex(mode) : Plan(mode, asynchronous, bound, host_blocks),
        situation.fraction);
  }
  Move(PassStep::kAlone);
  timed_ = TimedPass{.mode = mode, .fraction = situation.fraction};
  return main_team_->alone().Pass(asynchronous, bound);
}

Status HybridPasses::BeginTogether(const SharedPass& pass) {
  RETURN_IF_ERROR(calls().align(program_.program, memories_));
  if (calls().begin_into != nullptr && !must_combine_) {
    RETURN_IF_ERROR(calls().begin_into(program_.program, memories_, graph().threads()));
    must_combine_ = true;
  }
  const auto shown_in = [&](size_t team, const OtherMemory& memory) -> const void* {
    if (memory.id == kHostMemory) return program_.program;
    calls().show(program_.program, memory, programs_[team].bytes());
    return programs_[team].bytes();
  };
  for (size_t i = 0; i < helpers_.size(); ++i) {
    const void* const program = shown_in(i + 1, helpers_[i]->memory());
    RETURN_IF_ERROR(helpers_[i]->Begin(program, pass, i + 1, *main_team_));
  }
  return main_team_->Begin(shown_in(0, main_team_->memory()), pass);
}

Status HybridPasses::PassTogether(const SharedPass& pass, double fraction) {
  Move(PassStep::kEqualize);
  const uint64_t sent_before = sent();
  CrossedCounts& crossed = run_.crossed();
  const CrossedCounts before = crossed;
  RETURN_IF_ERROR(BeginTogether(pass));
  Seconds seconds;
  RETURN_IF_ERROR(Work(&seconds));
  Move(PassStep::kWork);
  RETURN_IF_ERROR(Take(pass));
  Move(PassStep::kTake);
  const Stopwatch watch;
  RETURN_IF_ERROR(pass.by_vertex ? ReturnByVertex(pass) : Return(pass));
  Move(PassStep::kReturn);
  if (pass.mode == Mode::kPush) recorder_.AddEdges(active().edges);
  for (const auto& helper : helpers_) {
    RETURN_IF_ERROR(helper->Report(pass.mode, &recorder_));
  }
  const double return_seconds = watch.seconds();  // copies between GPUs end before their reports
  const uint64_t messages = sent() - sent_before;
  ++crossed.passes;
  crossed.messages += messages;
  crossed.message_bytes += messages * (sizeof(VertexId) + program_.traits.sum_bytes);
  recorder_.AddExchanged(crossed.bytes() - before.bytes());
  RETURN_IF_ERROR(main_team_->End());
  Dispatcher& dispatcher = run_.dispatcher();
  dispatcher.LearnLink(crossed.returned_bytes - before.returned_bytes, return_seconds);
  timed_ =
      TimedPass{.mode = pass.mode,
                .fraction = fraction,
                .main_fraction = pass.by_vertex ? 1.0 / static_cast<double>(pass.shares.size())
                                                : static_cast<double>(pass.main_share().end) /
                                                      static_cast<double>(graph().num_blocks()),
                .seconds = seconds};
  return OkStatus();
}

uint64_t HybridPasses::sent() const {
  uint64_t sent = 0;
  for (const auto& helper : helpers_) sent += helper->sent();
  return sent;
}

void HybridPasses::Learn() {
  const std::optional<TimedPass> timed = std::exchange(timed_, std::nullopt);
  const IterationReport& last = recorder_.last();
  Dispatcher& dispatcher = run_.dispatcher();
  if (!timed || !dispatcher.PredictsNext(last.bytes_read, last.transfers.total().bytes)) return;
  const bool alone = timed->main_fraction == 1;
  dispatcher.Learn(Processors::kGpu, timed->mode, timed->fraction, timed->main_fraction,
                   alone ? timed->watch.seconds() : timed->seconds.main_team);
  if (alone) return;
  dispatcher.Learn(Processors::kCpu, timed->mode, timed->fraction, 1 - timed->main_fraction,
                   timed->seconds.helpers);
}

Status HybridPasses::Work(Seconds* seconds) {
  // Waking a thread takes .1 ms and more, so teams that only wait have none.
  std::vector<HelperTeam*> waiting, working;
  const Stopwatch watch;  // since the first visit was queued
  for (const auto& helper : helpers_) {
    ASSIGN_OR_RETURN(const bool queued, helper->Queue());
    (queued ? waiting : working).push_back(helper.get());
  }
  std::vector<double> took(1 + working.size());
  RETURN_IF_ERROR(RunThreads(static_cast<int>(took.size()), [&](int thread) -> Status {
    const Stopwatch of_thread;
    const auto team = static_cast<size_t>(thread);
    // The calling thread runs the main team, because its GPU is set for that thread.
    RETURN_IF_ERROR(team == 0 ? main_team_->Work() : working[team - 1]->Work(*main_team_));
    took[team] = of_thread.seconds();
    return OkStatus();
  }));
  seconds->main_team = took[0];
  for (HelperTeam* const helper : waiting) RETURN_IF_ERROR(helper->Work(*main_team_));
  if (!waiting.empty()) took.push_back(watch.seconds());
  seconds->helpers = *std::max_element(took.begin() + 1, took.end());
  return OkStatus();
}

std::span<const std::byte> HybridPasses::BorderOf(const SharedPass& pass, size_t team) {
  CHECK_LT(team, pass.shares.size());
  border_.clear();
  for (size_t later = team + 1; later < pass.shares.size() && pass.shares[team].splits; ++later) {
    const TeamShare& share = pass.shares[later];
    if (!share.has_blocks()) continue;
    const std::span<const std::byte> more = helpers_[later - 1]->border();
    CHECK(more.empty() || more.size() == program_.traits.sum_bytes);
    if (border_.empty()) {
      border_.assign(more.begin(), more.end());
    } else if (!more.empty()) {
      calls().combine(border_.data(), more.data());
    }
    if (!share.within_list()) break;  // the list ends in the blocks of this share
  }
  return border_;
}

Status HybridPasses::Take(const SharedPass& pass) {
  // The borders of later teams are read before these teams take, which may end the borders.
  RETURN_IF_ERROR(main_team_->Take(BorderOf(pass, 0)));
  for (size_t i = 0; i < helpers_.size(); ++i) {
    RETURN_IF_ERROR(helpers_[i]->Take(BorderOf(pass, i + 1)));
  }
  return OkStatus();
}

Status HybridPasses::Return(const SharedPass& pass) {
  CHECK_EQ(pass.shares.size(), memories_.size());  // one for each team
  const std::vector<OwnElements> views = calls().own_elements(program_.program);
  CrossedCounts& crossed = run_.crossed();
  const bool some = !program_.traits.applies_to_all;
  IndexSet touched{.words = {}, .begin = 0, .end = pass.main_share().end_vertex};
  if (some) {
    ASSIGN_OR_RETURN(const uint64_t bytes, main_team_->TouchedWords(run_.words()));
    touched.words = run_.words();
    crossed.set_bytes += bytes;
  }
  RETURN_IF_ERROR(ReturnFrom(0, views, touched));
  for (size_t team = 1; team < pass.shares.size(); ++team) {
    const TeamShare& share = pass.shares[team];
    if (!share.owns_vertices()) continue;
    HelperTeam& helper = *helpers_[team - 1];
    touched = {.words = some ? helper.touched() : std::span<const uint64_t>(),
               .begin = share.first_vertex,
               .end = share.end_vertex};
    RETURN_IF_ERROR(ReturnFrom(team, views, touched));
    crossed.set_bytes += (share.end_vertex - share.first_vertex) / 8;
    RETURN_IF_ERROR(helper.GiveActive(*main_team_));
  }
  return OkStatus();
}

Status HybridPasses::ReturnByVertex(const SharedPass& pass) {
  CrossedCounts& crossed = run_.crossed();
  const std::vector<OwnElements> views = calls().own_elements(program_.program);
  for (size_t team = 0; team < pass.shares.size(); ++team) {
    const TeamShare& share = pass.shares[team];
    if (!share.owns_vertices()) continue;
    const uint32_t* const touched =
        team == 0 ? main_team_->TouchedThere() : helpers_[team - 1]->TouchedThere();
    for (const OwnElements& view : views) {
      const std::span<std::byte> range = view.Range(share.first_vertex, share.end_vertex);
      ArrayHome& from = view.copy->home(memories_[team]);
      const std::byte* const source = view.copy->PlaceOf(range.data(), memories_[team]);
      for (const MemoryId memory : memories_) {
        if (memory == memories_[team] || range.empty()) continue;
        ArrayHome& to = view.copy->home(memory);
        std::byte* const place = view.copy->PlaceOf(range.data(), memory);
        if (touched != nullptr && to.Sees(from)) {
          RETURN_IF_ERROR(to.CopyMembersFrom(
              from, {source, place, view.bytes, touched + share.first_vertex / 32,
                     range.size() / view.bytes}));
        } else {
          RETURN_IF_ERROR(to.CopyFrom(from, source, place, range.size()));
          crossed.returned_bytes += range.size();
        }
      }
    }
    if (team == 0) continue;
    crossed.set_bytes += share.lists.size() / 8;
    RETURN_IF_ERROR(helpers_[team - 1]->GiveActive(*main_team_));
  }
  for (const OwnElements& view : views) view.copy->NoteCurrentIn(memories_);
  return OkStatus();
}

Status HybridPasses::ReturnFrom(size_t team, std::span<const OwnElements> views,
                                const IndexSet& touched) {
  CHECK_LT(team, memories_.size());
  CrossedCounts& crossed = run_.crossed();
  const auto copy = [&](ReturnTo to, MemoryId other) -> Status {
    ASSIGN_OR_RETURN(const uint64_t bytes, ReturnValues(to, other, views, touched));
    crossed.returned_bytes += bytes;
    return OkStatus();
  };
  const MemoryId from = memories_[team];
  if (from != kHostMemory) RETURN_IF_ERROR(copy(ReturnTo::kHost, from));
  for (const MemoryId memory : memories_) {
    if (memory != from && memory != kHostMemory) RETURN_IF_ERROR(copy(ReturnTo::kOther, memory));
  }
  return OkStatus();
}

StatusOr<std::unique_ptr<OperatorPasses>> HybridBackend::MakePasses(const ProgramRef& program) {
  if (program.calls->team == nullptr) return main_backend_->MakePasses(program);
  HybridPasses::Teams teams;
  ASSIGN_OR_RETURN(teams.main, main_backend_->MakeTeam(program));
  ASSIGN_OR_RETURN(teams.helpers, main_backend_->MakeHelpers(program));
  return std::unique_ptr<OperatorPasses>(
      std::make_unique<HybridPasses>(std::move(teams), *run_, recorder_, program));
}

}  // namespace edgemill

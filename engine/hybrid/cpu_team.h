// Threads of the CPU as a host team. They work on the host's copy of the state, or on another copy
// that the CPU can read.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "common/check.h"
#include "engine/hybrid/cpu_part.h"
#include "engine/hybrid/hybrid_run.h"
#include "engine/hybrid/team_programs.h"
#include "engine/program/helper_team.h"

namespace edgemill {

template <typename P>
class CpuTeam final : public HelperTeam {
 public:
  CpuTeam(HostTeamResources& resources, const ProgramRef& program)
      : resources_(resources),
        traits_(program.traits),
        visits_{.recorder = Recorder(resources.graph)} {
    if constexpr (kTakesFirst<P>) {
      closed_.emplace(resources.workspace->closed(), graph().num_vertices(), graph().threads());
    }
  }

  const OtherMemory& memory() const override { return resources_.memory; }
  Status Begin(const void* program, const SharedPass& pass, size_t team,
               MainTeam& main_team) override;
  Status Work(MainTeam& main_team) override;
  std::span<const std::byte> border() const override {
    if (share_.within_list()) return SumBytes(beyond_);
    return SumBytes(owned_.border);
  }
  Status Take(std::span<const std::byte> border) override;
  std::span<const uint64_t> touched() const override {
    CHECK(sets_.touched.get() != nullptr);  // Begin has acquired the sets
    return sets_.touched.get()->words();
  }
  Status GiveActive(MainTeam& main_team) override {
    CHECK(sets_.next.get() != nullptr);
    return main_team.AddActive({sets_.next.get()->words(), share_.first_vertex, share_.end_vertex});
  }
  uint64_t sent() const override { return sender_ == nullptr ? 0 : sender_->sent(); }
  Status Report(Mode mode, Recorder* recorder) override {
    const uint64_t blocks = visits_.recorder.last().blocks;
    const uint64_t visited = blocks - std::exchange(visits_.reported, blocks);
    recorder->AddBlocks(visited);
    if (mode != Mode::kPush) recorder->AddEdges(graph().blocks().EdgesOf(visited));
    return OkStatus();
  }

 private:
  using Owning = OwningProgram<P>;

  /// An account of all blocks visited, and how many of them were reported.
  struct Visits {
    Recorder recorder;
    uint64_t reported = 0;
  };
  /// The vertices that emit, those that are active next, and those that took a sum.
  struct TeamSets {
    bool all = false;  // every vertex emits, and `from` is not used
    PooledSet from, next, touched;
  };

  template <typename Partial>  // has `sum` and `any`
  static std::span<const std::byte> SumBytes(const Partial& partial) {
    if (!partial.any) return {};
    return std::as_bytes(std::span(&partial.sum, 1));
  }
  LoadedGraph& graph() const { return resources_.graph; }
  Workspace& workspace() const { return *resources_.workspace; }
  const Frontier* from() const { return sets_.all ? nullptr : sets_.from.get(); }
  ClosedBits* closed() { return closed_.has_value() ? &*closed_ : nullptr; }
  std::vector<Direction> Lists() const {
    return ListsOfPass(pass_, traits_.directions, graph().info().directed);
  }
  Status AcquireSets();
  Status Pull();
  Status PushOrPullAndSend(MainTeam& main_team);
  /// Clears the closed bits: the next pass cannot use them, because this team does not know what
  /// vertices of other teams have taken.
  void EndClosed();

  HostTeamResources& resources_;
  const ProgramTraits traits_;
  Visits visits_;
  std::optional<ClosedBits> closed_;          // of programs that take the first message
  std::unique_ptr<MessageSender<P>> sender_;  // to the main team; made when it is first needed
  // Of the current shared pass.
  SharedPass pass_;
  TeamShare share_;
  P program_;
  TeamSets sets_;
  OwnedVertices<P> owned_;
  PartialSum<Owning> beyond_;             // of the list that goes on in later teams' blocks
  std::optional<EdgePass<Owning>> part_;  // where it owns lists
};

template <typename P>
Status CpuTeam<P>::AcquireSets() {
  for (PooledSet* const set : {&sets_.from, &sets_.next, &sets_.touched}) {
    if (set->get() == nullptr) {
      ASSIGN_OR_RETURN(*set, PooledSet::Acquire(workspace().sets()));
    }
    if (set != &sets_.from) set->get()->Clear(graph().threads());
  }
  return OkStatus();
}

template <typename P>
Status CpuTeam<P>::Begin(const void* program, const SharedPass& pass, size_t team,
                         MainTeam& main_team) {
  CHECK(team > 0 && team < pass.shares.size());  // the first share is the main team's
  CHECK(!part_.has_value());                     // the last pass has ended
  pass_ = pass;
  share_ = pass.shares[team];
  program_ = *static_cast<const P*>(program);
  RETURN_IF_ERROR(AcquireSets());
  sets_.all = main_team.alone().active().vertices == graph().num_vertices();
  if (!sets_.all) {
    ASSIGN_OR_RETURN(const uint64_t bytes, main_team.ActiveWords(sets_.from.get()->BeginAssign()));
    resources_.crossed.set_bytes += bytes;
    sets_.from.get()->EndAssign(graph().threads());
  }
  owned_ = {.touched = sets_.touched.get(), .first = static_cast<VertexId>(share_.first_vertex)};
  beyond_ = {};
  // All copies are equal, so every team consumes the same: nothing must cross. Only the main team
  // counts the tallies.
  EdgePass<P> consuming(graph(), workspace(), program_, {from(), sets_.next.get()});
  return consuming.Consume(from());
}

template <typename P>
void CpuTeam<P>::EndClosed() {
  if (closed() == nullptr) return;
  closed()->EndPass(*sets_.next.get(), HasCond<P>);
  closed()->Clear();
}

template <typename P>
Status CpuTeam<P>::Work(MainTeam& main_team) {
  if (!share_.has_blocks()) return OkStatus();
  return pass_.owns_lists ? Pull() : PushOrPullAndSend(main_team);
}

template <typename P>
Status CpuTeam<P>::Pull() {
  Owning owning;
  static_cast<P&>(owning) = program_;
  owning.owned = &owned_;
  part_.emplace(graph(), workspace(), owning, PassSets{from(), sets_.next.get(), closed()});
  part_->set_blocks({share_.begin, share_.end});
  CpuPart<Owning> work{.part = *part_, .recorder = visits_.recorder, .beyond = &beyond_};
  return work.Pull(Lists());
}

template <typename P>
Status CpuTeam<P>::PushOrPullAndSend(MainTeam& main_team) {
  if (sender_ == nullptr) {
    sender_ = std::make_unique<MessageSender<P>>(graph().threads(),
                                                 [&main_team](auto vertices, auto sums) {
                                                   return main_team.Receive(vertices, sums.data());
                                                 });
  }
  // Vertices that become active in this copy may emit at once. Their owner makes them emit again.
  const bool repeats = pass_.asynchronous && kTriesOwnCopy<P> && !kConsumes<P>;
  SendingProgram<P> sending;
  static_cast<P&>(sending) = program_;
  sending.sender = sender_.get();
  sending.emits_at_once = repeats;
  EdgePass<SendingProgram<P>> part(graph(), workspace(), sending,
                                   {from(), sets_.next.get(), closed()});
  part.set_blocks({share_.begin, share_.end});
  CpuPart<SendingProgram<P>> work{.part = part, .recorder = visits_.recorder};
  if (repeats) work.repeats = workspace().options().async_passes;
  const Status status = work.Run(pass_, Lists()).status();
  EndClosed();
  RETURN_IF_ERROR(status);
  return sender_->Flush();
}

template <typename P>
Status CpuTeam<P>::Take(std::span<const std::byte> border) {
  if (!part_.has_value()) return OkStatus();  // the team owns no vertices
  if (share_.splits && share_.owns_vertices()) {
    const auto last = static_cast<VertexId>(share_.end_vertex - 1);
    TakeSplitList(*part_, Lists()[0], last, beyond_, border);
  }
  part_->copies().End();  // tallies of vertices that the team owns
  EndClosed();
  part_.reset();
  return OkStatus();
}

}  // namespace edgemill

// The CPU's threads as a team that helps: they work on the host's copy of the state.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/hybrid/cpu_part.h"
#include "engine/hybrid/helping_team.h"
#include "engine/hybrid/hybrid_run.h"
#include "engine/hybrid/team_programs.h"

namespace edgemill {

template <typename P>
class CpuTeam final : public HelpingTeam {
 public:
  /// `program`, whose bytes must outlive it, shows the host's memory.
  CpuTeam(HybridRun& run, const ProgramRef& program)
      : run_(run), ref_(program), recorder_(run.graph()) {
    if constexpr (kTakesFirst<P>) {
      closed_.emplace(run.workspace().closed(), run.graph().num_vertices(), run.graph().threads());
    }
  }

  Status Begin(const SharedPass& pass, LeadingTeam& leader) override;
  Status Work(LeadingTeam& leader) override;
  std::span<const std::byte> border() const override {
    if (!owned_.border.any) return {};
    return std::as_bytes(std::span(&owned_.border.sum, 1));
  }
  std::span<const uint64_t> touched() const override { return touched_.get()->words(); }
  std::span<const uint64_t> active() const override { return next_.get()->words(); }
  uint64_t sent() const override { return sender_ == nullptr ? 0 : sender_->sent(); }
  uint64_t blocks() const override { return recorder_.last().blocks; }

 private:
  LoadedGraph& graph() const { return run_.graph(); }
  const Frontier* from() const { return all_ ? nullptr : from_.get(); }
  Status TakeSets();
  /// Has run(work, lists) visit its blocks, `work` a CpuPart<Q>.
  template <typename Q, typename Run>
  Status Visit(const Q& program, Run run);

  HybridRun& run_;
  const ProgramRef ref_;
  Recorder recorder_;
  std::optional<ClosedBits> closed_;          // of programs that take the first message
  std::unique_ptr<MessageSender<P>> sender_;  // to the leader, once there is something to send
  // Of the shared pass under way.
  SharedPass pass_;
  P program_;
  bool all_ = false;  // every vertex emits
  PooledSet from_, next_, touched_;
  OwnedVertices<P> owned_;
};

template <typename P>
Status CpuTeam<P>::TakeSets() {
  for (PooledSet* const set : {&from_, &next_, &touched_}) {
    if (set->get() == nullptr) {
      ASSIGN_OR_RETURN(*set, PooledSet::Take(run_.workspace().sets()));
    }
    if (set != &from_) set->get()->Clear(graph().threads());
  }
  return OkStatus();
}

template <typename P>
Status CpuTeam<P>::Begin(const SharedPass& pass, LeadingTeam& leader) {
  pass_ = pass;
  program_ = *static_cast<const P*>(ref_.program);
  RETURN_IF_ERROR(TakeSets());
  all_ = leader.alone().active().vertices == graph().num_vertices();
  if (!all_) {
    ASSIGN_OR_RETURN(const uint64_t bytes, leader.ActiveWords(from_.get()->BeginAssign()));
    run_.crossed().set_bytes += bytes;
    from_.get()->EndAssign(graph().threads());
  }
  owned_ = {.touched = touched_.get(), .first = pass.first_vertex};
  // Both copies are alike, and so is what they consume: nothing has to cross. The leader counts.
  EdgePass<P> consuming(graph(), run_.workspace(), program_, from(), next_.get(), nullptr);
  return consuming.Consume(from());
}

template <typename P>
template <typename Q, typename Run>
Status CpuTeam<P>::Visit(const Q& program, Run run) {
  ClosedBits* const closed = closed_.has_value() ? &*closed_ : nullptr;
  EdgePass<Q> part(graph(), run_.workspace(), program, from(), next_.get(), closed);
  part.set_blocks({pass_.first, ~uint64_t{0}});
  CpuPart<Q> work{.part = part, .recorder = recorder_};
  const Status status =
      run(work, ListsOfPass(pass_, ref_.traits.directions, graph().info().directed));
  if (closed != nullptr) {
    closed->EndPass(*next_.get(), HasCond<P>);
    closed->Clear();  // the leader's vertices change until the next pass
  }
  return status;
}

template <typename P>
Status CpuTeam<P>::Work(LeadingTeam& leader) {
  using Lists = std::vector<Direction>;
  if (pass_.owns_lists) {  // a pull
    OwningProgram<P> owning;
    static_cast<P&>(owning) = program_;
    owning.owned = &owned_;
    return Visit(owning, [&](CpuPart<OwningProgram<P>>& work, const Lists& lists) {
      const Status status = work.Pull(lists);
      work.part.copies().End();  // what it owns counts
      return status;
    });
  }
  if (sender_ == nullptr) {
    sender_ = std::make_unique<MessageSender<P>>(
        graph().threads(),
        [&leader](auto vertices, auto sums) { return leader.Receive(vertices, sums.data()); });
  }
  // Vertices that are active in its copy emit at once: their owner has them emit again.
  const bool repeats = pass_.asynchronous && kTriesOwnCopy<P> && !kConsumes<P>;
  SendingProgram<P> sending;
  static_cast<P&>(sending) = program_;
  sending.sender = sender_.get();
  sending.emits_at_once = repeats;
  RETURN_IF_ERROR(Visit(sending, [&](CpuPart<SendingProgram<P>>& work, const Lists& lists) {
    if (repeats) work.repeats = run_.workspace().options().async_passes;
    return work.Run(pass_, lists).status();
  }));
  return sender_->Flush();
}

}  // namespace edgemill

// The CPU's threads as the team that helps: they work on the host's copy of the state.
#pragma once

#include <utility>
#include <vector>

#include "engine/hybrid/cpu_part.h"
#include "engine/hybrid/hybrid_run.h"
#include "engine/hybrid/leading_team.h"
#include "engine/hybrid/team_programs.h"

namespace edgemill {

/// Visits its blocks of shared passes of one operator.
template <typename P>
class HelpingTeam {
 public:
  HelpingTeam(HybridRun& run, Directions directions)
      : run_(run), directions_(directions), recorder_(run.graph()) {
    if constexpr (kTakesFirst<P>) {
      closed_.emplace(run.workspace().closed(), run.graph().num_vertices(), run.graph().threads());
    }
  }

  /// `program` shows the host's memory. Consumes there what emits.
  Status Begin(const P& program, const SharedPass& pass, LeadingTeam<P>& leader);
  /// Visits its blocks. Messages for vertices of the leader's are handed over when it returns.
  Status Work(LeadingTeam<P>& leader);

  /// What its blocks brought the vertex before its first.
  const BorderSum<P>& border() const { return owned_.border; }
  /// Of the vertices that it owns, which were touched, and which are active.
  std::span<const uint64_t> touched() const { return touched_.get()->words(); }
  std::span<const uint64_t> active() const { return next_.get()->words(); }
  /// Messages that it has sent so far.
  uint64_t sent() const { return sent_; }
  /// Blocks that it has visited so far.
  uint64_t blocks() const { return recorder_.last().blocks; }

 private:
  LoadedGraph& graph() const { return run_.graph(); }
  const Frontier* from() const { return all_ ? nullptr : from_.get(); }
  Status TakeSets();
  template <typename Q>
  Status Visit(const Q& program, uint32_t repeats, bool counts);

  HybridRun& run_;
  const Directions directions_;
  Recorder recorder_;
  std::optional<ClosedBits> closed_;  // of programs that take the first message
  uint64_t sent_ = 0;
  // Of the shared pass under way.
  SharedPass pass_;
  P program_;
  bool all_ = false;  // every vertex emits
  PooledSet from_, next_, touched_;
  OwnedVertices<P> owned_;
};

template <typename P>
Status HelpingTeam<P>::TakeSets() {
  for (PooledSet* const set : {&from_, &next_, &touched_}) {
    if (set->get() == nullptr) {
      ASSIGN_OR_RETURN(*set, PooledSet::Take(run_.workspace().sets()));
    }
    if (set != &from_) set->get()->Clear(graph().threads());
  }
  return OkStatus();
}

template <typename P>
Status HelpingTeam<P>::Begin(const P& program, const SharedPass& pass, LeadingTeam<P>& leader) {
  pass_ = pass;
  program_ = program;
  RETURN_IF_ERROR(TakeSets());
  all_ = leader.alone().active().vertices == graph().num_vertices();
  if (!all_) {
    RETURN_IF_ERROR(leader.ActiveWords(from_.get()->BeginAssign()));
    from_.get()->EndAssign(graph().threads());
  }
  owned_ = {.touched = touched_.get(), .first = pass.first_vertex};
  // Both copies are alike, and so is what they consume: nothing has to cross. The leader counts.
  EdgePass<P> consuming(graph(), run_.workspace(), program, from(), next_.get(), nullptr);
  return consuming.Consume(from());
}

template <typename P>
template <typename Q>
Status HelpingTeam<P>::Visit(const Q& program, uint32_t repeats, bool counts) {
  ClosedBits* const closed = closed_.has_value() ? &*closed_ : nullptr;
  EdgePass<Q> part(graph(), run_.workspace(), program, from(), next_.get(), closed);
  part.set_blocks({pass_.first, ~uint64_t{0}});
  CpuPart<Q> work{.part = part, .recorder = recorder_, .repeats = repeats};
  const auto emitted = work.Run(pass_, ListsOfPass(pass_, directions_, graph().info().directed));
  if (closed != nullptr) {
    closed->EndPass(*next_.get(), HasCond<P>);
    closed->Clear();  // the leader's vertices change until the next pass
  }
  if (counts) part.copies().End();
  return emitted.status();
}

template <typename P>
Status HelpingTeam<P>::Work(LeadingTeam<P>& leader) {
  if (pass_.owns_lists) {
    OwningProgram<P> owning;
    static_cast<P&>(owning) = program_;
    owning.owned = &owned_;
    return Visit(owning, 0, true);
  }
  MessageSender<P> sender(graph().threads(),
                          [&](auto vertices, auto sums) { return leader.Receive(vertices, sums); });
  // Vertices that are active in its copy emit at once: their owner has them emit again.
  const bool repeats = pass_.asynchronous && kTriesOwnCopy<P> && !kConsumes<P>;
  SendingProgram<P> sending;
  static_cast<P&>(sending) = program_;
  sending.sender = &sender;
  sending.emits_at_once = repeats;
  RETURN_IF_ERROR(Visit(sending, repeats ? run_.workspace().options().async_passes : 0, false));
  RETURN_IF_ERROR(sender.Flush());
  sent_ += sender.sent();
  return OkStatus();
}

}  // namespace edgemill

// HybridExecutor's iterations. Included by engine/hybrid/hybrid_executor.h.
#pragma once

#include "engine/old/hybrid/hybrid_executor.h"

namespace edgemill {

template <VertexProgram P>
IterationSituation HybridExecutor<P>::Situation(Mode mode) const {
  const IterationProgress at = progress();
  IterationSituation situation{.mode = mode,
                               .may_share = MayShare(mode),
                               .on_host = on_host_ && frontier_on_host_,
                               .on_card = on_card_,
                               .state_bytes = leader_->state_bytes(),
                               .prepare_bytes = leader_->unprepared_bytes()};
  const double edges = std::max(1.0, static_cast<double>(graph_.num_edges()));
  if (!kTraits.all_active && mode != Mode::kPull) {
    situation.fraction = static_cast<double>(at.active_edges) / edges;
  }
  if constexpr (SharedBySums<P>) {
    situation.exchange_bytes = graph_.num_vertices() * sizeof(Message);
  } else {
    const uint64_t changed = mode == Mode::kPull
                                 ? graph_.num_vertices()
                                 : std::min<uint64_t>(graph_.num_vertices(), at.active_edges);
    situation.exchange_bytes = changed * (sizeof(VertexId) + sizeof(Message));
  }
  return situation;
}

template <VertexProgram P>
Status HybridExecutor<P>::Prepare() {
  return leader_->unprepared_bytes() == 0 ? OkStatus() : leader_->PrepareSharing();
}

template <VertexProgram P>
Status HybridExecutor<P>::BringToHost() {
  RETURN_IF_ERROR(Prepare());
  if (!on_host_) {
    const Stopwatch watch;
    RETURN_IF_ERROR(leader_->StateToHost());
    dispatcher_.LearnLink(leader_->state_bytes(), watch.seconds());
    on_host_ = true;
  }
  if (frontier_on_host_) return OkStatus();
  if constexpr (!kTraits.all_active) {
    Frontier& current = helper_->current();
    std::span<uint64_t> waiting;
    if constexpr (kTraits.prioritised) waiting = helper_->waiting().BeginAssign();
    RETURN_IF_ERROR(leader_->FrontierToHost(current.BeginAssign(), waiting));
    current.EndAssign(graph_.threads());
    if constexpr (kTraits.prioritised) helper_->waiting().EndAssign(graph_.threads());
  }
  helper_->SetProgress(leader_->progress());
  frontier_on_host_ = true;
  return OkStatus();
}

template <VertexProgram P>
Status HybridExecutor<P>::BringToCard() {
  if (on_card_) return OkStatus();
  const Stopwatch watch;
  std::span<const uint64_t> current, waiting;
  if constexpr (!kTraits.all_active) current = helper_->current().words();
  if constexpr (kTraits.prioritised) waiting = helper_->waiting().words();
  RETURN_IF_ERROR(leader_->FromHost(helper_->progress(), current, waiting));
  dispatcher_.LearnLink(leader_->state_bytes(), watch.seconds());
  on_card_ = true;
  return OkStatus();
}

template <VertexProgram P>
StatusOr<typename P::Aggregate> HybridExecutor<P>::Iterate(P* program) {
  const IterationProgress at = progress();
  const Mode mode = on_card_ ? leader_->ChooseMode()
                             : rules_.Choose(at.num_active, at.active_edges, at.sent_edges);
  const IterationSituation situation = Situation(mode);
  const Dispatch dispatch = dispatcher_.Choose(situation);
  if (dispatch.processors == Processors::kBoth) {
    RETURN_IF_ERROR(BringToCard());
    return IterateTogether(program, mode, situation.fraction, dispatch.cpu_share);
  }
  const bool on_cpu = dispatch.processors == Processors::kCpu;
  RETURN_IF_ERROR(on_cpu ? BringToHost() : BringToCard());
  const Stopwatch watch;
  ProgramExecutor<P>& executor = on_cpu ? static_cast<ProgramExecutor<P>&>(*helper_)
                                        : static_cast<ProgramExecutor<P>&>(*leader_);
  ASSIGN_OR_RETURN(const Aggregate aggregate, executor.Iterate(program));
  const IterationReport& report = recorder_.last();
  if (IsRepeatable(report)) {
    dispatcher_.Learn(dispatch.processors, mode, situation.fraction, 1, report.seconds);
  }
  on_card_ = !on_cpu;
  on_host_ = frontier_on_host_ = on_cpu;
  return aggregate;
}

template <VertexProgram P>
StatusOr<typename ProgramExecutor<P>::Totals> HybridExecutor<P>::RunToEnd(P* program) {
  Totals totals;
  while (num_active() > 0) {
    if (on_card_ && !dispatcher_.told()) {
      ASSIGN_OR_RETURN(const bool looped, leader_->Loop(program, &totals));
      if (looped) {
        on_host_ = frontier_on_host_ = false;
        continue;
      }
    }
    totals.activations += num_active();
    ++totals.iterations;
    RETURN_IF_ERROR(Iterate(program).status());
  }
  return totals;
}

/// Both sweep what they take of `queue`.
template <VertexProgram P>
template <typename HelperProgram>
Status HybridExecutor<P>::SweepTogether(Executor<HelperProgram>& helper,
                                        const HelperProgram& program, SweepQueue* queue,
                                        SweepSeconds* seconds) {
  return RunThreads(2, [&](int thread) -> Status {
    // The leader's device is the calling thread's.
    const bool leads = thread == 0;
    const Stopwatch watch;
    while (const auto blocks = leads ? queue->TakeForGpu() : queue->TakeForCpu()) {
      const Status swept =
          leads ? leader_->SweepBlocks(*blocks) : helper.SweepBlocks(program, *blocks);
      if (!swept.ok()) {
        queue->Stop();
        return swept;
      }
    }
    (leads ? seconds->gpu : seconds->cpu) = watch.seconds();
    return OkStatus();
  });
}

/// Whether an iteration like it would take as long again: not one in which blocks came to stay, in
/// the host's memory or on the card.
template <VertexProgram P>
bool HybridExecutor<P>::IsRepeatable(const IterationReport& report) const {
  constexpr uint64_t kFew = 8;  // one in so many
  const bool blocks_stay = dispatcher_.setting().in_memory;
  if (blocks_stay && kFew * report.blocks_read > report.blocks) return false;
  return kFew * report.transfers[Transfer::kResident].bytes <= report.transfers.total().bytes;
}

template <VertexProgram P>
StatusOr<typename P::Aggregate> HybridExecutor<P>::IterateTogether(P* program, Mode mode,
                                                                   double fraction,
                                                                   double cpu_share) {
  RETURN_IF_ERROR(CheckCancelled());
  recorder_.Start(mode, num_active(),
                  kTraits.all_active ? graph_.num_edges() : progress().active_edges);
  SweepSeconds seconds;
  RETURN_IF_ERROR(Prepare());
  SweepQueue queue(graph_.num_blocks(), cpu_share, dispatcher_.told());
  HelperPart part;
  if constexpr (SharedBySums<P>) {
    const Stopwatch watch;
    ASSIGN_OR_RETURN(const uint64_t bytes, leader_->SentToHost(*program));
    dispatcher_.LearnLink(bytes, watch.seconds());
    Gathering<P> gathering{*program, leader_->sums().data()};
    RETURN_IF_ERROR(leader_->BeginShared(program, mode));
    RETURN_IF_ERROR(gatherer_->BeginSweep(&gathering, mode));
    RETURN_IF_ERROR(SweepTogether(*gatherer_, gathering, &queue, &seconds));
    RETURN_IF_ERROR(gatherer_->EndSweep(gathering, queue.boundary()).status());
    if (queue.boundary() < graph_.num_blocks()) {
      part.first_block = queue.boundary();
      part.first_vertex = graph_.Extent(Direction::kIn, part.first_block).owned_begin;
    }
  } else if constexpr (SharedByMessages<P>) {
    RETURN_IF_ERROR(BringToHost());
    RETURN_IF_ERROR(leader_->BeginShared(program, mode));
    RETURN_IF_ERROR(helper_->BeginSweep(program, mode));
    RETURN_IF_ERROR(SweepTogether(*helper_, *program, &queue, &seconds));
    RETURN_IF_ERROR(helper_->EndSweep(*program, queue.boundary()).status());
    RETURN_IF_ERROR(Exchange(*program));
  }
  ASSIGN_OR_RETURN(const Aggregate aggregate, leader_->EndShared(program, part));
  on_host_ = SharedByMessages<P>;
  frontier_on_host_ = false;
  recorder_.Finish();
  if (IsRepeatable(recorder_.last())) {
    const double on_card = static_cast<double>(queue.boundary()) /
                           static_cast<double>(std::max<uint64_t>(1, graph_.num_blocks()));
    dispatcher_.Learn(Processors::kGpu, mode, fraction, on_card, seconds.gpu);
    dispatcher_.Learn(Processors::kCpu, mode, fraction, 1 - on_card, seconds.cpu);
  }
  return aggregate;
}

/// Tells the leader what the helper has changed, then the helper what both have.
template <VertexProgram P>
Status HybridExecutor<P>::Exchange(const P& program) {
  if constexpr (SharedByMessages<P>) {
    const Stopwatch watch;
    const edgemill::Exchange<Message> memory = leader_->exchange();
    const uint64_t num_vertices = graph_.num_vertices();
    const uint64_t window = memory.ids.size();
    uint64_t told = 0;
    const auto each_window = [&](auto body) -> Status {
      for (uint64_t begin = 0; begin < num_vertices; begin += window) {
        const uint64_t end = std::min(begin + window, num_vertices);
        ASSIGN_OR_RETURN(const uint32_t count,
                         body(static_cast<VertexId>(begin), static_cast<VertexId>(end)));
        told += count;
      }
      return OkStatus();
    };
    constexpr Told kAll[] = {Told::kActive, Told::kSent};
    const auto all_told = std::span(kAll).first(tells_sent_ ? 2 : 1);
    helper_->BeginTelling();
    for (const Told which : all_told) {
      RETURN_IF_ERROR(each_window([&](VertexId begin, VertexId end) -> StatusOr<uint32_t> {
        ASSIGN_OR_RETURN(const uint32_t count, helper_->Tell(program, which, begin, end, memory));
        RETURN_IF_ERROR(leader_->Receive(which, count));
        return count;
      }));
    }
    helper_->EndTelling();
    for (const Told which : all_told) {
      RETURN_IF_ERROR(each_window([&](VertexId begin, VertexId end) -> StatusOr<uint32_t> {
        ASSIGN_OR_RETURN(const uint32_t count, leader_->Tell(which, begin, end));
        RETURN_IF_ERROR(helper_->Hear(program, memory, count));
        return count;
      }));
    }
    dispatcher_.LearnLink(told * (sizeof(VertexId) + sizeof(Message)), watch.seconds());
  }
  return OkStatus();
}

}  // namespace edgemill

// Runs a vertex program on a CPU and a GPU together (Garaph, ATC 2017, section 5).
//
// Both have a copy of the state. Each iteration the dispatcher decides who works: one of them,
// whose copy is then ahead of the other's until that one is wanted again; or both, on blocks that
// whoever is free takes from the two ends of one queue. What crosses over after an iteration of
// both:
//   programs that take messages in any order (SharedByMessages): each side relaxed its own copy,
//   and
//     tells the other of the vertices that are active next, whose state alone changed (and, in
//     asynchronous runs, of those that have sent already); Receive merges;
//   programs where all are active (SharedBySums), in pull: the CPU has added up the lists in its
//     blocks, the GPU applies these sums (of the one list that both had a part of, together), and
//     what vertices send next goes to the CPU before it helps again.
// Integers come out the same as on one processor. Floating-point sums are taken in other trees, and
// are within the tolerance of the algorithm.
#pragma once

#include <memory>
#include <utility>

#include "common/clock.h"
#include "engine/old/cpu/executor.h"
#include "engine/old/program/leading_executor.h"
#include "engine/plan/dispatcher.h"

namespace edgemill {

/// `P`, adding up what lists receive instead of applying it.
template <typename P>
struct Gathering {
  using Message = typename P::Message;
  using Weight = typename P::Weight;
  using Aggregate = NoAggregate;
  static constexpr ProgramTraits kTraits{.all_active = true, .apply_to_all = true};

  P program;
  Message* sums;  // one a vertex

  bool Initial(VertexId, const Context&) const { return true; }
  bool Send(VertexId vertex, const Context& context, Message* message) const {
    return program.Send(vertex, context, message);
  }
  void Prefetch(VertexId vertex) const { program.Prefetch(vertex); }
  Message Along(Message message, Weight weight) const { return program.Along(message, weight); }
  static Message Identity() { return P::Identity(); }
  static Message Combine(Message a, Message b) { return P::Combine(a, b); }
  bool Wants(VertexId) const { return true; }
  bool Apply(VertexId vertex, Message sum, const Context&, Aggregate*) const {
    sums[vertex] = sum;
    return true;
  }
};

template <VertexProgram P>
class HybridExecutor final : public ProgramExecutor<P> {
 public:
  using Message = typename P::Message;
  using Aggregate = typename P::Aggregate;
  using Totals = typename ProgramExecutor<P>::Totals;
  static constexpr ProgramTraits kTraits = P::kTraits;
  using Gatherer = std::conditional_t<SharedBySums<P>, Gathering<P>, P>;

  /// Bytes beside those of Executor<P> on a graph of `num_blocks`.
  static uint64_t SizeBytes(uint64_t num_blocks) {
    if constexpr (!SharedBySums<P>) return 0;
    return Executor<Gatherer>::SizeBytes(0, num_blocks, Mode::kPull);
  }

  /// Use Create.
  HybridExecutor(std::unique_ptr<LeadingExecutor<P>> leader, LoadedGraph& graph, Mode mode,
                 Recorder& recorder, const Dispatcher& dispatcher, uint32_t async_passes)
      : graph_(graph),
        rules_(graph, mode, kTraits),
        recorder_(recorder),
        tells_sent_(SharedByMessages<P> && kTraits.asynchronous && async_passes > 0),
        dispatcher_(dispatcher),
        leader_(std::move(leader)) {}

  /// `leader` is the GPU's executor, not initialised. Errors as Executor::Create.
  static StatusOr<std::unique_ptr<HybridExecutor>> Create(
      std::unique_ptr<LeadingExecutor<P>> leader, LoadedGraph& graph, Mode mode, Recorder& recorder,
      const Dispatcher& dispatcher, uint32_t async_passes = 0) {
    auto executor = std::make_unique<HybridExecutor>(std::move(leader), graph, mode, recorder,
                                                     dispatcher, async_passes);
    ASSIGN_OR_RETURN(executor->helper_, Executor<P>::Create(graph, mode, recorder, async_passes));
    if (executor->tells_sent_) RETURN_IF_ERROR(executor->helper_->KeepSent());
    if constexpr (SharedBySums<P>) {
      if (executor->rules_.may_pull()) {
        ASSIGN_OR_RETURN(executor->gatherer_,
                         Executor<Gatherer>::Create(graph, Mode::kPull, recorder));
      }
    }
    return executor;
  }

  Status Initialise(const P& program) override { return leader_->Initialise(program); }
  uint64_t num_active() const override {
    return kTraits.all_active ? graph_.num_vertices() : progress().num_active;
  }
  StatusOr<Aggregate> Iterate(P* program) override;
  StatusOr<Totals> RunToEnd(P* program) override;
  Status Finish(const P& program) override {
    return on_card_ && !on_host_ ? leader_->Finish(program) : OkStatus();
  }

 private:
  struct SweepSeconds {
    double cpu = 0;
    double gpu = 0;
  };

  IterationProgress progress() const {
    return on_card_ ? leader_->progress() : helper_->progress();
  }
  bool MayShare(Mode mode) const {
    if (graph_.num_blocks() == 0) return false;
    return SharedByMessages<P> || (SharedBySums<P> && mode == Mode::kPull);
  }
  IterationSituation Situation(Mode mode) const;
  /// Before anything crosses over.
  Status Prepare();
  Status BringToHost();
  Status BringToCard();
  StatusOr<Aggregate> IterateTogether(P* program, Mode mode, double fraction, double cpu_share);
  template <typename HelperProgram>
  Status SweepTogether(Executor<HelperProgram>& helper, const HelperProgram& program,
                       SweepQueue* queue, SweepSeconds* seconds);
  bool IsRepeatable(const IterationReport& report) const;
  Status Exchange(const P& program);

  LoadedGraph& graph_;
  const ModeRules rules_;
  Recorder& recorder_;
  const bool tells_sent_;  // asynchronous: changes include vertices that are not active next
  Dispatcher dispatcher_;
  std::unique_ptr<LeadingExecutor<P>> leader_;
  std::unique_ptr<Executor<P>> helper_;
  std::unique_ptr<Executor<Gatherer>> gatherer_;  // SharedBySums
  // Whose copy is up to date: the state's, and the frontiers' with what counts as progress.
  bool on_card_ = true;
  bool on_host_ = false;
  bool frontier_on_host_ = false;
};

}  // namespace edgemill

#include "engine/old/hybrid/hybrid_steps.h"

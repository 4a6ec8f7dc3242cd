// Runs a vertex program's iterations over a loaded graph.
//
// The unit of work is a block, taken by whichever thread is free. A list that crosses block borders
// leaves one partial message a block; these are combined in block order after the sweep. So in pull
// every sum is taken in an order that the graph alone decides: results are the same, bit for bit,
// whatever the threads, budget and disk.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "common/cancel.h"
#include "common/parallel.h"
#include "engine/cpu/push/short_lists.h"
#include "engine/graph/loaded_graph.h"
#include "engine/old/plan/mode_choice.h"
#include "engine/old/program/leading_executor.h"
#include "engine/old/program/program_executor.h"
#include "engine/plan/block_plan.h"
#include "engine/program/frontier.h"
#include "engine/report/recorder.h"
#include "kernels/block_ids.h"
#include "kernels/members.h"

namespace edgemill {

/// Holds a program's frontiers and partial results. One thread drives it.
template <VertexProgram P>
class Executor final : public ProgramExecutor<P> {
 public:
  using Message = typename P::Message;
  using Weight = typename P::Weight;
  using Aggregate = typename P::Aggregate;
  static constexpr ProgramTraits kTraits = P::kTraits;
  static constexpr bool kWeighted = !std::is_same_v<Weight, NoWeight>;
  /// Whether the program tells of 64 vertices at a time which of them want messages.
  static constexpr bool kWantsBits = requires(const P program) { program.WantsBits(uint64_t{0}); };
  /// Whether what pull applies is marked 64 vertices at a time.
  static constexpr bool kSettles = requires(const P program) {
    program.MarkSettled(uint64_t{0}, uint64_t{0});
  };
  /// Whether who becomes active in a push can be told by who wanted messages before it and does not
  /// afterwards: that spares pushes that reach many vertices an atomic operation for each. Only of
  /// iterations that no other processor shares, which would add vertices meanwhile.
  static constexpr bool kWantsTell = kWantsBits && kSettles;
  /// Whether pulls may decode blocks whole.
  static constexpr bool kWhole = kTraits.all_active || (!kTraits.apply_to_all && !kWeighted);
  static_assert(!kTraits.all_active || (kTraits.apply_to_all && !kWeighted),
                "no such program yet: PullAll reads no weights, and applies all");

  /// Bytes beside index and program state on a graph of `num_vertices` and `num_blocks`.
  static uint64_t SizeBytes(uint64_t num_vertices, uint64_t num_blocks, Mode mode) {
    uint64_t bytes = PartialsBytes(num_blocks);
    if (!kTraits.all_active) bytes += NumFrontiers(mode) * Frontier::SizeBytes(num_vertices);
    if (NeedsAccumulators(mode)) bytes += num_vertices * sizeof(Message);
    return bytes;
  }

  /// Reserves what SizeBytes says. UsageError when the graph lacks the columns for `mode`.
  /// `passes`: over a block while it is here, at most, where it pushes: see executor_live.h; 0, and
  /// without the trait, iterations are synchronous.
  static StatusOr<std::unique_ptr<Executor>> Create(LoadedGraph& graph, Mode mode,
                                                    Recorder& recorder, uint32_t passes = 0);

  Status Initialise(const P& program) override;
  uint64_t num_active() const override {
    return kTraits.all_active ? graph_.num_vertices() : num_active_;
  }
  StatusOr<Aggregate> Iterate(P* program) override;
  /// The state is in the host's arrays all along.
  Status Finish(const P&) override { return OkStatus(); }

  // An iteration in parts, so that it can be shared with another processor.
  /// Plans an iteration's sweep, and notifies receivers where `mode` does.
  Status BeginSweep(P* program, Mode mode);
  /// Sweeps those of the planned blocks that lie in `range`: any ranges, each block once.
  Status SweepBlocks(const P& program, BlockRange range);
  /// Applies what lists that cross blocks have received, of blocks from `first_block` on (the
  /// others are elsewhere), or what push has added up.
  StatusOr<Aggregate> EndSweep(const P& program, uint64_t first_block = 0);
  /// Finds out what is active next.
  Status EndIteration(P* program);

  // What crosses over between this copy of the state and the leader's (SharedByMessages).
  IterationProgress progress() const;
  void SetProgress(const IterationProgress& progress);
  /// The vertices that send next, and those that wait: to be replaced, or told to the leader.
  Frontier& current() { return current_; }
  Frontier& next() { return next_; }
  Frontier& waiting() { return waiting_; }
  /// Asynchronous: keeps account of vertices that have sent already, to be told. Reserves
  /// Frontier::SizeBytes.
  Status KeepSent();
  /// After EndSweep: the vertices that are to be told are sorted.
  void BeginTelling() {
    next_.Seal(graph_.threads());
    if (keeps_sent_) sent_.Seal(graph_.threads());
  }
  /// Writes what has become of those of `told` in [begin, end) to `exchange`, which has room;
  /// returns how many.
  StatusOr<uint32_t> Tell(const P& program, Told told, VertexId begin, VertexId end,
                          const Exchange<Message>& exchange);
  void EndTelling() { next_.Clear(graph_.threads()); }
  /// Takes the first `count` messages of `exchange`.
  Status Hear(const P& program, const Exchange<Message>& exchange, uint32_t count);

 private:
  /// What a block adds to a list that it shares with others.
  struct Partial {
    Message message = P::Identity();
    bool any = false;
    void Add(const Partial& other) {
      message = P::Combine(message, other.message);
      any |= other.any;
    }
  };

  /// Lists whose first neighbours are to be looked at: enough that memory is waited for seldom.
  struct Peeks {
    static constexpr uint32_t kCapacity = 256;

    std::array<ListStart, kCapacity> lists;
    uint32_t size = 0;
  };
  /// Most vertices find an active neighbour soon, and a list's first ones cost less than its group.
  static constexpr bool kPeeks = kTraits.early_exit && !kWeighted;
  /// Whoever is active wants nothing, and 64 vertices at a time say what they want and have got.
  static constexpr bool kFirsts = kPeeks && kWantsBits && kSettles;

  /// A block's lists one at a time, and whether it has paid to look at their first neighbours
  /// alone.
  class PullCursor : public ListCursor<Weight> {
   public:
    using ListCursor<Weight>::ListCursor;
    bool PeekPays() const { return peeks_ < 16 || 2 * hits_ > peeks_; }
    /// The same of looking at their very first before that.
    bool FirstPays() const { return first_peeks_ < 64 || 3 * first_hits_ > first_peeks_; }
    void CountFirsts(uint32_t peeks, uint32_t hits) {
      first_peeks_ += peeks;
      first_hits_ += hits;
    }
    void Count(uint32_t peeks, uint32_t hits) {
      peeks_ += peeks;
      hits_ += hits;
    }

   private:
    uint32_t peeks_ = 0;
    uint32_t hits_ = 0;
    uint32_t first_peeks_ = 0;
    uint32_t first_hits_ = 0;
  };

  Executor(LoadedGraph& graph, Mode mode, Recorder& recorder, uint32_t passes)
      : graph_(graph),
        rules_(graph, mode, kTraits),
        passes_(kTraits.asynchronous ? passes : 0),
        recorder_(recorder),
        plan_(NewPlan()) {}
  /// Two messages and a byte a block; the list of a sweep's blocks is 8 more, and its plan a bit.
  static uint64_t PartialsBytes(uint64_t num_blocks) {
    return num_blocks * (2 * sizeof(Message) + 1 + 8) + num_blocks / 8 + 8;
  }
  /// Whether notify-pull may be used: programs that can push choose it only when told to.
  static bool MayNotify(Mode mode) {
    return !kTraits.all_active &&
           (mode == Mode::kNotifyPull || (mode == Mode::kAuto && !kTraits.order_independent));
  }
  /// Whether push marks who received: an accumulator does not tell.
  static constexpr bool kMarksReceivers =
      !kTraits.order_independent && !kTraits.all_active && !kTraits.apply_to_all;
  static bool NeedsNotified(Mode mode) {
    return MayNotify(mode) || (kMarksReceivers && NeedsAccumulators(mode));
  }
  static uint64_t NumFrontiers(Mode mode) {
    return 2 + (NeedsNotified(mode) ? 1 : 0) + (kTraits.prioritised ? 1 : 0);
  }
  static bool NeedsAccumulators(Mode mode) {
    return mode == Mode::kPush && !kTraits.order_independent;
  }

  void NoteWants(const P& program);
  void TakeFromWants(const P& program);
  Status Measure(const P& program, Aggregate* total);
  Status TakeDue(P* program);
  Status CountActive();
  BlockPlan NewPlan() const { return BlockPlan(graph_.num_blocks(), graph_.info().block_edges); }
  StatusOr<BlockPlan> PlanActive();
  StatusOr<BlockPlan> PlanReceivers(const P& program, bool notified);
  uint64_t Receivers(const P& program, bool notified, uint64_t word, uint64_t begin,
                     uint64_t end) const;
  void AddReceivers(const P& program, size_t begin, size_t end, BlockPlan* plan) const;

  bool notified_only() const { return mode_ == Mode::kNotifyPull && !kTraits.all_active; }
  class BlockPush;
  Status ApplyBeyondLists(const P& program, Aggregate* total);
  Status PullFirsts(const P& program);
  void LearnFirst(VertexId vertex, VertexId first) {
    if constexpr (kFirsts) {
      if (firsts_ != nullptr) firsts_->Learn(vertex, first);
    }
  }
  Status SweepPull(const P& program, std::vector<uint64_t> blocks);
  bool PullBlock(const P& program, bool notified, const BlockEdges& edges, int thread);
  bool PullAll(const P& program, const BlockEdges& edges, BlockIds& ids, Aggregate* aggregate);
  bool WholePays(const P& program, bool notified, const BlockEdges& edges) const;
  bool PullWhole(const P& program, bool notified, const BlockEdges& edges, BlockIds& ids,
                 Aggregate* aggregate);
  bool PullLists(const P& program, bool notified, const BlockEdges& edges, Aggregate* aggregate);
  template <typename PullOne>
  bool PullPeeked(const P& program, const BlockEdges& edges, PullCursor& cursor, Peeks* peeks,
                  Aggregate* aggregate, FrontierBatch& active, PullOne pull);
  bool PullFirstIds(const P& program, const BlockEdges& edges, PullCursor& cursor, Peeks* peeks,
                    Aggregate* aggregate, FrontierBatch& active);
  template <typename PullOne>
  bool PullReceivers(const P& program, bool notified, PullCursor& cursor, const BlockEdges& edges,
                     Aggregate* aggregate, FrontierBatch& active, PullOne pull);
  [[gnu::always_inline]] inline Message SumOf(const P& program,
                                              std::span<const VertexId> senders) const;
  [[gnu::always_inline]] inline Message PieceOf(const P& program,
                                                std::span<const VertexId> senders) const;
  bool PullList(const P& program, PullCursor& cursor, VertexId vertex, EdgeIndex first,
                EdgeIndex last, Partial* partial);
  void PullFrom(const P& program, VertexId sender, Weight weight, Partial* partial);
  void FoldPartials(const P& program, uint64_t first_block, Aggregate* total);
  void FoldLists(const P& program, std::span<const uint64_t> blocks, size_t begin, size_t end,
                 Aggregate* aggregate);
  /// What block `block` adds to the list that it begins in (side 0) or ends in (side 1).
  Partial LoadPartial(uint64_t block, int side) const {
    return {partial_messages_[2 * block + static_cast<uint64_t>(side)],
            (partial_any_[block] >> side & 1) != 0};
  }
  void StorePartials(uint64_t block, const Partial& begins_before, const Partial& ends_after) {
    partial_messages_[2 * block] = begins_before.message;
    partial_messages_[2 * block + 1] = ends_after.message;
    partial_any_[block] = static_cast<uint8_t>(begins_before.any | ends_after.any << 1);
  }
  bool Receives(const P& program, bool notified, VertexId vertex) const {
    if constexpr (kTraits.apply_to_all) return true;
    return (!notified || notified_.Test(vertex)) && program.Wants(vertex);
  }
  /// `active`: a Frontier or FrontierBatch.
  template <typename Active>
  void ApplyTo(const P& program, VertexId vertex, const Partial& partial, Aggregate* aggregate,
               Active& active) {
    if (!kTraits.apply_to_all && !partial.any) return;
    if constexpr (kSettles) {
      program.Settle(vertex, partial.message, context_);
      active.Add(vertex);
      return;
    }
    const bool stays = program.Apply(vertex, partial.message, context_, aggregate);
    if constexpr (!kTraits.all_active) {
      if (stays) active.Add(vertex);
    }
  }

  Status SweepPush(const P& program, std::vector<uint64_t> blocks);
  Status Notify(const P& program);
  /// Calls `visit(vertex, first, last)` for each active vertex with edges in the block;
  /// false stops.
  template <typename Visit>
  bool VisitActive(const BlockEdges& edges, Visit visit);
  StatusOr<Aggregate> ApplyAccumulators(const P& program);
  /// Passes over a block: `push(vertex, first, last)` for each vertex that sends, then `send_rest`.
  template <typename Push, typename SendRest>
  bool PushLive(const P& program, const BlockEdges& edges, Push push, SendRest send_rest);
  uint64_t TakeLive(const P& program, const BlockEdges& edges, uint64_t word, uint64_t sending);

  LoadedGraph& graph_;
  const ModeRules rules_;
  const uint32_t passes_;  // over a block while it is here; 0: synchronous
  Recorder& recorder_;
  // Of the sweep under way.
  Mode mode_ = Mode::kPull;
  BlockPlan plan_;
  std::vector<Aggregate> aggregates_;  // by thread
  std::atomic<uint64_t> live_vertices_{0};
  std::atomic<uint64_t> blocks_again_{0};
  bool swept_last_ = false;  // the end of all edges was among what this sweep has swept
  Context context_;
  uint64_t num_active_ = 0;
  EdgeIndex active_edges_ = 0;
  EdgeIndex sent_edges_ = 0;  // of all iterations before
  StepEdges step_edges_;      // prioritised programs: since they last advanced
  Frontier current_;          // sends in this iteration
  Frontier next_;             // active in the next
  Frontier waiting_;          // prioritised programs: active, not due; and some that were and sent
  Frontier sent_;             // taken from next_, where keeps_sent_
  bool keeps_sent_ = false;
  FirstNeighbors* firsts_ = nullptr;  // where they are kept
  bool wants_tell_ = false;           // this push: see kWantsTell
  Frontier notified_;                 // notify-pull: has an active in-neighbour; push: received
  MemoryReservation reservation_;
  std::vector<Message> partial_messages_;  // two a block: of the list it begins in, and ends in
  std::vector<uint8_t> partial_any_;       // whether they are any, a bit each
  Array<Message> accumulators_;
};

}  // namespace edgemill

#include "engine/old/cpu/executor_exchange.h"
#include "engine/old/cpu/executor_live.h"
#include "engine/old/cpu/executor_pull.h"
#include "engine/old/cpu/executor_push.h"
#include "engine/old/cpu/executor_steps.h"
#include "engine/old/cpu/executor_whole.h"

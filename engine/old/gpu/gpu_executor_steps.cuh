// GpuExecutor's iteration: what is marked, the sweep, what is active next. Included by
// engine/old/gpu/gpu_executor.cuh.
#pragma once

#include <utility>

#include "engine/old/gpu/gpu_executor.cuh"

namespace edgemill {

/// Before a pass over the batch `source`: takes those that are active by now.
template <VertexProgram P>
Status GpuExecutor<P>::TakeLive(const RunSource& source, bool first, GpuStream& stream) {
  if constexpr (kTraits.asynchronous) {
    DeviceDirection& out = iteration_.direction(Direction::kOut);
    const LivePass pass{.first = first,
                        .next = Words(iteration_.next()),
                        .senders = Words(first ? iteration_.current() : iteration_.again()),
                        .groups = first ? out.groups() : iteration_.again_groups(),
                        .brought = out.groups(),
                        .sent = Words(iteration_.sent()),
                        .counters = &iteration_.device_counters()->live};
    TakeLiveKernel<P><<<std::min(source.num_blocks, iteration_.max_grid()), kProgramThreads, 0,
                        stream.handle()>>>(device_, context_, out.edges(), source.places,
                                           source.num_blocks, pass);
    return gpu().AfterLaunch("take what is active");
  }
  return InternalError("the program is synchronous");
}

template <VertexProgram P>
Status GpuExecutor<P>::SweepPush(BlockRange blocks) {
  const auto push = [&](const RunSource& source, uint64_t num_runs, const uint64_t* senders,
                        GpuStream& stream) {
    const MessagePushVisitor<P> visitor{
        device_, context_, Words(senders), iteration_.next(), arrays_.accumulators, passes_ > 0};
    VisitRunsKernel<Weight><<<iteration_.RunGrid(num_runs), kVisitThreads, 0, stream.handle()>>>(
        iteration_.direction(Direction::kOut).edges(), source, visitor,
        iteration_.damaged(Direction::kOut));
    return gpu().AfterLaunch("push");
  };
  return iteration_.SweepMarked(
      blocks,
      [&](const RunSource& source, uint64_t num_runs, GpuStream& stream, uint32_t) -> Status {
        const bool live = passes_ > 0 && source.places != nullptr;
        if (live) RETURN_IF_ERROR(TakeLive(source, true, stream));
        RETURN_IF_ERROR(push(source, num_runs, iteration_.current(), stream));
        RunSource again = source;
        again.groups = iteration_.again_groups();
        for (uint32_t pass = 1; live && pass < passes_; ++pass) {
          RETURN_IF_ERROR(TakeLive(source, false, stream));
          RETURN_IF_ERROR(push(again, num_runs, iteration_.again(), stream));
        }
        return OkStatus();
      });
}

template <VertexProgram P>
Status GpuExecutor<P>::Notify() {
  RETURN_IF_ERROR(iteration_.ClearFrontier(iteration_.marks()));
  const NotifyVisitor<P> visitor{device_, Words(iteration_.current()), iteration_.marks()};
  return iteration_.SweepLists(
      Direction::kOut, EdgeKernel::kNotify, iteration_.current(), {},
      [&](const RunSource& source, uint64_t num_runs, GpuStream& stream, uint32_t) {
        VisitRunsKernel<NoWeight>
            <<<iteration_.RunGrid(num_runs), kVisitThreads, 0, stream.handle()>>>(
                iteration_.direction(Direction::kOut).edges(), source, visitor,
                iteration_.damaged(Direction::kOut));
        return gpu().AfterLaunch("notify");
      });
}

template <VertexProgram P>
Status GpuExecutor<P>::SweepPull(BlockRange blocks) {
  const DeviceEdges& edges = iteration_.direction(Direction::kIn).edges();
  return iteration_.SweepMarked(blocks, [&](const RunSource& source, uint64_t num_runs,
                                            GpuStream& stream, uint32_t) {
    const MessagePullVisitor<P> visitor{.program = device_,
                                        .context = context_,
                                        .index = edges.index,
                                        .current = Words(iteration_.current()),
                                        .wanting = Words(wanting_),
                                        .next = iteration_.next(),
                                        .partials = arrays_.partials};
    VisitRunsKernel<Weight><<<iteration_.RunGrid(num_runs), kVisitThreads, 0, stream.handle()>>>(
        edges, source, visitor, iteration_.damaged(Direction::kIn));
    return gpu().AfterLaunch("pull");
  });
}

/// Has `wanting_` be the vertices, of `among` unless null, that a message could change.
template <VertexProgram P>
Status GpuExecutor<P>::ChooseReceivers(const uint64_t* among) {
  wanting_ = iteration_.marks();
  WantsKernel<P><<<iteration_.VertexGrid(), kProgramThreads, 0, stream()>>>(
      device_, context_, Words(among), Words(iteration_.marks()));
  return gpu().AfterLaunch("choose receivers");
}

template <VertexProgram P>
Status GpuExecutor<P>::BeginSweep(P* program, Mode mode, bool in_parts) {
  mode_ = mode;
  device_ = OnDevice(*program);
  wanting_ = nullptr;
  sent_edges_ += iteration_.active_edges();
  if constexpr (!kTraits.all_active) RETURN_IF_ERROR(iteration_.ClearFrontier(iteration_.next()));
  if (passes_ > 0) {
    LiveCounters* const counters = &iteration_.device_counters()->live;
    RETURN_IF_ERROR(iteration_.main().Fill(counters, 0, sizeof(*counters)));
    if (iteration_.sent() != nullptr) {
      RETURN_IF_ERROR(iteration_.ClearFrontier(iteration_.sent()));
    }
  }
  if constexpr (kTraits.consumes) {
    BeginKernel<P><<<iteration_.VertexGrid(), kProgramThreads, 0, stream()>>>(
        device_, context_, Words(iteration_.current()));
    RETURN_IF_ERROR(gpu().AfterLaunch("begin"));
  }
  if (mode == Mode::kPush) {
    return iteration_.MarkLists(Direction::kOut,
                                kTraits.order_independent ? EdgeKernel::kPush : EdgeKernel::kAdd,
                                kTraits.all_active ? nullptr : iteration_.current(), {}, in_parts);
  }
  if constexpr (!kTraits.all_active) {
    if (notified_only()) RETURN_IF_ERROR(Notify());
  }
  if constexpr (!kTraits.apply_to_all) {
    RETURN_IF_ERROR(ChooseReceivers(notified_only() ? iteration_.marks() : nullptr));
  }
  const bool begins_only = kTraits.early_exit && !in_parts;
  return iteration_.MarkLists(
      Direction::kIn, begins_only ? EdgeKernel::kPullFirst : EdgeKernel::kPull, wanting_,
      begins_only ? ListPart{.first_edges = kFirstEdges} : ListPart{}, in_parts);
}

/// The sweep that BeginSweep has marked the lists for, over all blocks.
template <VertexProgram P>
Status GpuExecutor<P>::SweepAll() {
  const BlockRange all{0, graph_.num_blocks()};
  if (mode_ == Mode::kPush) return SweepPush(all);
  RETURN_IF_ERROR(SweepPull(all));
  if constexpr (kTraits.early_exit) {
    // Most found what they want where their lists begin: what lies behind was not even brought.
    RETURN_IF_ERROR(ChooseReceivers(iteration_.marks()));
    RETURN_IF_ERROR(iteration_.MarkLists(Direction::kIn, EdgeKernel::kPull, wanting_,
                                         {.first_edges = kFirstEdges, .others = true}, false));
    return SweepPull(all);
  }
  return OkStatus();
}

template <VertexProgram P>
StatusOr<typename P::Aggregate> GpuExecutor<P>::EndSweep(P* program, const HelperPart& part) {
  if constexpr (!kTraits.order_independent) {
    if (mode_ == Mode::kPush) {
      ApplyAccumulatorsKernel<P><<<iteration_.VertexGrid(), kProgramThreads, 0, stream()>>>(
          device_, context_, arrays_.accumulators, Slots(0));
      RETURN_IF_ERROR(gpu().AfterLaunch("apply"));
    } else {
      const DeviceEdges& edges = iteration_.direction(Direction::kIn).edges();
      const ElsewhereSums<Message> elsewhere{std::min(part.first_block, edges.num_blocks())
                                                 << edges.block_runs_shift(),
                                             part.first_vertex, sums().data()};
      FoldRunsKernel<P><<<iteration_.VertexGrid(), kProgramThreads, 0, stream()>>>(
          device_, edges, arrays_.partials, elsewhere);
      RETURN_IF_ERROR(gpu().AfterLaunch("fold"));
      ApplyDepositedKernel<P><<<iteration_.VertexGrid(), kProgramThreads, 0, stream()>>>(
          device_, context_, edges.index, elsewhere, Slots(0));
      RETURN_IF_ERROR(gpu().AfterLaunch("apply"));
    }
  }
  if constexpr (kTraits.measured) {
    MeasureKernel<P>
        <<<iteration_.VertexGrid(), kProgramThreads, 0, stream()>>>(device_, context_, Slots(0));
    RETURN_IF_ERROR(gpu().AfterLaunch("measure"));
  }
  ASSIGN_OR_RETURN(const Aggregate aggregate, ReadAggregate());
  if constexpr (kTraits.all_active) {
    DeviceCounters counters;
    RETURN_IF_ERROR(iteration_.ReadCounters(&counters));
  } else {
    iteration_.SwapFrontiers();
    if constexpr (kTraits.prioritised) {
      RETURN_IF_ERROR(TakeDue(program));
    } else {
      RETURN_IF_ERROR(iteration_.CountActive());
    }
  }
  ++context_.iteration;
  if (passes_ > 0) {
    DeviceCounters counters;
    RETURN_IF_ERROR(iteration_.ReadCounters(&counters));
    recorder_.AddLive(counters.live.vertices, counters.live.blocks_again);
  }
  RETURN_IF_ERROR(iteration_.Report());
  return aggregate;
}

/// Leaves in the current frontier what is due, of what became active last, and adds the rest to
/// what waits. When nothing is due, advances the program to the least that waits.
template <VertexProgram P>
Status GpuExecutor<P>::TakeDue(P* program) {
  if constexpr (kTraits.prioritised) {
    const uint32_t grid = iteration_.VertexGrid();
    RETURN_IF_ERROR(iteration_.ClearFrontier(iteration_.next()));
    SplitDueKernel<P><<<grid, kProgramThreads, 0, stream()>>>(
        OnDevice(*program), context_, Words(iteration_.current()), Words(iteration_.next()),
        Words(iteration_.waiting()));
    RETURN_IF_ERROR(gpu().AfterLaunch("split what is due"));
    iteration_.SwapFrontiers();
    RETURN_IF_ERROR(iteration_.CountActive());
    step_edges_.again += iteration_.active_edges();
    if (iteration_.num_active() > 0) return OkStatus();
    auto* const least = &iteration_.device_counters()->least;
    RETURN_IF_ERROR(iteration_.main().Fill(least, 0xff, sizeof(*least)));
    LeastKernel<P><<<grid, kProgramThreads, 0, stream()>>>(OnDevice(*program), context_,
                                                           Words(iteration_.waiting()), least);
    RETURN_IF_ERROR(gpu().AfterLaunch("find the least"));
    DeviceCounters counters;
    RETURN_IF_ERROR(iteration_.ReadCounters(&counters));
    const double priority = std::bit_cast<double>(counters.least);
    if (!(priority < std::numeric_limits<double>::infinity())) return OkStatus();
    const P before = OnDevice(*program);
    program->Advance(priority, step_edges_);
    RETURN_IF_ERROR(iteration_.ClearFrontier(iteration_.current()));
    TakeDueKernel<P><<<grid, kProgramThreads, 0, stream()>>>(before, OnDevice(*program), context_,
                                                             Words(iteration_.waiting()),
                                                             Words(iteration_.current()));
    RETURN_IF_ERROR(gpu().AfterLaunch("take what is due"));
    RETURN_IF_ERROR(iteration_.CountActive());
    CHECK_GT(iteration_.num_active(), 0u);
    step_edges_ = {.first = iteration_.active_edges()};
  }
  return OkStatus();
}

template <VertexProgram P>
Status GpuExecutor<P>::TakeUpLoop(const LoopCounters& did, P* program) {
  static_assert(sizeof(P) <= kLoopProgramBytes);
  P after = *program;
  RETURN_IF_ERROR(iteration_.ReadBack(&after, iteration_.loop().program, sizeof(after)));
  after.VisitState(graph_.num_vertices(), Restore{*this});
  *program = after;
  step_edges_ = did.step;
  RETURN_IF_ERROR(TakeDue(program));
  // What is due since the loop advanced is a step's first.
  if (did.advanced && step_edges_.first == 0) std::swap(step_edges_.first, step_edges_.again);
  return OkStatus();
}

template <VertexProgram P>
StatusOr<typename P::Aggregate> GpuExecutor<P>::ReadAggregate() {
  Aggregate aggregate{};
  if constexpr (kAggregates) {
    auto* const total = static_cast<Aggregate*>(iteration_.aggregate_total());
    TotalKernel<Aggregate>
        <<<1, kProgramThreads, 0, stream()>>>(Slots(0), iteration_.num_aggregate_slots(), total);
    RETURN_IF_ERROR(gpu().AfterLaunch("add up"));
    RETURN_IF_ERROR(iteration_.ReadBack(&aggregate, total, sizeof(aggregate)));
  }
  return aggregate;
}

}  // namespace edgemill

// Runs a vertex program on a GPU. Included by algorithms/*.cu, which say for which program.
//
// The program's arrays have copies on the card; each call gets a program whose pointers lead there.
// An iteration is a few launches over vertices and one sweep over the lists that matter, whose
// blocks BlockFeeder brings. The host waits once an iteration, for the counts that decide the next.
#pragma once

#include <bit>
#include <limits>
#include <memory>
#include <vector>

#include "common/cancel.h"
#include "engine/gpu/gpu_executor.h"
#include "engine/gpu/gpu_iteration.h"
#include "engine/gpu/program_kernels.cuh"
#include "engine/gpu/pull_kernels.cuh"
#include "engine/gpu/small_loop.cuh"
#include "engine/mode_choice.h"

namespace edgemill {

template <VertexProgram P>
class GpuExecutor final : public ProgramExecutor<P> {
 public:
  using Message = typename P::Message;
  using Weight = typename P::Weight;
  using Aggregate = typename P::Aggregate;
  static constexpr ProgramTraits kTraits = P::kTraits;
  static constexpr bool kWeighted = !std::is_same_v<Weight, NoWeight>;
  static constexpr bool kAggregates = !std::is_empty_v<Aggregate>;
  static_assert(kTraits.order_independent || (kTraits.all_active && kTraits.apply_to_all),
                "on a GPU a program takes messages in any order, or all vertices take part");
  static_assert(sizeof(Aggregate) <= 4096);
  /// Of each list, in a pull's first sweep where one message is all that a vertex wants.
  static constexpr uint64_t kFirstEdges = 16;

  GpuExecutor(const GpuRun& run, LoadedGraph& graph, Mode mode, Recorder& recorder)
      : graph_(graph),
        rules_(graph, mode, kTraits),
        recorder_(recorder),
        iteration_(run, graph, recorder) {}

  Status Initialise(const P& program) override;
  uint64_t num_active() const override {
    return kTraits.all_active ? graph_.num_vertices() : iteration_.num_active();
  }
  StatusOr<Aggregate> Iterate(P* program) override;
  StatusOr<typename ProgramExecutor<P>::Totals> RunToEnd(P* program) override;
  Status Finish(const P& program) override;

 private:
  /// VisitState: has the pointers lead to the copies.
  struct Redirect {
    GpuExecutor& executor;
    template <typename T>
    void operator()(T*& array, uint64_t count, StateUse) const {
      if (count == 0) return;
      for (const auto& known : executor.arrays_.state) {
        if (known.host == array) {
          array = reinterpret_cast<T*>(known.device);
          return;
        }
      }
      CHECK(false);
    }
    void operator()(VertexIndexView& index) const {
      index = executor.iteration_.direction(Direction::kOut).edges().index;
    }
  };

  Gpu& gpu() { return iteration_.gpu(); }
  CUstream_st* stream() { return iteration_.main().handle(); }
  const uint32_t* Words(const uint64_t* bits) { return reinterpret_cast<const uint32_t*>(bits); }
  uint32_t* Words(uint64_t* bits) { return reinterpret_cast<uint32_t*>(bits); }
  Aggregate* Slots(uint32_t stream) {
    return static_cast<Aggregate*>(iteration_.aggregate_slots(stream));
  }
  P OnDevice(const P& program);
  Mode ChooseMode() {
    return rules_.Choose(num_active(), iteration_.active_edges(), sent_edges_,
                         iteration_.feeder().streams());
  }
  Status Push(const P& program);
  Status Notify(const P& program);
  Status Pull(const P& program, bool notified);
  Status PullLists(const P& program, const uint64_t* wanting, const ListPart& part);
  Status TakeDue(P* program);
  StatusOr<Aggregate> ReadAggregate();

  LoadedGraph& graph_;
  const ModeRules rules_;
  Recorder& recorder_;
  GpuIteration iteration_;
  ProgramArrays<P> arrays_;
  Context context_;
  EdgeIndex sent_edges_ = 0;
  StepEdges step_edges_;  // prioritised programs: since they last advanced
};

template <VertexProgram P>
P GpuExecutor<P>::OnDevice(const P& program) {
  P copy = program;
  copy.VisitState(graph_.num_vertices(), Redirect{*this});
  return copy;
}

template <VertexProgram P>
Status GpuExecutor<P>::Initialise(const P& program) {
  arrays_.Plan(program, rules_, graph_.info().block_edges, &iteration_.arena());
  RETURN_IF_ERROR(iteration_.Plan(IterationNeedsOf(rules_, arrays_)));
  RETURN_IF_ERROR(iteration_.Start());
  for (const auto& array : arrays_.state) {
    RETURN_IF_ERROR(iteration_.main().Fill(array.device, 0, array.bytes));
  }
  const uint32_t grid = iteration_.VertexGrid();
  if (arrays_.accumulators != nullptr) {
    FillAccumulatorsKernel<P>
        <<<grid, kProgramThreads, 0, stream()>>>(arrays_.accumulators, graph_.num_vertices());
    RETURN_IF_ERROR(gpu().AfterLaunch("fill accumulators"));
  }
  context_ = Context{.iteration = 0, .num_vertices = graph_.num_vertices()};
  InitialKernel<P><<<grid, kProgramThreads, 0, stream()>>>(OnDevice(program), context_,
                                                           Words(iteration_.current()));
  RETURN_IF_ERROR(gpu().AfterLaunch("initialise"));
  return kTraits.all_active ? iteration_.main().Synchronize() : iteration_.CountActive();
}

template <VertexProgram P>
Status GpuExecutor<P>::Push(const P& program) {
  const PushVisitor<P> visitor{program, context_, Words(iteration_.current()), iteration_.next(),
                               arrays_.accumulators};
  RETURN_IF_ERROR(iteration_.SweepLists(
      Direction::kOut, EdgeKernel::kPush, kTraits.all_active ? nullptr : iteration_.current(), {},
      [&](const RunSource& source, uint64_t num_runs, GpuStream& stream, uint32_t) {
        VisitRunsKernel<Weight>
            <<<iteration_.RunGrid(num_runs), kVisitThreads, 0, stream.handle()>>>(
                iteration_.direction(Direction::kOut).edges(), source, visitor,
                iteration_.damaged(Direction::kOut));
        return gpu().AfterLaunch("push");
      }));
  if constexpr (!kTraits.order_independent) {
    ApplyAccumulatorsKernel<P><<<iteration_.VertexGrid(), kProgramThreads, 0, stream()>>>(
        program, context_, arrays_.accumulators, Slots(0));
    return gpu().AfterLaunch("apply");
  }
  return OkStatus();
}

template <VertexProgram P>
Status GpuExecutor<P>::Notify(const P& program) {
  RETURN_IF_ERROR(iteration_.ClearFrontier(iteration_.marks()));
  const NotifyVisitor<P> visitor{program, Words(iteration_.current()), iteration_.marks()};
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
Status GpuExecutor<P>::Pull(const P& program, bool notified) {
  if constexpr (kTraits.apply_to_all) return PullLists(program, nullptr, {});
  const auto choose = [&](const uint32_t* among) {
    WantsKernel<P><<<iteration_.VertexGrid(), kProgramThreads, 0, stream()>>>(
        program, context_, among, Words(iteration_.marks()));
    return gpu().AfterLaunch("choose receivers");
  };
  RETURN_IF_ERROR(choose(notified ? Words(iteration_.marks()) : nullptr));
  if constexpr (kTraits.early_exit) {
    // Most find what they want where their lists begin: what lies behind is not even brought.
    RETURN_IF_ERROR(PullLists(program, iteration_.marks(), {.first_edges = kFirstEdges}));
    RETURN_IF_ERROR(choose(Words(iteration_.marks())));
    return PullLists(program, iteration_.marks(), {.first_edges = kFirstEdges, .others = true});
  }
  return PullLists(program, iteration_.marks(), {});
}

/// Pulls along `part` of the lists of `wanting` (null: of all).
template <VertexProgram P>
Status GpuExecutor<P>::PullLists(const P& program, const uint64_t* wanting, const ListPart& part) {
  const DeviceEdges& edges = iteration_.direction(Direction::kIn).edges();
  const bool begins = !part.is_whole() && !part.others;
  const EdgeKernel kernel = begins ? EdgeKernel::kPullFirst : EdgeKernel::kPull;
  RETURN_IF_ERROR(iteration_.SweepLists(
      Direction::kIn, kernel, wanting, part,
      [&](const RunSource& source, uint64_t num_runs, GpuStream& stream, uint32_t number) {
        const PullVisitor<P> visitor{.program = program,
                                     .context = context_,
                                     .index = edges.index,
                                     .current = Words(iteration_.current()),
                                     .wanting = Words(wanting),
                                     .next = iteration_.next(),
                                     .partials = arrays_.partials,
                                     .slots = Slots(number)};
        VisitRunsKernel<Weight>
            <<<iteration_.RunGrid(num_runs), kVisitThreads, 0, stream.handle()>>>(
                edges, source, visitor, iteration_.damaged(Direction::kIn));
        return gpu().AfterLaunch("pull");
      }));
  if constexpr (!kTraits.order_independent) {
    FoldRunsKernel<P><<<iteration_.VertexGrid(), kProgramThreads, 0, stream()>>>(
        program, context_, edges, arrays_.partials, Slots(0));
    return gpu().AfterLaunch("fold");
  }
  return OkStatus();
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

template <VertexProgram P>
StatusOr<typename P::Aggregate> GpuExecutor<P>::Iterate(P* program) {
  RETURN_IF_ERROR(CheckCancelled());
  const Mode mode = ChooseMode();
  recorder_.Start(mode, num_active(),
                  kTraits.all_active ? graph_.num_edges() : iteration_.active_edges());
  sent_edges_ += iteration_.active_edges();
  const P device = OnDevice(*program);
  if constexpr (!kTraits.all_active) RETURN_IF_ERROR(iteration_.ClearFrontier(iteration_.next()));
  if constexpr (kTraits.consumes) {
    BeginKernel<P><<<iteration_.VertexGrid(), kProgramThreads, 0, stream()>>>(
        device, context_, Words(iteration_.current()));
    RETURN_IF_ERROR(gpu().AfterLaunch("begin"));
  }
  if (mode == Mode::kPush) {
    RETURN_IF_ERROR(Push(device));
  } else {
    const bool notified = mode == Mode::kNotifyPull && !kTraits.all_active;
    if constexpr (!kTraits.all_active) {
      if (notified) RETURN_IF_ERROR(Notify(device));
    }
    RETURN_IF_ERROR(Pull(device, notified));
  }
  if constexpr (kTraits.measured) {
    MeasureKernel<P>
        <<<iteration_.VertexGrid(), kProgramThreads, 0, stream()>>>(device, context_, Slots(0));
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
  RETURN_IF_ERROR(iteration_.Report());
  recorder_.Finish();
  return aggregate;
}

template <VertexProgram P>
StatusOr<typename ProgramExecutor<P>::Totals> GpuExecutor<P>::RunToEnd(P* program) {
  typename ProgramExecutor<P>::Totals totals;
  while (num_active() > 0) {
    totals.activations += num_active();
    if constexpr (kLoopsOnCard<P>) {
      const bool push = ChooseMode() == Mode::kPush;
      if (push && iteration_.MayLoop()) {
        RETURN_IF_ERROR(CheckCancelled());
        recorder_.Start(Mode::kPush, num_active(), iteration_.active_edges());
        sent_edges_ += iteration_.active_edges();
        RETURN_IF_ERROR(iteration_.StartLoop());
        SmallLoopKernel<P><<<1, kSmallThreads, 0, stream()>>>(
            OnDevice(*program), context_, iteration_.direction(Direction::kOut).edges(),
            iteration_.small_loop(), iteration_.next(), iteration_.damaged(Direction::kOut));
        RETURN_IF_ERROR(gpu().AfterLaunch("loop"));
        SmallLoopCounters did;
        RETURN_IF_ERROR(iteration_.EndLoop(&did));
        context_.iteration += did.iterations;
        sent_edges_ += did.edges;
        totals.iterations += did.iterations;
        totals.activations += did.activations;
        RETURN_IF_ERROR(iteration_.Report());
        recorder_.Finish(did.iterations);
        continue;
      }
    }
    ++totals.iterations;
    RETURN_IF_ERROR(Iterate(program).status());
  }
  return totals;
}

template <VertexProgram P>
Status GpuExecutor<P>::Finish(const P&) {
  for (const auto& array : arrays_.state) {
    if (array.use != StateUse::kResult) continue;
    RETURN_IF_ERROR(iteration_.ReadBack(const_cast<void*>(array.host), array.device, array.bytes));
  }
  return OkStatus();
}

template <VertexProgram P>
StatusOr<std::unique_ptr<ProgramExecutor<P>>> MakeGpuExecutor(const GpuRun& run, LoadedGraph& graph,
                                                              Mode mode, Recorder& recorder) {
  RETURN_IF_ERROR(ModeRules(graph, mode, P::kTraits).Check(graph.store().path()));
  return std::unique_ptr<ProgramExecutor<P>>(
      std::make_unique<GpuExecutor<P>>(run, graph, mode, recorder));
}

}  // namespace edgemill

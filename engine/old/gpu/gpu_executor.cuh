// Runs a vertex program on a GPU. Included by algorithms/*.cu, which say for which program.
//
// The program's arrays have copies on the card; each call gets a program whose pointers lead there.
// An iteration is a few launches over vertices and one sweep over the lists that matter, whose
// blocks BlockFeeder brings. The host waits once an iteration, for the counts that decide the next.
#pragma once

#include <algorithm>
#include <bit>
#include <limits>
#include <memory>
#include <vector>

#include "common/cancel.h"
#include "engine/old/gpu/device_loop.cuh"
#include "engine/old/gpu/exchange_kernels.cuh"
#include "engine/old/gpu/gpu_executor.h"
#include "engine/old/gpu/gpu_iteration.h"
#include "engine/old/gpu/live_kernels.cuh"
#include "engine/old/gpu/program_kernels.cuh"
#include "engine/old/gpu/pull_kernels.cuh"
#include "engine/old/plan/mode_choice.h"

namespace edgemill {

template <VertexProgram P>
class GpuExecutor final : public LeadingExecutor<P> {
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
  using Totals = typename ProgramExecutor<P>::Totals;

  GpuExecutor(const GpuRun& run, LoadedGraph& graph, Mode mode, Recorder& recorder)
      : graph_(graph),
        rules_(graph, mode, kTraits),
        recorder_(recorder),
        run_(run),
        passes_(kTraits.asynchronous ? std::min(run.async_passes, kMostPasses) : 0),
        iteration_(run, graph, recorder) {}

  Status Initialise(const P& program) override;
  uint64_t num_active() const override {
    return kTraits.all_active ? graph_.num_vertices() : iteration_.num_active();
  }
  StatusOr<Aggregate> Iterate(P* program) override;
  StatusOr<Totals> RunToEnd(P* program) override;
  Status Finish(const P& program) override;

  IterationProgress progress() const override;
  Mode ChooseMode() const override {
    return rules_.Choose(num_active(), iteration_.active_edges(), sent_edges_,
                         iteration_.streams_edges());
  }
  StatusOr<bool> Loop(P* program, Totals* totals) override;
  uint64_t unprepared_bytes() const override;
  Status PrepareSharing() override;
  Status BeginShared(P* program, Mode mode) override { return BeginSweep(program, mode, true); }
  Status SweepBlocks(BlockRange blocks) override;
  StatusOr<Aggregate> EndShared(P* program, const HelperPart& part) override {
    return EndSweep(program, part);
  }
  Exchange<Message> exchange() override;
  std::span<Message> sums() override;
  Status Receive(Told told, uint32_t count) override;
  StatusOr<uint32_t> Tell(Told which, VertexId begin, VertexId end) override;
  uint64_t state_bytes() const override;
  Status StateToHost() override;
  StatusOr<uint64_t> SentToHost(const P& program) override;
  Status FrontierToHost(std::span<uint64_t> current, std::span<uint64_t> waiting) override;
  Status FromHost(const IterationProgress& progress, std::span<const uint64_t> current,
                  std::span<const uint64_t> waiting) override;

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

  /// VisitState: has pointers to the copies lead to the host's arrays again.
  struct Restore {
    GpuExecutor& executor;
    template <typename T>
    void operator()(T*& array, uint64_t count, StateUse) const {
      if (count == 0) return;
      for (const auto& known : executor.arrays_.state) {
        if (reinterpret_cast<T*>(known.device) == array) {
          array = static_cast<T*>(const_cast<void*>(known.host));
          return;
        }
      }
      CHECK(false);
    }
    void operator()(VertexIndexView& index) const {
      index = executor.graph_.index(Direction::kOut);
    }
  };

  /// VisitState: lists the arrays that senders' values are read from.
  struct CollectSent {
    std::vector<const void*>& sent;
    template <typename T>
    void operator()(T*& array, uint64_t count, StateUse use) const {
      if (count > 0 && use == StateUse::kSent) sent.push_back(array);
    }
    void operator()(VertexIndexView&) const {}
  };

  Gpu& gpu() { return iteration_.gpu(); }
  CUstream_st* stream() { return iteration_.main().handle(); }
  const uint32_t* Words(const uint64_t* bits) { return reinterpret_cast<const uint32_t*>(bits); }
  uint32_t* Words(uint64_t* bits) { return reinterpret_cast<uint32_t*>(bits); }
  Aggregate* Slots(uint32_t stream) {
    return static_cast<Aggregate*>(iteration_.aggregate_slots(stream));
  }
  P OnDevice(const P& program);
  /// Whether the iteration under way has receivers marked for pull.
  bool notified_only() const { return mode_ == Mode::kNotifyPull && !kTraits.all_active; }
  /// Has the iteration's lists marked; `in_parts` as for GpuIteration::MarkLists.
  Status BeginSweep(P* program, Mode mode, bool in_parts);
  Status ChooseReceivers(const uint64_t* among);
  Status SweepAll();
  Status SweepPush(BlockRange blocks);
  Status TakeLive(const RunSource& source, bool first, GpuStream& stream);
  Status SweepPull(BlockRange blocks);
  Status Notify();
  /// Applies what is left to apply, and finds out what is active next.
  StatusOr<Aggregate> EndSweep(P* program, const HelperPart& part);
  Status TakeDue(P* program);
  Status LaunchLoop(const P& program);
  /// After a loop on the card that did `did`: what the program has become, and what is due.
  Status TakeUpLoop(const LoopCounters& did, P* program);
  StatusOr<Aggregate> ReadAggregate();

  /// Passes over a batch are queued without looking whether the one before found anybody: more than
  /// so many would be launches for nothing.
  static constexpr uint32_t kMostPasses = 32;

  LoadedGraph& graph_;
  const ModeRules rules_;
  Recorder& recorder_;
  const GpuRun run_;
  const uint32_t passes_;  // over a batch while it is on the card; 0: synchronous
  PinnedBuffer exchanged_;
  MemoryReservation exchange_reservation_;
  GpuIteration iteration_;  // below what its stream may be using when it is taken down
  ProgramArrays<P> arrays_;
  // Of the iteration under way.
  Mode mode_ = Mode::kPull;
  P device_ = {};
  const uint64_t* wanting_ = nullptr;
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
  IterationNeeds needs = IterationNeedsOf(rules_, arrays_);
  needs.in_parts = run_.shared;
  needs.asynchronous = passes_ > 0;
  RETURN_IF_ERROR(iteration_.Plan(needs));
  if (run_.shared) {
    ASSIGN_OR_RETURN(exchange_reservation_,
                     graph_.budget().Reserve(ExchangeBytes<P>(graph_.num_vertices()),
                                             "what the processors tell each other"));
  }
  for (const auto& array : arrays_.state) {
    // What is sent may change places from one iteration to the next.
    if (array.use != StateUse::kResult && !kTraits.answers_with_sent) continue;
    RETURN_IF_ERROR(iteration_.Pin(const_cast<void*>(array.host), array.bytes));
  }
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
StatusOr<typename P::Aggregate> GpuExecutor<P>::Iterate(P* program) {
  RETURN_IF_ERROR(CheckCancelled());
  const Mode mode = ChooseMode();
  recorder_.Start(mode, num_active(),
                  kTraits.all_active ? graph_.num_edges() : iteration_.active_edges());
  RETURN_IF_ERROR(BeginSweep(program, mode, false));
  RETURN_IF_ERROR(SweepAll());
  ASSIGN_OR_RETURN(const Aggregate aggregate, EndSweep(program, {}));
  recorder_.Finish();
  return aggregate;
}

template <VertexProgram P>
Status GpuExecutor<P>::LaunchLoop(const P& program) {
  cudaLaunchAttribute together = {};
  together.id = cudaLaunchAttributeCooperative;
  together.val.cooperative = 1;
  cudaLaunchConfig_t launch = {};
  launch.gridDim = iteration_.LoopGrid();
  launch.blockDim = kLoopThreads;
  launch.stream = stream();
  launch.attrs = &together;
  launch.numAttrs = 1;
  (void)cudaLaunchKernelEx(&launch, DeviceLoopKernel<P>, OnDevice(program), context_,
                           iteration_.reached_edges(), iteration_.loop(), step_edges_,
                           iteration_.damaged(Direction::kOut));
  return gpu().AfterLaunch("loop");
}

template <VertexProgram P>
StatusOr<bool> GpuExecutor<P>::Loop(P* program, Totals* totals) {
  if constexpr (kLoopsOnCard<P>) {
    if (ChooseMode() != Mode::kPush || !iteration_.MayLoop()) return false;
    RETURN_IF_ERROR(CheckCancelled());
    recorder_.Start(Mode::kPush, num_active(), iteration_.active_edges());
    totals->activations += num_active();
    sent_edges_ += iteration_.active_edges();
    RETURN_IF_ERROR(iteration_.StartLoop());
    RETURN_IF_ERROR(LaunchLoop(*program));
    LoopCounters did;
    RETURN_IF_ERROR(iteration_.EndLoop(&did));
    context_.iteration += did.iterations;
    sent_edges_ += did.edges;
    totals->iterations += did.iterations;
    totals->activations += did.activations;
    if constexpr (kTraits.prioritised) RETURN_IF_ERROR(TakeUpLoop(did, program));
    RETURN_IF_ERROR(iteration_.Report());
    recorder_.Finish(did.iterations);
    return true;
  }
  return false;
}

template <VertexProgram P>
StatusOr<typename ProgramExecutor<P>::Totals> GpuExecutor<P>::RunToEnd(P* program) {
  Totals totals;
  while (num_active() > 0) {
    ASSIGN_OR_RETURN(const bool looped, Loop(program, &totals));
    if (looped) continue;
    totals.activations += num_active();
    ++totals.iterations;
    RETURN_IF_ERROR(Iterate(program).status());
  }
  return totals;
}

template <VertexProgram P>
Status GpuExecutor<P>::Finish(const P& program) {
  std::vector<const void*> sent;  // arrays may have changed places since the beginning
  if constexpr (kTraits.answers_with_sent) {
    P visited = program;
    visited.VisitState(graph_.num_vertices(), CollectSent{sent});
  }
  for (const auto& array : arrays_.state) {
    const bool is_sent = std::find(sent.begin(), sent.end(), array.host) != sent.end();
    if (array.use != StateUse::kResult && !is_sent) continue;
    RETURN_IF_ERROR(iteration_.ReadBack(const_cast<void*>(array.host), array.device, array.bytes));
  }
  return OkStatus();
}

template <VertexProgram P>
StatusOr<std::unique_ptr<LeadingExecutor<P>>> MakeGpuExecutor(const GpuRun& run, LoadedGraph& graph,
                                                              Mode mode, Recorder& recorder) {
  RETURN_IF_ERROR(ModeRules(graph, mode, P::kTraits).Check(graph.store().path()));
  return std::unique_ptr<LeadingExecutor<P>>(
      std::make_unique<GpuExecutor<P>>(run, graph, mode, recorder));
}

}  // namespace edgemill

#include "engine/old/gpu/gpu_executor_sharing.cuh"
#include "engine/old/gpu/gpu_executor_steps.cuh"

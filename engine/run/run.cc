#include "engine/run/run.h"

#include <algorithm>
#include <atomic>
#include <limits>

#include "common/cancel.h"
#include "common/clock.h"
#include "common/parallel.h"
#include "common/units.h"
#include "engine/api/algorithm.h"
#include "engine/cost/calibration_file.h"
#include "engine/graph/id_map.h"
#include "engine/plan/staging_memory.h"
#include "engine/report/recorder.h"
#include "engine/run/gpu_choice.h"
#include "engine/run/make_engine.h"
#include "engine/run/run_checks.h"
#include "engine/run/run_plan.h"
#include "engine/run/run_result.h"

namespace edgemill {
namespace {

void FillReport(Recorder& recorder, const BlockReader& reader, RunReport* report) {
  recorder.Flush();
  report->iterations = recorder.iterations();
  report->num_iterations = recorder.num_iterations();
  report->bytes_read = reader.stats().bytes_read;
  report->reads = reader.stats().reads;
  for (const IterationReport& iteration : report->iterations) {
    report->transfers.Add(iteration.transfers);
    report->edges_processed += iteration.edges;
  }
  report->keeps_neighbors = recorder.keeps_neighbors();
  report->timeline = recorder.timeline();
  report->peak_resident_bytes = PeakResidentBytes();
  report->io_engine = reader.engine_name();
}

/// The edges in the lists of what a search reached: those along which it goes, where these lists
/// are there.
StatusOr<uint64_t> ReachedEdges(const LoadedGraph& graph, const Answer& answer) {
  const Direction lists = graph.has_index(Direction::kOut) ? Direction::kOut : Direction::kIn;
  const VertexIndexView index = graph.index(lists);
  std::atomic<uint64_t> edges{0};
  RETURN_IF_ERROR(
      ParallelFor(graph.num_vertices(), 1 << 16, graph.threads(), [&](size_t begin, size_t end) {
        uint64_t sum = 0;
        for (size_t i = begin; i < end; ++i) {
          const auto vertex = static_cast<VertexId>(i);
          const bool reached = answer.integer != nullptr
                                   ? answer.integer(vertex) != answer.unreached
                                   : answer.real(vertex) != std::numeric_limits<double>::infinity();
          if (reached) sum += index.degree(vertex);
        }
        edges.fetch_add(sum, std::memory_order_relaxed);
        return OkStatus();
      }));
  return edges.load();
}

/// Fills in the run's edges/s.
Status CountEdges(const LoadedGraph& graph, const RunOptions& options, const Answer& answer,
                  bool on_gpu, RunReport* report) {
  uint64_t sent = 0;
  for (const IterationReport& iteration : report->iterations) sent += iteration.active_edges;
  const uint64_t passes = std::max<uint64_t>(1, answer.passes);
  uint64_t edges = graph.num_edges() * passes;
  if (answer.counted == CountedEdges::kReached) {
    ASSIGN_OR_RETURN(edges, ReachedEdges(graph, answer));
    edges *= passes;
    // What a search reached last before -i stopped it has not sent along its edges. Of a card's own
    // loops the account of what was sent has no edges.
    const bool stops = options.values.Has("--iterations") && graph.has_index(Direction::kOut);
    if (stops && !on_gpu) edges = std::min(edges, sent);
  } else if (answer.counted == CountedEdges::kSent) {
    edges = sent;
  }
  const bool twice = answer.counted != CountedEdges::kAll && !graph.info().directed;
  report->edges_counted = twice ? edges / 2 : edges;  // stored both ways
  report->edges_per_second =
      static_cast<double>(report->edges_counted) / std::max(report->run_seconds, 1e-9);
  return OkStatus();
}

/// Whether `gpu` has the memory for the run, and the host for its buffers; shares out the budget.
Status FitRun(const GraphStore& store, const RunOptions& options, const MemoryBudget& budget,
              const Gpu* gpu, RunPlan* plan) {
  if (gpu != nullptr) {
    RETURN_IF_ERROR(FitCard(store, options.gpu, CardMemoryOf(*gpu), &plan->needs.card));
  }
  return ShareOut(store, options, budget, plan);
}

/// The mode that takes the least memory on the CPU, where `options` leave it open: an index of one
/// direction is less than two. kAuto where no other is less.
StatusOr<Mode> LeastMode(const Algorithm& algorithm, const GraphStore& store, RunOptions options,
                         const MemoryBudget& budget) {
  ASSIGN_OR_RETURN(const RunPlan plan, CountRun(algorithm, store, options, budget, false));
  if (options.mode != Mode::kAuto || !plan.needs.any_mode_will_do || !store.info().directed) {
    return options.mode;
  }
  uint64_t least = plan.least_budget_bytes;
  Mode best = Mode::kAuto;
  for (const Mode mode : {Mode::kPush, Mode::kPull}) {
    if (!store.has(mode == Mode::kPush ? ColumnKind::kOutOffsets : ColumnKind::kInOffsets))
      continue;
    options.mode = mode;
    const StatusOr<RunPlan> one_way = CountRun(algorithm, store, options, budget, false);
    if (!one_way.ok() || one_way->least_budget_bytes >= least) continue;
    least = one_way->least_budget_bytes;
    best = mode;
  }
  return best;
}

/// Plans the run on the processor that `options` call for. With Device::kAuto a GPU that the run
/// does not fit is given back (`*gpu` becomes null), with why in `*fallback`.
StatusOr<RunPlan> PlanRun(const Algorithm& algorithm, const GraphStore& store,
                          const RunOptions& options, const MemoryBudget& budget, Progress& progress,
                          std::unique_ptr<Gpu>* gpu, std::string* fallback) {
  ASSIGN_OR_RETURN(RunPlan plan, CountRun(algorithm, store, options, budget, *gpu != nullptr));
  const Status fits = FitRun(store, options, budget, gpu->get(), &plan);
  if (fits.ok()) return plan;
  if (*gpu == nullptr || options.device != Device::kAuto) return fits;
  *fallback = fits.message();
  progress.Note(StrCat("running on the CPU: ", *fallback));
  gpu->reset();
  ASSIGN_OR_RETURN(plan, CountRun(algorithm, store, options, budget, false));
  RETURN_IF_ERROR(FitRun(store, options, budget, nullptr, &plan));
  return plan;
}

/// An answer in internal ids, and what its column reads.
struct LoadedAnswer {
  AnswerSource source;
  Answer answer;
};

/// What is known of a run that two processors share before its first pass.
Dispatcher MakeDispatcher(const RunPlan& plan, const LoadedGraph& graph, const RunOptions& options,
                          const GpuRun& gpu) {
  const bool on_card = gpu.gpu.memory_bytes() > 2 * plan.swept_bytes;
  uint64_t edge_bytes = graph.store().column(ColumnKind::kOutNeighbors).payload_bytes;
  if (plan.needs.weights) {
    edge_bytes += graph.store().column(ColumnKind::kOutWeights).payload_bytes;
  }
  return Dispatcher({.num_vertices = graph.num_vertices(),
                     .num_edges = graph.num_edges(),
                     .num_blocks = graph.num_blocks(),
                     .edge_bytes = edge_bytes,
                     .threads = graph.threads(),
                     .in_memory = plan.fits_in_cache,
                     .on_card = on_card,
                     .loops_on_card = on_card && plan.needs.card.runs_alone},
                    gpu.options.calibration, options.hybrid);
}

/// The algorithm once, on the processor that `gpu` says.
Status RunOnce(const Algorithm& algorithm, const RunPlan& plan, const RunOptions& options,
               const GpuRun* gpu, LoadedGraph& graph, State& state, const RunContext& context,
               Recorder& recorder, Answer* answer) {
  const PassOptions passes{.mode = options.mode,
                           .async_passes = options.async_passes,
                           .from_disk = !context.fits_in_cache};
  std::unique_ptr<Engine> engine;
  if (gpu == nullptr) {
    ASSIGN_OR_RETURN(engine, MakeCpuEngine(graph, state, passes, recorder));
  } else {
    std::optional<Dispatcher> dispatcher;
    if (gpu->shared) dispatcher.emplace(MakeDispatcher(plan, graph, options, *gpu));
    const CardRun card{*gpu, plan.needs.card, FileOf(algorithm),
                       dispatcher.has_value() ? &*dispatcher : nullptr};
    ASSIGN_OR_RETURN(engine, MakeGpuEngine(graph, state, passes, card, recorder));
  }
  RETURN_IF_ERROR(algorithm.driver.run(*engine, state, context, answer));
  return state.BringResults();
}

/// Has the answer checked, and notes how long that took.
Status VerifyAnswer(const Algorithm& algorithm, LoadedGraph& graph, const RunSetup& setup,
                    State& state, const RunContext& context, RunReport* report) {
  Stopwatch watch;
  graph.progress().StartStage("verifying the answer", "edges", 0);
  const std::unique_ptr<State> check = algorithm.verifier.make_state(setup);
  RETURN_IF_ERROR(check->Allocate(graph.budget()));
  const Status status = algorithm.verifier.run(graph, state, *check, context);
  if (status.code() == Code::kInternal) {
    return Annotate(status, StrCat("verification of ", algorithm.name, " failed"));
  }
  RETURN_IF_ERROR(status);
  report->verify_seconds = watch.seconds();
  return OkStatus();
}

void NoteWeights(const Algorithm& algorithm, const GraphInfo& info, Progress& progress) {
  const bool has_weights = info.weights != WeightType::kNone;
  const std::string_view note =
      has_weights ? algorithm.note_with_weights : algorithm.note_without_weights;
  if (!note.empty()) progress.Note(note);
}

/// The vertices that the run starts at, each once, in the order in which they were given.
StatusOr<std::vector<VertexId>> SourcesOf(const RunOptions& options, const GraphStore& store,
                                          BlockReader& reader) {
  std::vector<VertexId> sources;
  IdMap ids(store, reader);
  for (const ExternalId id : options.values.sources()) {
    ASSIGN_OR_RETURN(const VertexId source, ids.Find(id));
    if (std::find(sources.begin(), sources.end(), source) == sources.end()) {
      sources.push_back(source);
    }
  }
  return sources;
}

/// Everything between an open reader and an answer in internal ids.
StatusOr<LoadedAnswer> RunLoaded(const Algorithm& algorithm, const RunPlan& plan,
                                 const GraphStore& store, const RunOptions& options,
                                 BlockReader& reader, MemoryBudget& budget, Progress& progress,
                                 const GpuRun* gpu, RunReport* report) {
  Stopwatch watch;
  ASSIGN_OR_RETURN(const std::vector<VertexId> sources, SourcesOf(options, store, reader));
  const GraphNeeds& needs = plan.needs.graph;
  const uint64_t indexes = store.info().directed ? needs.out_index + needs.in_index : 1;
  progress.StartStage("loading the index", "vertices", indexes * (store.info().num_vertices + 1));
  LoadedAnswer loaded;
  ASSIGN_OR_RETURN(
      loaded.source.graph,
      LoadedGraph::Load({store, reader, options.threads, budget, progress}, plan.needs.graph));
  LoadedGraph& graph = *loaded.source.graph;
  report->load_seconds = watch.seconds();
  graph.neighbor_memory().SetSpare(plan.spare_bytes, /*from_disk=*/!plan.fits_in_cache);
  const RunSetup setup{store.info(), options.values, options.threads};
  const RunContext context{sources.empty() ? kInvalidVertex : sources[0], plan.fits_in_cache,
                           progress, sources};
  loaded.source.state = algorithm.driver.make_state(setup);
  State& state = *loaded.source.state;
  RETURN_IF_ERROR(state.Allocate(budget));
  uint64_t warm_bytes = reader.stats().bytes_read, warm_reads = reader.stats().reads;
  if (options.warm) {
    progress.StartStage("warm up", "edges", 0);
    Recorder unused(graph);
    RETURN_IF_ERROR(
        RunOnce(algorithm, plan, options, gpu, graph, state, context, unused, &loaded.answer));
    loaded.answer = {};
  }
  warm_bytes = reader.stats().bytes_read - warm_bytes;
  warm_reads = reader.stats().reads - warm_reads;
  NoteWeights(algorithm, store.info(), progress);
  watch.Restart();
  progress.StartStage(options.algorithm, "edges", 0);
  Recorder recorder(graph);
  const PhaseTimer timer(options.threads);
  RETURN_IF_ERROR(
      RunOnce(algorithm, plan, options, gpu, graph, state, context, recorder, &loaded.answer));
  report->times = timer.Times();
  report->run_seconds = watch.seconds() - recorder.setup_seconds();
  report->load_seconds += recorder.setup_seconds();
  FillReport(recorder, reader, report);
  RETURN_IF_ERROR(CountEdges(graph, options, loaded.answer, gpu != nullptr, report));
  state.DropWork();
  graph.decode_scratch().Free();  // what follows is counted without them
  if (algorithm.description.run != nullptr) {
    const std::unique_ptr<State> own = algorithm.description.make_state(setup);
    RETURN_IF_ERROR(own->Allocate(budget));
    Recorder unused(graph);
    ASSIGN_OR_RETURN(const auto engine, MakeCpuEngine(graph, *own, {}, unused));
    RETURN_IF_ERROR(algorithm.description.run(*engine, state, *own, &loaded.answer));
  }
  report->bytes_read -= warm_bytes;
  report->reads -= warm_reads;
  if (options.verify) {
    RETURN_IF_ERROR(VerifyAnswer(algorithm, graph, setup, state, context, report));
  }
  graph.KeepDegreesOnly(state.has_degrees(Direction::kOut), state.has_degrees(Direction::kIn));
  return loaded;
}

/// Run, whose errors of a GPU do not tell of the CPU.
StatusOr<std::unique_ptr<RunResult>> RunOnChosen(const GraphStore& store, RunOptions options,
                                                 MemoryBudget& budget, Progress& progress,
                                                 const ReaderFactory& make_reader) {
  ASSIGN_OR_RETURN(const Algorithm* algorithm, ChooseAlgorithm(options));
  if (options.threads < 1) return UsageError("--threads must be at least 1");
  RunReport report;
  report.async_passes = options.async_passes;
  ASSIGN_OR_RETURN(std::unique_ptr<Gpu> gpu, ChooseGpu(options, progress, &report.gpu_fallback));
  StatusOr<RunPlan> planned =
      PlanRun(*algorithm, store, options, budget, progress, &gpu, &report.gpu_fallback);
  if (planned.status().code() == Code::kBudget && gpu == nullptr && options.mode == Mode::kAuto) {
    ASSIGN_OR_RETURN(options.mode, LeastMode(*algorithm, store, options, budget));
    planned = PlanRun(*algorithm, store, options, budget, progress, &gpu, &report.gpu_fallback);
  }
  ASSIGN_OR_RETURN(RunPlan plan, std::move(planned));
  report.gpu_missed = !report.gpu_fallback.empty() && MissesGpu(options);
  std::optional<GpuRun> gpu_run;
  GpuRunOptions gpu_options = options.gpu;
  std::unique_ptr<MemoryRegistrar> registrar;
  if (gpu != nullptr) {
    gpu_options.calibration =
        CalibrationForGpu(gpu_options.calibration, gpu->properties().name, gpu->properties().link);
    report.cost_model = CostModelName(gpu_options.cost_model);
    report.calibration = gpu_options.calibration.source;
    registrar = MakeRegistrar(*gpu, options.threads);
    plan.reader.registrar = registrar.get();
    plan.reader.registers_cache = PinsCache(*gpu, options, plan.swept_bytes);
    gpu_run.emplace(
        GpuRun{*gpu, gpu_options, plan.gpu_staging_bytes - BookkeepingBytes(store.info()),
               options.device == Device::kHybrid, options.async_passes, plan.reader.registers_cache,
               plan.reader.registers_cache && plan.fits_in_cache});
  }
  ASSIGN_OR_RETURN(std::unique_ptr<BlockReader> reader, make_reader(store, plan.reader, budget));
  report.least_budget_bytes = plan.least_budget_bytes;
  ASSIGN_OR_RETURN(LoadedAnswer loaded,
                   RunLoaded(*algorithm, plan, store, options, *reader, budget, progress,
                             gpu_run.has_value() ? &*gpu_run : nullptr, &report));
  if (gpu != nullptr) {
    report.gpu = gpu->properties().name;
    report.gpu_memory_bytes = gpu->memory_bytes();
    report.peak_gpu_bytes = gpu->peak_bytes();
    report.misses_neighbors = plan.needs.card.may_keep.has_value() && !report.keeps_neighbors &&
                              options.gpu.transfer == Transfer::kResident &&
                              store.info().num_edges > 0;
    report.link_bytes = gpu->copied_bytes();
    // What is read from here on, ids, goes past the GPU.
    reader.reset();
    plan.reader.registrar = nullptr;
    plan.reader.cache_bytes = 0;
    ASSIGN_OR_RETURN(reader, make_reader(store, plan.reader, budget));
  }
  auto result = std::make_unique<AnswerResult>(
      store, budget, std::move(reader), ColumnOf(*algorithm, options.values),
      std::move(loaded.source), std::move(loaded.answer), std::move(report));
  const uint32_t top = options.top.value_or(result->default_top());
  if (top > 0) progress.StartStage("comparing values", "vertices", 0);
  RETURN_IF_ERROR(result->FindTop(top, options.threads));
  return std::unique_ptr<RunResult>(std::move(result));
}

}  // namespace

StatusOr<uint64_t> LeastBudget(const GraphStore& store, RunOptions options,
                               const MemoryBudget& budget) {
  ASSIGN_OR_RETURN(const Algorithm* algorithm, ChooseAlgorithm(options));
  const bool on_gpu = options.device == Device::kGpu || options.device == Device::kHybrid;
  if (!on_gpu) {
    ASSIGN_OR_RETURN(options.mode, LeastMode(*algorithm, store, options, budget));
  }
  ASSIGN_OR_RETURN(const RunPlan plan, CountRun(*algorithm, store, options, budget, on_gpu));
  return plan.least_budget_bytes;
}

Status CheckGpu(const GraphStore& store, const RunOptions& options, const MemoryBudget& budget,
                Progress& progress) {
  if (options.device != Device::kGpu && options.device != Device::kHybrid) return OkStatus();
  ASSIGN_OR_RETURN(const Algorithm* algorithm, ChooseAlgorithm(options));
  std::string unused;
  const auto gpu = ChooseGpu(options, progress, &unused);
  if (!gpu.ok()) return OrOnCpu(gpu.status());
  ASSIGN_OR_RETURN(RunPlan plan, CountRun(*algorithm, store, options, budget, true));
  return FitCard(store, options.gpu, CardMemoryOf(**gpu), &plan.needs.card);
}

StatusOr<std::unique_ptr<RunResult>> Run(const GraphStore& store, const RunOptions& options,
                                         MemoryBudget& budget, Progress& progress,
                                         const ReaderFactory& make_reader) {
  auto result = RunOnChosen(store, options, budget, progress, make_reader);
  if (!result.ok()) return OrOnCpu(result.status());
  return result;
}

}  // namespace edgemill

#include "engine/run/opened_run.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <utility>

#include "common/cancel.h"
#include "common/check.h"
#include "common/clock.h"
#include "common/threads/parallel.h"
#include "engine/checkpoint/checkpoints.h"
#include "engine/graph/id_map.h"
#include "engine/run/make_engine.h"
#include "engine/run/prepared_run.h"
#include "engine/run/processor.h"
#include "engine/run/run_plan.h"

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
  report->samples_neighbors = recorder.prepared().samples_neighbors;
  report->steps = recorder.steps();
  report->cells = recorder.prepared().cells;
  report->timeline = recorder.timeline();
  report->peak_resident_bytes = PeakResidentBytes();
  report->io_engine = reader.engine_name();
}

/// The edges in the lists of the vertices that a search reached: out-edges where these lists are
/// loaded, else in-edges.
StatusOr<uint64_t> CountReached(const LoadedGraph& graph, const Answer& answer) {
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

/// A run whose programs read weights does not ignore them.
void NoteWeights(const Algorithm& algorithm, const State& state, const GraphInfo& info,
                 Progress& progress) {
  const bool has_weights = info.weights != WeightType::kNone;
  if (has_weights && AnyOf(state.programs(), &ProgramTraits::weighted)) return;
  const std::string_view note =
      has_weights ? algorithm.note_with_weights : algorithm.note_without_weights;
  if (!note.empty()) progress.Note(note);
}

}  // namespace

StatusOr<std::unique_ptr<OpenedRun>> OpenedRun::Open(PreparedRun& run, const RunPlan& plan,
                                                     const Processor& processor,
                                                     const RunResources& resources) {
  CHECK(run.state != nullptr);  // no run has taken it
  std::unique_ptr<OpenedRun> opened(new OpenedRun(run, plan, processor, resources));
  auto& [budget, progress, make_reader] = opened->resources_;
  const GraphStore& store = run.store;
  if (plan.shares_reader) {
    opened->reader_ = std::make_unique<BorrowedReader>(*run.options.shared_reader.reader);
  } else {
    ASSIGN_OR_RETURN(opened->reader_, make_reader(store, processor.ReaderOptions(plan), budget));
  }
  opened->other_bytes_ = opened->reader_->stats().bytes_read;
  opened->other_reads_ = opened->reader_->stats().reads;
  Stopwatch watch;
  RETURN_IF_ERROR(opened->FindSources());
  const GraphNeeds& needs = plan.needs.graph;
  const uint64_t indexes = store.info().directed ? needs.out_index + needs.in_index : 1;
  progress.StartStage("loading the index", "vertices", indexes * (store.info().num_vertices + 1));
  ASSIGN_OR_RETURN(
      opened->graph_,
      LoadedGraph::Load({store, *opened->reader_, run.options.threads, budget, progress}, needs));
  opened->report_.load_seconds = watch.seconds();
  opened->graph_->neighbor_memory().SetSpare(plan.spare_bytes, /*from_disk=*/!plan.fits_in_cache);
  RETURN_IF_ERROR(run.state->Allocate(budget));
  return opened;
}

Status OpenedRun::FindSources() {
  IdMap ids(run_.store, *reader_);
  for (const ExternalId id : run_.options.values.sources()) {
    ASSIGN_OR_RETURN(const VertexId source, ids.Find(id));
    if (std::find(sources_.begin(), sources_.end(), source) == sources_.end()) {
      sources_.push_back(source);
    }
  }
  return OkStatus();
}

RunContext OpenedRun::Context() const {
  return {sources_.empty() ? kInvalidVertex : sources_[0], plan_.fits_in_cache, resources_.progress,
          sources_};
}

Status OpenedRun::RunOnce(Recorder& recorder, Checkpoints* checkpoints, Answer* answer) {
  CHECK(graph_ != nullptr);  // RunAndVerify, the last call, gives both away
  CHECK(run_.state != nullptr);
  ASSIGN_OR_RETURN(const std::unique_ptr<Engine> engine,
                   processor_.MakeEngine(run_, plan_, *graph_, recorder));
  if (checkpoints != nullptr) {
    checkpoints->Start(*run_.state, engine->sets());
    engine->Keep(*checkpoints);
    AcceptHalts(true);
  }
  Status status = run_.algorithm.driver.run(*engine, *run_.state, Context(), answer);
  if (checkpoints != nullptr) {
    const Status finished = checkpoints->Finish();
    if (status.ok()) status = finished;
    AcceptHalts(false);
    report_.checkpoints = checkpoints->report();
    if (HaltRequested()) RequestCancel();  // too late for a checkpoint
  }
  RETURN_IF_ERROR(status);
  return run_.state->CopyResultsToHost();
}

Status OpenedRun::Warm() {
  resources_.progress.StartStage("warm up", "edges", 0);
  Recorder unused(*graph_);
  Answer answer;
  const uint64_t bytes = reader_->stats().bytes_read, reads = reader_->stats().reads;
  RETURN_IF_ERROR(RunOnce(unused, nullptr, &answer));
  other_bytes_ += reader_->stats().bytes_read - bytes;
  other_reads_ += reader_->stats().reads - reads;
  return OkStatus();
}

Status OpenedRun::RunTimed(Answer* answer) {
  Stopwatch watch;
  resources_.progress.StartStage(run_.options.algorithm, "edges", 0);
  Recorder recorder(*graph_);
  const PhaseTimer timer(run_.options.threads);
  RETURN_IF_ERROR(RunOnce(recorder, checkpoints_, answer));
  report_.times = timer.Times();
  report_.run_seconds = watch.seconds() - recorder.setup_seconds();
  report_.load_seconds += recorder.setup_seconds();
  FillReport(recorder, *reader_, &report_);
  CHECK(report_.bytes_read >= other_bytes_ && report_.reads >= other_reads_);
  report_.bytes_read -= other_bytes_;
  report_.reads -= other_reads_;
  return CountEdges(*answer);
}

Status OpenedRun::CountEdges(const Answer& answer) {
  uint64_t sent = 0;
  for (const IterationReport& iteration : report_.iterations) sent += iteration.active_edges;
  const uint64_t passes = std::max<uint64_t>(1, answer.passes);
  uint64_t edges = graph_->num_edges() * passes;
  if (answer.counted == CountedEdges::kReached) {
    ASSIGN_OR_RETURN(edges, CountReached(*graph_, answer));
    edges *= passes;
    // If -i stops a search, the vertices that it reached last have not sent along their edges. The
    // account of a GPU's own loops has no edges.
    const bool stops =
        run_.options.values.Has("--iterations") && graph_->has_index(Direction::kOut);
    if (stops && !processor_.has_gpu()) edges = std::min(edges, sent);
  } else if (answer.counted == CountedEdges::kSent) {
    edges = sent;
  }
  const bool twice = answer.counted != CountedEdges::kAll && !graph_->info().directed;
  report_.edges_counted = twice ? edges / 2 : edges;  // stored both ways
  report_.edges_per_second =
      static_cast<double>(report_.edges_counted) / std::max(report_.run_seconds, 1e-9);
  return OkStatus();
}

Status OpenedRun::Describe(Answer* answer) {
  if (run_.describes == nullptr) return OkStatus();
  CHECK(run_.algorithm.description.run != nullptr);
  const std::unique_ptr<State> own = std::move(run_.describes);
  RETURN_IF_ERROR(own->Allocate(resources_.budget));
  Recorder unused(*graph_);
  ASSIGN_OR_RETURN(const auto engine, MakeCpuEngine(*graph_, *own, {}, unused));
  return run_.algorithm.description.run(*engine, *run_.state, *own, answer);
}

Status OpenedRun::Verify() {
  if (run_.verifies == nullptr) return OkStatus();
  CHECK(run_.algorithm.verifier.run != nullptr);  // the registry demands one
  const Stopwatch watch;
  resources_.progress.StartStage("verifying the answer", "edges", 0);
  const std::unique_ptr<State> check = std::move(run_.verifies);
  RETURN_IF_ERROR(check->Allocate(resources_.budget));
  const Status status = run_.algorithm.verifier.run(*graph_, *run_.state, *check, Context());
  if (status.code() == Code::kInternal) {
    return Annotate(status, StrCat("verification of ", run_.algorithm.name, " failed"));
  }
  report_.verify_seconds = watch.seconds();
  return status;
}

StatusOr<std::unique_ptr<RunResult>> OpenedRun::RunAndVerify() {
  NoteWeights(run_.algorithm, *run_.state, run_.store.info(), resources_.progress);
  Answer answer;
  RETURN_IF_ERROR(RunTimed(&answer));
  State& state = *run_.state;
  state.DropWork();
  graph_->decode_scratch().Free();  // what follows is counted without them
  RETURN_IF_ERROR(Describe(&answer));
  RETURN_IF_ERROR(Verify());
  graph_->ReleaseAllButDegrees(state.has_degrees(Direction::kOut),
                               state.has_degrees(Direction::kIn));
  auto result = std::make_unique<RunResult>(
      run_.store, resources_.budget, ColumnOf(run_.algorithm, run_.options.values),
      AnswerSource{std::move(graph_), std::move(run_.state)}, std::move(answer));
  report_.async_passes = plan_.passes.async_passes;
  report_.chose_async = report_.async_passes > 0 && !run_.options.async_passes.has_value();
  report_.min_budget_bytes = plan_.min_budget_bytes;
  if (checkpoints_ != nullptr) report_.min_budget_bytes -= checkpoints_->spare_bytes();
  processor_.Report(run_, plan_, &report_);
  if (processor_.has_gpu()) {
    // From here on only ids are read, which the GPU does not need.
    reader_.reset();
    BlockReaderOptions reader = plan_.reader;
    reader.cache_bytes = 0;
    ASSIGN_OR_RETURN(reader_, resources_.make_reader(run_.store, reader, resources_.budget));
  }
  result->Finish(std::move(reader_), std::move(report_));
  return result;
}

}  // namespace edgemill

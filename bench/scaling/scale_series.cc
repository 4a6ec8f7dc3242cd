#include "bench/scaling/scale_series.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "bench/plain/plain_csr.h"
#include "bench/record/answer_digest.h"
#include "bench/scaling/peak_memory.h"
#include "bench/trials/generated_graph.h"
#include "bench/trials/known_algorithms.h"
#include "bench/trials/source_picker.h"
#include "common/cancel.h"
#include "common/clock.h"
#include "common/units.h"
#include "engine/run/algorithm_help.h"
#include "engine/run/run.h"

namespace edgemill::bench {
namespace {

constexpr uint64_t kEdgeFactor = 16;

/// One scale's graph and what is measured on it.
class ScaleRun {
 public:
  ScaleRun(const ScaleSeriesOptions& options, uint64_t scale, Progress& progress)
      : options_(options), graph_(options.directory, StrCat("scale-", scale)), progress_(progress) {
    for (const KnownAlgorithm& known : KnownAlgorithms()) {
      if (known.plain != nullptr) runs_.push_back(known);
    }
    point_.scale = scale;
  }

  StatusOr<ScalePoint> Measure(std::vector<std::string>* remarks) {
    const auto found = [&](std::string_view what) { return StrCat("scale ", point_.scale, what); };
    Status status = Make();
    if (status.ok()) status = Open();
    if (!status.ok()) return Annotate(status, found(""));
    for (const char* program : {"engine", "plain CSR"}) {
      for (const KnownAlgorithm& known : runs_) {
        point_.trials.push_back(
            {.program = program, .algorithm = known.name, .passes = known.passes});
      }
    }
    for (uint64_t trial = 0; trial < options_.trials; ++trial) {
      for (size_t i = 0; i < runs_.size() && status.ok(); ++i) status = RunEngine(trial, i);
    }
    if (!status.ok()) return Annotate(status, found(""));
    status = RunPlain();
    if (status.code() == Code::kBudget) {
      remarks->push_back(found(StrCat(": plain CSR left out: ", status.message())));
      point_.trials.resize(runs_.size());
    } else if (!status.ok()) {
      return Annotate(status, found(", plain CSR"));
    }
    return std::move(point_);
  }

  /// Removes the graph, whole or not.
  Status Remove() {
    store_.reset();
    return graph_.Remove();
  }

 private:
  Status Make() {
    const GeneratedGraphOptions graph{.generator = {.kind = GeneratorKind::kKron,
                                                    .scale = static_cast<int>(point_.scale),
                                                    .edge_factor = kEdgeFactor},
                                      .weights = {.kind = WeightChoice::Kind::kRandom},
                                      .threads = options_.threads,
                                      .memory_bytes = options_.making_bytes};
    const Stopwatch watch;
    RETURN_IF_ERROR(graph_.Make(graph, progress_));
    point_.making_seconds = watch.seconds();
    return OkStatus();
  }

  /// Opens the graph with memory in proportion to its vertices, and chooses where searches start.
  Status Open() {
    MemoryBudget counting(kMebibyte << 10);
    uint64_t least = 0;
    {
      ASSIGN_OR_RETURN(const auto store,
                       GraphStore::Open(graph_.path(), {.block_table = false}, counting));
      point_.num_vertices = store->info().num_vertices;
      point_.num_edges = store->info().num_edges;
      for (const KnownAlgorithm& known : runs_) {
        const RunOptions run = Options(known, store->info().id_base);  // only counts are used
        ASSIGN_OR_RETURN(const uint64_t bytes, LeastBudget(*store, run, counting));
        least = std::max(least, bytes);
      }
    }
    point_.engine_memory_bytes = std::max((least + kMebibyte - 1) / kMebibyte * kMebibyte,
                                          options_.bytes_per_vertex << point_.scale);
    budget_ = std::make_unique<MemoryBudget>(point_.engine_memory_bytes);
    ASSIGN_OR_RETURN(store_, GraphStore::Open(graph_.path(), {}, *budget_));
    ASSIGN_OR_RETURN(sources_, PickSources(*store_, {.count = options_.trials}, options_.threads,
                                           *budget_, progress_));
    return OkStatus();
  }

  RunOptions Options(const KnownAlgorithm& known, ExternalId source) const {
    RunOptions run{.algorithm = known.algorithm, .values = known.values};
    if (known.has_source()) run.values.Set("--source", source);
    run.threads = options_.threads;
    run.verify = true;
    return run;
  }

  Status RunEngine(uint64_t trial, size_t i) {
    const RunOptions run = Options(runs_[i], sources_[trial]);
    RETURN_IF_ERROR(ResetPeakResident());
    ASSIGN_OR_RETURN(const auto result, Run(*store_, run, *budget_, progress_));
    ScaleTrials& trials = point_.trials[i];
    trials.seconds.push_back(result->report().run_seconds);
    trials.bytes_read.push_back(static_cast<double>(result->report().bytes_read));
    trials.peak_bytes.push_back(static_cast<double>(result->report().peak_resident_bytes));
    ASSIGN_OR_RETURN(AnswerDigest digest, AnswerDigest::Of(*result, store_->info().id_base));
    digests_.push_back(std::move(digest));
    return OkStatus();
  }

  Status RunPlain() {
    MemoryBudget budget(options_.csr_memory_bytes);
    ASSIGN_OR_RETURN(const PlainCsr csr,
                     PlainCsr::Load(*store_, options_.threads, budget, progress_));
    progress_.StartStage("plain algorithms", "trials", options_.trials * runs_.size());
    for (uint64_t trial = 0; trial < options_.trials; ++trial) {
      for (size_t i = 0; i < runs_.size(); ++i) {
        RETURN_IF_ERROR(CheckCancelled());
        RETURN_IF_ERROR(RunPlain(csr, trial, i, budget));
        progress_.Advance(1);
      }
    }
    return OkStatus();
  }

  Status RunPlain(const PlainCsr& csr, uint64_t trial, size_t i, MemoryBudget& budget) {
    const auto source = static_cast<VertexId>(sources_[trial] - store_->info().id_base);
    ScaleTrials& trials = point_.trials[runs_.size() + i];
    RETURN_IF_ERROR(ResetPeakResident());
    const Stopwatch watch;
    ASSIGN_OR_RETURN(const PlainAnswer answer,
                     runs_[i].plain(csr, source, options_.threads, budget));
    trials.seconds.push_back(watch.seconds());
    trials.peak_bytes.push_back(static_cast<double>(PeakResidentBytes()));
    const AnswerDigest digest =
        std::visit([](const auto& plain) { return AnswerDigest::Of(plain.values.span()); }, answer);
    if (digest.Agrees(digests_[trial * runs_.size() + i])) return OkStatus();
    return InternalError(
        StrCat(runs_[i].name, ", trial ", trial + 1, ": the engine's answer differs"));
  }

  const ScaleSeriesOptions& options_;
  BenchmarkGraph graph_;
  Progress& progress_;
  std::vector<KnownAlgorithm> runs_;
  ScalePoint point_;
  std::unique_ptr<MemoryBudget> budget_;
  std::unique_ptr<GraphStore> store_;
  std::vector<ExternalId> sources_;
  std::vector<AnswerDigest> digests_;  // the engine's, by trial and run
};

Status CheckResources(const ScaleSeriesOptions& options) {
  if (options.first_scale > options.last_scale) {
    return UsageError(StrCat("bench scales: --from ", options.first_scale, " is above --to ",
                             options.last_scale));
  }
  RETURN_IF_ERROR(
      CheckSpaceForGraph(options.directory, options.last_scale, kEdgeFactor,
                         StrCat("give a smaller --to (now scale ", options.last_scale, ")")));
  const uint64_t memory = 2 * DefaultMemoryBytes();
  const uint64_t engine = options.bytes_per_vertex << options.last_scale;
  const uint64_t asked = std::max({engine, options.csr_memory_bytes, options.making_bytes});
  if (asked > memory) {
    return BudgetError(StrCat("bench scales: ", FormatBytes(asked), " of memory asked for and ",
                              FormatBytes(memory), " free: give less of ",
                              asked == engine                     ? "--to or --bytes-per-vertex"
                              : asked == options.csr_memory_bytes ? "--csr-memory"
                                                                  : "--memory"));
  }
  return OkStatus();
}

}  // namespace

StatusOr<ScaleSeries> RunScaleSeries(const ScaleSeriesOptions& options, Progress& progress) {
  RETURN_IF_ERROR(CheckResources(options));
  ScaleSeries series;
  for (uint64_t scale = options.first_scale; scale <= options.last_scale; ++scale) {
    progress.StartRound(
        StrCat("scale ", scale, " of ", options.first_scale, " to ", options.last_scale));
    ScaleRun run(options, scale, progress);
    StatusOr<ScalePoint> point = run.Measure(&series.remarks);
    const Status removed = run.Remove();
    RETURN_IF_ERROR(CheckCancelled());
    RETURN_IF_ERROR(point.status());
    RETURN_IF_ERROR(removed);
    series.points.push_back(std::move(*point));
  }
  return series;
}

}  // namespace edgemill::bench

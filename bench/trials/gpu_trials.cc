#include "bench/trials/gpu_trials.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "bench/plain/plain_algorithms.h"
#include "bench/trials/answer_check.h"
#include "bench/trials/gpu_raw_graph.h"
#include "bench/trials/gpu_right_answers.h"
#include "bench/trials/known_algorithms.h"
#include "bench/trials/source_picker.h"
#include "common/cancel.h"
#include "common/units.h"
#include "engine/run/algorithm_help.h"

namespace edgemill::bench {
namespace {

/// The tolerance that sums of floats get where an atomic operation adds each term: a hub's equal
/// terms are all rounded the same way.
constexpr double kTermByTermTolerance = 1e-4;

/// One of Edgemill's engines, or a raw engine.
struct Contender {
  std::optional<EdgemillEngine> engine;  // none: raw
  RawChoice raw;

  std::string Name() const {
    return engine.has_value() ? StrCat("Edgemill ", engine->Name()) : raw.Name();
  }
  /// Why it cannot run the algorithm; empty if it can.
  std::string_view WhyNot(const KnownAlgorithm& algorithm) const {
    return engine.has_value() ? std::string_view() : bench::WhyNot(raw, algorithm.raw);
  }
  bool AllInGpuMemory() const {
    return engine.has_value() ? engine->transfer == Transfer::kResident : IsInGpuMemory(raw.engine);
  }
};

/// The trials on one graph.
class TrialRun {
 public:
  TrialRun(const GraphStore& store, const GpuTrialOptions& options, MemoryBudget& budget,
           Progress& progress)
      : store_(store), options_(options), budget_(budget), progress_(progress) {}

  StatusOr<GpuTrials> Measure() {
    RETURN_IF_ERROR(Prepare());
    RETURN_IF_ERROR(CheckFits());
    for (uint64_t trial = 0; trial < options_.trials; ++trial) {
      for (const KnownAlgorithm& algorithm : algorithms_) {
        const Status status = RunTrial(trial, algorithm);
        if (!status.ok()) {
          return Annotate(status, StrCat(algorithm.name, ", trial ", trial + 1));
        }
      }
    }
    return std::move(trials_);
  }

 private:
  Status Prepare() {
    const GraphInfo& info = store_.info();
    trials_.raw_edge_bytes = 4 * info.num_edges;
    trials_.weight_bytes = info.weights == WeightType::kNone ? 0 : 4 * info.num_edges;
    trials_.gpu_memory_bytes =
        options_.gpu_memory_bytes > 0 ? options_.gpu_memory_bytes : trials_.raw_edge_bytes / 4;
    ASSIGN_OR_RETURN(whole_gpu_, Gpu::Open({}));
    trials_.gpu = whole_gpu_->properties().name;
    ASSIGN_OR_RETURN(gpu_, Gpu::Open({.memory_bytes = trials_.gpu_memory_bytes}));
    for (const KnownAlgorithm& algorithm : KnownAlgorithms()) {
      const auto& asked = options_.algorithms;
      if (std::find(asked.begin(), asked.end(), algorithm.name) == asked.end()) continue;
      if (algorithm.reads_weights && info.weights == WeightType::kNone) {
        trials_.remarks.push_back(StrCat(algorithm.name, " left out: the graph has no weights"));
        continue;
      }
      algorithms_.push_back(algorithm);
    }
    for (const EdgemillEngine& engine : options_.engines) contenders_.push_back({engine});
    for (const RawChoice& choice : options_.raw_engines) {
      contenders_.push_back({std::nullopt, choice});
    }
    for (const KnownAlgorithm& algorithm : algorithms_) {
      for (const Contender& contender : contenders_) {
        if (const std::string_view why = contender.WhyNot(algorithm); !why.empty()) {
          trials_.remarks.push_back(
              StrCat(algorithm.name, ", ", contender.Name(), " left out: ", why));
          continue;
        }
        trials_.series.push_back({.algorithm = algorithm.name,
                                  .engine = contender.Name(),
                                  .has_source = algorithm.has_source()});
      }
    }
    if (trials_.series.empty() && !options_.leaves_out) {
      std::string remarks;
      for (const std::string& remark : trials_.remarks) remarks += StrCat("; ", remark);
      return UsageError(StrCat("bench gpu: nothing can run", remarks));
    }
    ASSIGN_OR_RETURN(trials_.sources, PickSources(store_, {options_.seed, options_.trials},
                                                  options_.threads, budget_, progress_));
    return options_.raw_engines.empty() ? OkStatus() : LoadRaw();
  }

  Status LoadRaw() {
    ASSIGN_OR_RETURN(raw_graph_,
                     RawGraph::Load(store_, trials_.sources, options_, *whole_gpu_, progress_));
    if (!options_.verify) return OkStatus();
    ASSIGN_OR_RETURN(right_answers_, RightAnswers::Create(store_, *raw_graph_, options_));
    return OkStatus();
  }

  /// The series of the contender's trials; the end if it has none.
  std::vector<GpuTrialSeries>::iterator SeriesOf(const KnownAlgorithm& algorithm,
                                                 const Contender& contender) {
    return std::find_if(trials_.series.begin(), trials_.series.end(), [&](const auto& known) {
      return known.algorithm == algorithm.name && known.engine == contender.Name();
    });
  }
  /// The contenders whose trials have a series.
  std::vector<Contender> ContendersOf(const KnownAlgorithm& algorithm) {
    std::vector<Contender> all;
    for (const Contender& contender : contenders_) {
      if (SeriesOf(algorithm, contender) != trials_.series.end()) all.push_back(contender);
    }
    return all;
  }

  /// Checks that every later run fits the memory that it gets.
  Status CheckFits() {
    for (const KnownAlgorithm& algorithm : algorithms_) {
      for (const Contender& contender : ContendersOf(algorithm)) {
        const Status fits = CheckFits(algorithm, contender);
        if (fits.ok()) continue;
        if (fits.code() != Code::kBudget) return fits;
        if (!options_.leaves_out) {
          return BudgetError(
              StrCat(fits.message(), ": give more, or leave it out by --transfer or --beside"));
        }
        trials_.remarks.push_back(StrCat(fits.message(), ": left out"));
        trials_.series.erase(SeriesOf(algorithm, contender));
      }
    }
    return OkStatus();
  }

  /// Returns BudgetError if the run does not fit.
  Status CheckFits(const KnownAlgorithm& algorithm, const Contender& contender) {
    const auto needs = [&](uint64_t least, std::string_view option, uint64_t has) {
      if (least <= has) return OkStatus();
      return BudgetError(StrCat(algorithm.name, ", ", contender.Name(), " needs ",
                                FormatMebibytesUp(least), " of ", option, ", and has ",
                                FormatBytes(has)));
    };
    if (contender.engine.has_value()) {
      ASSIGN_OR_RETURN(const uint64_t least,
                       LeastBudget(store_, Options(algorithm, contender, 0), budget_));
      return needs(least, "--memory", budget_.total_bytes());
    }
    // Only counts matter, which are the same for all trials.
    const Gpu& gpu = contender.AllInGpuMemory() ? *whole_gpu_ : *gpu_;
    const RawRunOptions run = Raw(algorithm, contender, 0);
    RETURN_IF_ERROR(CheckRaw(gpu, raw_graph_->csr(), run));
    return needs(LeastRawGpuBytes(run, raw_graph_->csr()), "--gpu-memory", gpu.memory_bytes());
  }

  RunOptions Options(const KnownAlgorithm& algorithm, const Contender& contender,
                     uint64_t trial) const {
    RunOptions run;
    run.algorithm = algorithm.algorithm;
    run.values = algorithm.values;
    if (algorithm.has_source()) run.values.Set("--source", trials_.sources[trial]);
    if (algorithm.raw == RawAlgorithm::kPageRank) {
      run.values.Set("--iterations", options_.iterations);
    }
    if (algorithm.raw == RawAlgorithm::kDeltaPageRank) {
      run.values.Set("--tolerance", options_.tolerance);
    }
    run.device = Device::kGpu;
    run.gpu.transfer = contender.engine->transfer;
    run.gpu.cost_model = contender.engine->cost_model;
    run.gpu.calibration = options_.calibration;
    run.gpu.num_batches = options_.streams;
    if (!contender.AllInGpuMemory()) run.gpu.gpu.memory_bytes = trials_.gpu_memory_bytes;
    run.threads = options_.threads;
    run.warm = true;
    run.verify = options_.verify && raw_graph_ == nullptr;
    return run;
  }

  RawRunOptions Raw(const KnownAlgorithm& algorithm, const Contender& contender,
                    uint64_t trial) const {
    RawRunOptions run;
    run.engine = contender.raw.engine;
    run.sparse = contender.raw.sparse;
    run.shards = contender.raw.shards;
    run.num_pages = options_.num_pages;
    run.algorithm = algorithm.raw;
    if (algorithm.has_source()) run.source = raw_graph_->source(trial);
    run.iterations = options_.iterations;
    run.tolerance = options_.tolerance;
    run.threads = options_.threads;
    run.wide = raw_graph_->wide();
    return run;
  }

  Status RunTrial(uint64_t trial, const KnownAlgorithm& algorithm) {
    const RightAnswer* right = nullptr;
    if (right_answers_ != nullptr) {
      ASSIGN_OR_RETURN(right, right_answers_->Of(trial, algorithm));
    }
    for (const Contender& contender : ContendersOf(algorithm)) {
      RETURN_IF_ERROR(CheckCancelled());
      progress_.StartRound(
          StrCat("trial ", ++trials_started_, " of ", options_.trials * trials_.series.size()));
      const auto series = SeriesOf(algorithm, contender);
      const Status status =
          contender.engine.has_value()
              ? RunEngine(Options(algorithm, contender, trial), right, &*series)
              : RunBeside(Raw(algorithm, contender, trial), contender, right, &*series);
      if (!status.ok()) return Annotate(status, contender.Name());
    }
    return OkStatus();
  }

  Status RunEngine(const RunOptions& options, const RightAnswer* right, GpuTrialSeries* series) {
    ASSIGN_OR_RETURN(const auto result, Run(store_, options, budget_, progress_));
    double seconds = 0, bytes = 0;
    for (const IterationReport& iteration : result->report().iterations) {
      seconds += iteration.seconds;
      bytes += static_cast<double>(iteration.transfers.total().bytes);
    }
    series->seconds.push_back(seconds);
    series->answer_seconds.push_back(result->report().run_seconds);
    series->link_bytes.push_back(bytes);
    series->iterations.push_back(static_cast<double>(result->report().num_iterations));
    series->steps.push_back(result->report().steps);
    series->edges.push_back(static_cast<double>(result->report().edges_counted));
    return right == nullptr ? OkStatus() : right_answers_->Check(*result, *right);
  }

  /// The same count as RunReport::edges_counted.
  uint64_t EdgesCounted(const RawRunOptions& options, RawRunResult& result) const {
    const RawAlgorithm algorithm = options.algorithm;
    const PlainCsr& csr = raw_graph_->csr();
    if (algorithm == RawAlgorithm::kComponents) return csr.num_edges();
    if (algorithm != RawAlgorithm::kBfs && algorithm != RawAlgorithm::kSssp) {
      return csr.num_edges() * result.iterations;
    }
    uint64_t edges = 0;
    const std::span<const uint32_t> values = result.values();
    for (size_t vertex = 0; vertex < values.size(); ++vertex) {
      if (values[vertex] == kPlainUnreached) continue;
      edges += csr.out().degree(static_cast<VertexId>(vertex));
    }
    return store_.info().directed ? edges : edges / 2;
  }

  Status RunBeside(const RawRunOptions& options, const Contender& contender,
                   const RightAnswer* right, GpuTrialSeries* series) {
    Gpu& gpu = contender.AllInGpuMemory() ? *whole_gpu_ : *gpu_;
    ASSIGN_OR_RETURN(RawRunResult result,
                     RunRaw(gpu, raw_graph_->csr(), options, raw_graph_->budget()));
    series->seconds.push_back(result.seconds);
    series->answer_seconds.push_back(result.seconds + result.answer_seconds);
    series->link_bytes.push_back(static_cast<double>(result.traffic.bytes));
    for (size_t i = 0; i < series->requests.size(); ++i) {
      series->requests[i].push_back(static_cast<double>(result.traffic.requests[i]));
    }
    series->iterations.push_back(static_cast<double>(result.iterations));
    series->edges.push_back(static_cast<double>(EdgesCounted(options, result)));
    series->build_seconds.push_back(result.layout.build_seconds);
    series->layout = result.layout;
    series->raw_steps = std::move(result.steps);
    series->page_seconds = std::move(result.page_seconds);
    if (right == nullptr) return OkStatus();
    if (right->ranks.values.empty()) return AnswerCheck::Check(result.values(), *right);
    const bool term_by_term =
        options.engine == RawEngine::kSparse || options.engine == RawEngine::kShards;
    return AnswerCheck::Check(result.ranks(), *right, term_by_term ? kTermByTermTolerance : 0);
  }

  const GraphStore& store_;
  const GpuTrialOptions& options_;
  MemoryBudget& budget_;
  Progress& progress_;
  uint64_t trials_started_ = 0;
  GpuTrials trials_;
  std::vector<KnownAlgorithm> algorithms_;
  std::vector<Contender> contenders_;
  std::unique_ptr<Gpu> whole_gpu_;               // with all of its memory
  std::unique_ptr<Gpu> gpu_;                     // with the memory that trials may use
  std::unique_ptr<RawGraph> raw_graph_;          // if a raw engine runs
  std::unique_ptr<RightAnswers> right_answers_;  // if its answers are checked
};

/// Refuses more memory than the machine has.
Status CheckResources(const GpuTrialOptions& options, const MemoryBudget& budget) {
  const uint64_t asked =
      budget.total_bytes() + (options.raw_engines.empty() ? 0 : options.csr_memory_bytes);
  const uint64_t free = 2 * DefaultMemoryBytes();
  if (asked <= free) return OkStatus();
  return BudgetError(StrCat("bench gpu: ", FormatBytes(asked), " of memory asked for and ",
                            FormatBytes(free), " free: give a smaller --memory or --csr-memory"));
}

}  // namespace

std::string_view EdgemillEngine::Name() const {
  return cost_model == CostModelKind::kHytgraph ? CostModelName(cost_model)
                                                : TransferName(transfer);
}

const std::vector<EdgemillEngine>& EdgemillEngines() {
  static const std::vector<EdgemillEngine> engines = [] {
    std::vector<EdgemillEngine> all;
    for (int i = 0; i < kNumTransfers; ++i) all.push_back({.transfer = static_cast<Transfer>(i)});
    all.push_back({.cost_model = CostModelKind::kHytgraph});
    return all;
  }();
  return engines;
}

StatusOr<GpuTrials> RunGpuTrials(const GraphStore& store, const GpuTrialOptions& options,
                                 MemoryBudget& budget, Progress& progress) {
  RETURN_IF_ERROR(CheckResources(options, budget));
  return TrialRun(store, options, budget, progress).Measure();
}

}  // namespace edgemill::bench

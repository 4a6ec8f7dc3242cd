#include "bench/papers/paper_runs.h"

#include <algorithm>
#include <optional>
#include <set>

#include "bench/trials/algorithm_trials.h"
#include "bench/trials/known_algorithms.h"
#include "bench/trials/source_picker.h"
#include "common/check.h"
#include "common/strings.h"
#include "common/units.h"
#include "engine/run/algorithm_help.h"
#include "engine/run/gpu_choice.h"
#include "engine/run/run.h"
#if defined(EDGEMILL_WITH_CUDA)
#include "bench/trials/gpu_trials.h"
#endif

namespace edgemill::bench {
namespace {

// The options of simulations: iterations as in the papers, and so little gain that values settle.
constexpr uint64_t kSimulatedIterations = 10;
constexpr double kSimulatedGain = 1e-3;
/// The pages of Garaph's figure 8.
constexpr uint32_t kPages = 33;
/// Where PageRank by deltas stops, in Edgemill and in rivals' engines.
constexpr double kDeltaTolerance = 1e-2;

/// What to run, each once and in the order of the figures.
struct PaperPlan {
  struct Entry {
    std::string_view algorithm;
    const PaperWay* way;
  };
  std::vector<Entry> engine, raw;
};

/// Adds `value` unless it is there.
template <typename T>
void AddNew(T value, std::vector<T>* values) {
  if (std::find(values->begin(), values->end(), value) == values->end()) {
    values->push_back(std::move(value));
  }
}

PaperPlan PlanFor(const std::vector<const PaperFigure*>& figures) {
  PaperPlan plan;
  std::set<PaperRuns::Key> planned;
  for (const PaperFigure* const figure : figures) {
    for (const PaperRow& row : figure->rows) {
      for (const PaperColumn& column : figure->columns) {
        if (column.way == nullptr) continue;
        if (!planned.emplace(row.algorithm, column.way->name).second) continue;
        auto& entries = column.way->is_raw() ? plan.raw : plan.engine;
        entries.push_back({row.algorithm, column.way});
      }
    }
  }
  return plan;
}

#if defined(EDGEMILL_WITH_CUDA)
std::vector<IterationReport> ReportsOf(const std::vector<RawIteration>& steps) {
  std::vector<IterationReport> reports(steps.size());
  for (size_t i = 0; i < steps.size(); ++i) {
    reports[i].seconds = steps[i].seconds;
    reports[i].active_vertices = steps[i].active_vertices;
  }
  return reports;
}
#endif

class FigureRunner {
 public:
  FigureRunner(const GraphStore& store, const PaperOptions& options, MemoryBudget& budget,
               Progress& progress)
      : store_(store), options_(options), budget_(budget), progress_(progress) {
    runs_.graph.info = store.info();
    runs_.graph.gpu_memory_bytes =
        options.gpu_memory_bytes > 0 ? options.gpu_memory_bytes : store.info().num_edges;
  }

  StatusOr<PaperRuns> Run(PaperPlan plan) {
    LeaveOutGpu(&plan);
    ASSIGN_OR_RETURN(sources_, PickSources(store_, {options_.seed, options_.trials},
                                           options_.run.threads, budget_, progress_));
    for (const bool cold : {false, true}) RETURN_IF_ERROR(RunEngine(plan, cold));
    // Papers' kernels run apart, so that they do not run all algorithms of the others.
    std::map<std::pair<uint32_t, RawEngine>, PaperPlan> groups;
    for (const PaperPlan::Entry& entry : plan.raw) {
      const RawEngine raw = entry.way->raw;
      const bool apart = raw == RawEngine::kSparse || raw == RawEngine::kShards;
      groups[{entry.way->edge_bytes, apart ? raw : RawEngine::kInMemory}].raw.push_back(entry);
    }
    for (const auto& [key, group] : groups) RETURN_IF_ERROR(RunRivals(group));
    return std::move(runs_);
  }

 private:
  /// Leaves out what needs a GPU where none can be used.
  void LeaveOutGpu(PaperPlan* plan) {
    const auto uses_gpu = [](const PaperPlan::Entry& entry) { return entry.way->uses_gpu(); };
    const bool any =
        !plan->raw.empty() || std::any_of(plan->engine.begin(), plan->engine.end(), uses_gpu);
    if (!any) return;
    const Status status = OpenGpu({}).status();
    if (status.ok()) return;
    runs_.remarks.push_back(StrCat("what needs a GPU is left out: ", status.message()));
    std::erase_if(plan->engine, uses_gpu);
    plan->raw.clear();
  }

  /// The options of an algorithm, in any way.
  RunOptions OptionsOf(std::string_view algorithm) const {
    RunOptions options = options_.run;
    options.algorithm = algorithm;
    if (const KnownAlgorithm* const known = FindKnown(algorithm)) {
      options.algorithm = known->algorithm;
      options.values = known->values;
      if (known->raw == RawAlgorithm::kDeltaPageRank) {
        options.values.Set("--tolerance", kDeltaTolerance);
      }
      return options;
    }
    const AlgorithmHelp help = *AlgorithmCalled(algorithm);
    const OptionDeclaration* const iterations = help.Find("--iterations");
    if (iterations != nullptr && !iterations->stops_early) {  // of a simulation, not of a search
      options.values.Set("--iterations", kSimulatedIterations);
    }
    if (help.Has("--gain")) options.values.Set("--gain", kSimulatedGain);
    return options;
  }

  StatusOr<RunOptions> OptionsFor(const PaperPlan::Entry& entry) const {
    RunOptions options = OptionsOf(entry.algorithm);
    entry.way->set(&options);
    if (options.gpu.transfer != Transfer::kResident && options.device == Device::kGpu) {
      options.gpu.gpu.memory_bytes = runs_.graph.gpu_memory_bytes;
    }
    options.verify = options_.verify;
    RunOptions any_source = options;
    if (AlgorithmCalled(options.algorithm)->needs_source()) {
      any_source.values.Set("--source", sources_[0]);
    }
    RETURN_IF_ERROR(CheckFits(any_source));
    return options;
  }

  Status CheckFits(const RunOptions& options) const {
    ASSIGN_OR_RETURN(const uint64_t least, LeastBudget(store_, options, budget_));
    if (least <= budget_.total_bytes()) return OkStatus();
    return BudgetError(StrCat("it needs --memory ", FormatMebibytesUp(least)));
  }

  Status RunEngine(const PaperPlan& plan, bool cold) {
    TrialPlan trials;
    trials.cold = cold;
    trials.warm = !cold;
    for (const ExternalId source : sources_) trials.sources.push_back(source);
    std::vector<PaperRuns::Key> keys;
    for (const PaperPlan::Entry& entry : plan.engine) {
      if (entry.way->cold != cold) continue;
      const std::string name = StrCat(entry.algorithm, " ", entry.way->name);
      StatusOr<RunOptions> options = OptionsFor(entry);
      if (!options.ok()) {
        runs_.remarks.push_back(StrCat(name, " is left out: ", options.status().message()));
        continue;
      }
      const bool has_source = AlgorithmCalled(options->algorithm)->needs_source();
      trials.entries.push_back({.name = name,
                                .group = std::string(entry.algorithm),
                                .options = *std::move(options),
                                .trials = options_.trials,
                                .has_source = has_source});
      keys.emplace_back(entry.algorithm, entry.way->name);
    }
    if (keys.empty()) return OkStatus();
    ASSIGN_OR_RETURN(std::vector<TrialSeries> all, RunTrials(store_, trials, budget_, progress_));
    for (size_t i = 0; i < all.size(); ++i) {
      TrialFigures& figures = all[i].figures;
      if (runs_.gpu.empty()) runs_.gpu = all[i].gpu;
      runs_.runs[keys[i]] = {.seconds = std::move(figures.passes_seconds),
                             .link_bytes = std::move(figures.link_bytes),
                             .bytes_read = std::move(figures.bytes_read),
                             .num_iterations = std::move(figures.iterations),
                             .edges_per_second = std::move(figures.edges_per_second),
                             .iterations = std::move(all[i].iterations),
                             .cells = all[i].cells};
    }
    return OkStatus();
  }

#if defined(EDGEMILL_WITH_CUDA)
  /// The trials of rivals' engines on edges of one size. Each engine runs each algorithm that has a
  /// plain version and that some figure asks of one of them.
  GpuTrialOptions RivalTrials(const PaperPlan& plan) const {
    GpuTrialOptions trials{.calibration = options_.run.gpu.calibration,
                           .trials = options_.trials,
                           .gpu_memory_bytes = runs_.graph.gpu_memory_bytes,
                           .csr_memory_bytes = options_.csr_memory_bytes,
                           .tolerance = kDeltaTolerance,
                           .seed = options_.seed,
                           .threads = options_.run.threads,
                           .verify = options_.verify,
                           .leaves_out = true};
    for (const PaperPlan::Entry& entry : plan.raw) {
      if (FindKnown(entry.algorithm) == nullptr) continue;
      trials.edge_bytes = entry.way->edge_bytes;
      AddNew(std::string(entry.algorithm), &trials.algorithms);
      AddNew(entry.way->choice(), &trials.raw_engines);
      if (entry.way->raw == RawEngine::kShards) trials.num_pages = kPages;
    }
    return trials;
  }

  Status RunRivals(const PaperPlan& plan) {
    const GpuTrialOptions options = RivalTrials(plan);
    if (options.algorithms.empty()) return OkStatus();
    ASSIGN_OR_RETURN(GpuTrials trials, RunGpuTrials(store_, options, budget_, progress_));
    runs_.gpu = trials.gpu;
    for (std::string& remark : trials.remarks) AddNew(std::move(remark), &runs_.remarks);
    for (const PaperPlan::Entry& entry : plan.raw) {
      for (GpuTrialSeries& series : trials.series) {
        const bool is_it =
            series.algorithm == entry.algorithm && series.engine == entry.way->choice().Name();
        if (!is_it || series.seconds.empty()) continue;
        std::vector<double> edges_per_second = series.EdgesPerSecond();
        runs_.runs[{entry.algorithm, entry.way->name}] = {
            .seconds = std::move(series.seconds),
            .link_bytes = std::move(series.link_bytes),
            .num_iterations = std::move(series.iterations),
            .edges_per_second = std::move(edges_per_second),
            .requests = series.MedianRequests(),
            .iterations = ReportsOf(series.raw_steps),
            .page_seconds = std::move(series.page_seconds),
            .mean_copies = series.layout.mean_copies};
      }
    }
    return OkStatus();
  }
#else
  Status RunRivals(const PaperPlan& plan) {
    CHECK(plan.raw.empty());  // there is no GPU
    return OkStatus();
  }
#endif

  const GraphStore& store_;
  const PaperOptions& options_;
  MemoryBudget& budget_;
  Progress& progress_;
  std::vector<ExternalId> sources_;
  PaperRuns runs_;
};

}  // namespace

const PaperRun* PaperRuns::Find(std::string_view algorithm, const PaperWay& way) const {
  const auto found = runs.find({algorithm, way.name});
  return found == runs.end() ? nullptr : &found->second;
}

bool ReadsWeights(std::string_view algorithm) {
  const KnownAlgorithm* const known = FindKnown(algorithm);
  return known != nullptr ? known->reads_weights : algorithm == "sswp";
}

bool SendsBothWays(std::string_view algorithm) {
  const KnownAlgorithm* const known = FindKnown(algorithm);
  return known != nullptr && known->raw == RawAlgorithm::kComponents;
}

StatusOr<PaperRuns> RunPaperFigures(const GraphStore& store,
                                    const std::vector<const PaperFigure*>& figures,
                                    const PaperOptions& options, MemoryBudget& budget,
                                    Progress& progress) {
  return FigureRunner(store, options, budget, progress).Run(PlanFor(figures));
}

}  // namespace edgemill::bench

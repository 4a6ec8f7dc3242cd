#include <algorithm>
#include <array>
#include <numeric>

#include "bench/record/result_file.h"
#include "bench/record/sample_statistics.h"
#include "bench/trials/gpu_trials.h"
#include "bench/trials/known_algorithms.h"
#include "bench/trials/source_picker.h"
#include "cli/bench/result_page.h"
#include "cli/command.h"
#include "cli/graphs/graph_opening.h"
#include "cli/options/name_list.h"
#include "common/page/text_table.h"
#include "common/strings.h"
#include "common/units.h"
#include "engine/cost/calibration_file.h"
#include "engine/run/algorithm_help.h"
#include "engine/run/gpu_choice.h"

namespace edgemill::cli {
namespace {

using bench::GpuTrials;
using bench::GpuTrialSeries;
using bench::Median;

/// The names that --beside takes.
std::vector<std::string> RawNames() {
  std::vector<std::string> names;
  for (const bench::RawEngineNames& engine : bench::kRawEngines) names.emplace_back(engine.option);
  return names;
}

class BenchGpuCommand : public Command {
 public:
  void Declare(OptionSet& options) override;
  std::string_view description() const override;
  Status Run(const OptionSet& given, Session& session) override;

 private:
  Status Choose();
  /// Adds a raw engine, once for each way in which it is to be tuned.
  Status AddRaw(bench::RawEngine engine);

  std::string graph_;
  bench::GpuTrialOptions trials_{.seed = bench::kGapSeed};
  std::string algorithms_ = JoinNames(bench::KnownNames(), ",");
  std::string transfers_ = "resident,auto,hytgraph,filter,compaction,zero-copy";
  std::string beside_ = "in-memory,emogi,subway,pages";
  std::string edge_bytes_ = "4";
  struct {
    std::string sparse_bounds;
    std::string shards;
    uint64_t pages = 0;
  } tuning_;  // of the papers' kernels
  std::string calibration_;
  uint64_t iterations_ = 10;
  uint64_t streams_ = 4;
  bool skip_verify_ = false;
  bool phases_ = false;
};

void BenchGpuCommand::Declare(OptionSet& options) {
  options.Positional("GRAPH", &graph_, true, "the graph directory (NAME.mill)");
  options.Section("What to measure");
  options.Text("--algorithms", &algorithms_, "NAMES",
               StrCat(JoinNames(bench::KnownNames(), ", "), ": all, or those named"));
  options.Text("--transfer", &transfers_, "NAMES",
               "Edgemill's engines (default resident,auto,hytgraph,filter,compaction,zero-copy; "
               "there are managed and subcsr too, and none); hytgraph: auto by its constants");
  options.Text(
      "--beside", &beside_, "NAMES",
      StrCat("raw engines, of ", JoinNames(RawNames(), ", "), " (default ", beside_, "), or none"));
  options.Choice("--edge-bytes", &edge_bytes_, {"4", "8"},
                 "of neighbours that emogi's kernels read (default 4)");
  options.Text("--sparse-bounds", &tuning_.sparse_bounds, "LIST",
               StrCat("bounds of multigraph-sparse, each a run: lanes/edges of a warp/edges of a "
                      "block/vertices of a block/in-degree of segments (default ",
                      bench::SparseBounds().Name(), ")"));
  options.Text("--shards", &tuning_.shards, "LIST",
               "shards of garaph-shards, each a run: copies of a value or custom, then /source or "
               "/target, then /edges of a part (default custom)");
  options.Number("--pages", &tuning_.pages, "N",
                 "time the kernel of garaph-shards on N pages of edges", {1, 10'000});
  options.Number("-n,--trials", &trials_.trials, "N", "run everything so many times (default 3)",
                 {1, 1000});
  options.Number("-i,--iterations", &iterations_, "N", "of pagerank (default 10)", {1, 1000});
  options.Real("-t,--tolerance", &trials_.tolerance, "X", "of delta (default .01)", {1e-6, 0.1});
  options.Number("--seed", &trials_.seed, "N", "chooses the sources");
  options.Flag("--skip-verify", &skip_verify_,
               "do not check the answers: the result says that they are not");
  options.Flag("--phases", &phases_,
               "also print what each step of Edgemill's searches takes on the GPU");
  options.Section("The machine");
  options.Bytes("--gpu-memory", &trials_.gpu_memory_bytes,
                "bound of memory on the GPU of all that do not have all edges there (default: a "
                "quarter of the raw edges)");
  options.Bytes("--csr-memory", &trials_.csr_memory_bytes,
                "for raw CSR beside --memory, and for checking (default: as --memory)");
  options.Text("--calibration", &calibration_, "FILE",
               "what edgemill calibrate measured (default: where it stores that)");
  options.Reads("--calibration");
  options.Number("--streams", &streams_, "N", "of Edgemill's engines (default 4)", {1, 64});
  std::vector<std::string> searches;
  for (const bench::KnownAlgorithm& known : bench::KnownAlgorithms()) {
    if (known.has_source()) searches.push_back(known.name);
  }
  options.ActsWith("--iterations", "--algorithms", {"pagerank"});
  options.ActsWith("--tolerance", "--algorithms", {"delta"});
  options.ActsWith("--edge-bytes", "--beside", {"emogi", "emogi-merged", "emogi-strided"});
  options.ActsWith("--sparse-bounds", "--beside", {"multigraph-sparse"});
  options.ActsWith("--shards", "--beside", {"garaph-shards"});
  options.ActsWith("--pages", "--beside", {"garaph-shards"});
  options.ActsWith("--pages", "--algorithms", {"pagerank"});
  options.ActsWith("--seed", "--algorithms", std::move(searches));
  for (const std::string_view name : {"--streams", "--calibration", "--phases"}) {
    options.ActsWith(
        name, "--transfer",
        {"resident", "auto", "hytgraph", "filter", "compaction", "zero-copy", "managed", "subcsr"});
  }
}

std::string_view BenchGpuCommand::description() const {
  return "Edgemill's engines on a GPU, and in turns with them what others do, in plain\n"
         "versions of our own on raw 4-byte CSR: in-memory (everything in the GPU's memory),\n"
         "emogi (kernels read the host's memory; emogi-merged and emogi-strided are its slower\n"
         "kernels), subway (active lists gathered and copied; subway-async repeats a part\n"
         "until it is quiet), pages (every range with an active list copied whole; pages-kept\n"
         "keeps those that fit). multigraph-sparse and garaph-shards are kernels of MultiGraph\n"
         "and Garaph, with everything in the GPU's memory (docs/KERNELS.md). The GPU's memory\n"
         "is bounded but for resident and those that have everything there.\n"
         "Caches are warm; times are those of the iterations, with all that they move; \"to the\n"
         "answer\" adds what starts them and brings answers to the host. Searches start at\n"
         "vertices chosen as GAP does. Every answer is compared with that of a textbook\n"
         "version on the CPU; where nothing runs beside, verified by definition. More memory\n"
         "than there is, of the host or the GPU, is refused with numbers.\n";
}

#if defined(EDGEMILL_WITH_CUDA)
std::string Cell(double value, int decimals) { return FormatFixed(value, decimals); }

std::string Table(const GpuTrials& trials, const GraphInfo& info, bool verified) {
  TextTable table({"algorithm", "engine", "trials", "iterations", "ms", "ms/iteration",
                   "ms to answer", "GB moved", "moved/edges", "GB/s", "G edges/s", "verified"},
                  2);
  for (const GpuTrialSeries& series : trials.series) {
    const double seconds = Median(series.seconds), bytes = Median(series.link_bytes);
    const double iterations = Median(series.iterations);
    table.Add({series.algorithm, series.engine, StrCat(series.seconds.size()), Cell(iterations, 0),
               Cell(seconds * 1e3, 2), Cell(seconds * 1e3 / std::max(iterations, 1.0), 2),
               Cell(Median(series.answer_seconds) * 1e3, 2), Cell(bytes * 1e-9, 3),
               Cell(bench::MovedShare(series, trials), 3), Cell(bytes * 1e-9 / seconds, 1),
               Cell(Median(series.EdgesPerSecond()) * 1e-9, 2), verified ? "yes" : "no"});
  }
  std::string text = StrCat(trials.gpu, ", ", FormatBytes(trials.gpu_memory_bytes),
                            " of its memory; ", FormatCount(info.num_vertices), " vertices, ",
                            FormatCount(info.num_edges), " edges\n", table.Text());
  for (const std::string& remark : trials.remarks) text += StrCat(remark, "\n");
  return text;
}

/// Requests across the link by size, of the engines whose kernels read the host's memory; empty if
/// there are none.
std::string RequestTable(const GpuTrials& trials) {
  TextTable table({"algorithm", "engine", "M requests", "% 32 bytes", "% 64", "% 96", "% 128"}, 2);
  bool any = false;
  for (const GpuTrialSeries& series : trials.series) {
    const std::array<double, 4> counts = series.MedianRequests();
    const double all = std::accumulate(counts.begin(), counts.end(), 0.0);
    if (all == 0) continue;
    any = true;
    std::vector<std::string> row = {series.algorithm, series.engine, Cell(all * 1e-6, 3)};
    for (const double count : counts) row.push_back(Cell(100 * count / all, 1));
    table.Add(std::move(row));
  }
  return any ? StrCat("Requests across the link, by size\n", table.Text()) : "";
}

/// What raw edges were laid out to, and how long that took; empty if they were not.
std::string LayoutTable(const GpuTrials& trials) {
  TextTable table({"algorithm", "engine", "build ms", "bytes/raw edges", "mean copies"}, 2);
  bool any = false;
  for (const GpuTrialSeries& series : trials.series) {
    if (series.layout.bytes == 0) continue;
    any = true;
    const double raw = static_cast<double>(std::max<uint64_t>(trials.raw_edge_bytes, 1));
    table.Add({series.algorithm, series.engine, Cell(Median(series.build_seconds) * 1e3, 1),
               Cell(static_cast<double>(series.layout.bytes) / raw, 3),
               Cell(series.layout.mean_copies, 2)});
  }
  return any ? StrCat("Raw edges laid out for kernels, on the host\n", table.Text()) : "";
}

/// The kernel's times on pages of edges; empty if they were not measured.
std::string PageTable(const GpuTrials& trials) {
  TextTable table({"algorithm", "engine", "pages", "least us", "median", "most", "all"}, 2);
  bool any = false;
  for (const GpuTrialSeries& series : trials.series) {
    const std::vector<double>& pages = series.page_seconds;
    if (pages.empty()) continue;
    any = true;
    const auto [least, most] = std::minmax_element(pages.begin(), pages.end());
    table.Add({series.algorithm, series.engine, StrCat(pages.size()), Cell(*least * 1e6, 1),
               Cell(Median(pages) * 1e6, 1), Cell(*most * 1e6, 1),
               Cell(std::accumulate(pages.begin(), pages.end(), 0.0) * 1e6, 1)});
  }
  return any ? StrCat("Kernel times of pages of edges\n", table.Text()) : "";
}

/// What the steps of launches took that do several iterations.
std::string StepTable(const GpuTrials& trials) {
  TextTable table({"algorithm", "engine", "step", "times", "us"}, 3);
  bool any = false;
  for (const GpuTrialSeries& series : trials.series) {
    for (const StepReport& step : series.MedianSteps()) {
      any = true;
      table.Add({series.algorithm, series.engine, step.name, StrCat(step.times),
                 Cell(step.seconds * 1e6, 1)});
    }
  }
  if (!any) return "No launch did several iterations.\n";
  return StrCat("Steps in one launch, medians of the trials\n", table.Text());
}

Status BenchGpuCommand::AddRaw(bench::RawEngine engine) {
  std::vector<bench::RawChoice> choices;
  if (engine == bench::RawEngine::kSparse && !tuning_.sparse_bounds.empty()) {
    for (const std::string& name : SplitNames(tuning_.sparse_bounds)) {
      ASSIGN_OR_RETURN(const bench::SparseBounds bounds, bench::SparseBounds::Parse(name));
      choices.push_back({.engine = engine, .sparse = bounds});
    }
  } else if (engine == bench::RawEngine::kShards && !tuning_.shards.empty()) {
    for (const std::string& name : SplitNames(tuning_.shards)) {
      ASSIGN_OR_RETURN(const bench::ShardTuning tuning, bench::ShardTuning::Parse(name));
      choices.push_back({.engine = engine, .shards = tuning});
    }
  } else {
    choices.push_back({.engine = engine});
  }
  for (bench::RawChoice& choice : choices) {
    const auto& known = trials_.raw_engines;
    if (std::find(known.begin(), known.end(), choice) != known.end()) {
      return UsageError(StrCat("bench gpu: ", choice.Name(), " is given twice"));
    }
    trials_.raw_engines.push_back(choice);
  }
  return OkStatus();
}

Status BenchGpuCommand::Choose() {
  const std::vector<std::string> algorithms = bench::KnownNames();
  ASSIGN_OR_RETURN(const auto chosen, ChosenNames(algorithms_, algorithms, "--algorithms"));
  for (const size_t place : chosen) trials_.algorithms.push_back(algorithms[place]);
  std::vector<std::string> names;
  for (const bench::EdgemillEngine& engine : bench::EdgemillEngines()) {
    names.emplace_back(engine.Name());
  }
  ASSIGN_OR_RETURN(const auto transfers, ChosenNames(transfers_, names, "--transfer"));
  for (const size_t place : transfers) {
    trials_.engines.push_back(bench::EdgemillEngines()[place]);
  }
  ASSIGN_OR_RETURN(const auto beside, ChosenNames(beside_, RawNames(), "--beside"));
  for (const size_t place : beside) {
    RETURN_IF_ERROR(AddRaw(bench::kRawEngines[place].engine));
  }
  trials_.num_pages = static_cast<uint32_t>(tuning_.pages);
  if (chosen.empty() || (transfers.empty() && beside.empty())) {
    return UsageError("bench gpu: nothing to run: name algorithms and engines");
  }
  return OkStatus();
}
#else
Status BenchGpuCommand::Choose() { return OkStatus(); }
#endif

Status BenchGpuCommand::Run(const OptionSet& given, Session& session) {
  RETURN_IF_ERROR(Choose());
  trials_.iterations = static_cast<uint32_t>(iterations_);
  trials_.streams = static_cast<uint32_t>(streams_);
  trials_.threads = session.threads();
  trials_.edge_bytes = edge_bytes_ == "8" ? 8 : 4;
  trials_.verify = !skip_verify_;
  ASSIGN_OR_RETURN(trials_.calibration, CalibrationForRun(calibration_));
  if (!given.Given("--csr-memory")) trials_.csr_memory_bytes = session.memory_bytes();
  ASSIGN_OR_RETURN(const std::unique_ptr<GraphStore> store,
                   OpenGraph(graph_, "bench gpu", session,
                             [](const GraphStore&) { return StatusOr<uint64_t>(uint64_t{0}); }));
  RETURN_IF_ERROR(OpenGpu({}).status());
#if defined(EDGEMILL_WITH_CUDA)
  ASSIGN_OR_RETURN(const GpuTrials trials,
                   bench::RunGpuTrials(*store, trials_, session.budget(), session.progress()));
  bench::BenchmarkResult result;
  result.command = session.command_line();
  result.settings = {{"graph", graph_}, {"memory_bytes", StrCat(session.memory_bytes())}};
  bench::DescribeSurroundings({graph_}, &result);
  bench::AddGpuTrials(trials_, trials, store->info(), &result);
  return PrintResult(
      result,
      StrCat(Table(trials, store->info(), trials_.verify), RequestTable(trials),
             LayoutTable(trials), PageTable(trials), phases_ ? StepTable(trials) : ""),
      session);
#else
  return OkStatus();
#endif
}

}  // namespace

std::unique_ptr<Command> MakeBenchGpuCommand() { return std::make_unique<BenchGpuCommand>(); }

}  // namespace edgemill::cli

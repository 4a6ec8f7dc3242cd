#include <algorithm>
#include <span>
#include <utility>

#include "bench/record/result_file.h"
#include "cli/command.h"
#include "cli/display/estimate_text.h"
#include "cli/display/histogram_text.h"
#include "cli/display/phase_times.h"
#include "cli/display/rate_bounds.h"
#include "cli/display/surroundings.h"
#include "cli/graphs/command_plans.h"
#include "cli/graphs/graph_opening.h"
#include "cli/run/algorithm_options.h"
#include "cli/run/answer_file.h"
#include "cli/run/checkpoint_flags.h"
#include "cli/run/run_report.h"
#include "cli/run/top_names.h"
#include "common/clock.h"
#include "common/strings.h"
#include "common/units.h"
#include "engine/estimate/run_estimate.h"
#include "engine/output/output_file.h"
#include "engine/output/tables/table_writer.h"
#include "engine/run/algorithm_help.h"
#include "engine/run/gpu_choice.h"
#include "engine/run/run.h"

namespace edgemill::cli {
namespace {

/// The most values that --top shows. A file has all values.
constexpr uint64_t kMaxTop = 1000;

class RunCommand : public Command {
 public:
  void Declare(OptionSet& options) override;
  std::string_view description() const override;
  Status Run(const OptionSet& options, Session& session) override;

 private:
  struct Timing {
    Stopwatch since_start;
    double answer_seconds = 0;  // from the start to the first answer
    std::vector<double> trial_seconds;
  };

  struct ShownValues {
    uint64_t top = 0, bottom = 0;
    bool histogram = false;
  };

  struct Ways {          // to run
    std::string weight;  // the edge column that is the weight; empty: the graph's own
    uint64_t trials = 1;
    bool warm = false;
    bool dry_run = false;
  };

  Status CheckOutputs(Session& session) const;
  /// Runs all trials, and returns the result of the last.
  StatusOr<std::unique_ptr<RunResult>> RunTrials(const GraphStore& store, const RunOptions& options,
                                                 Session& session);
  StatusOr<RunDescription> Describe(RunResult& result, const Extremes& extremes,
                                    const GraphStore& store, const RunOptions& options,
                                    Session& session);
  Status Report(const RunResult& result, const RunDescription& description, Session& session);

  std::string algorithm_;  // its name, even if an alias was typed
  std::string graph_;
  AlgorithmOptions algorithm_options_;
  ShownValues shown_;
  bool verify_ = false;
  AnswerFile answer_;
  CheckpointFlags checkpoints_;
  std::string report_;
  Ways ways_;
  Timing timing_;
  std::vector<MemoryReservation> top_memory_;  // of long names, kept to the end
};

void RunCommand::Declare(OptionSet& options) {
  options.Positional("ALGORITHM", &algorithm_, true, "what to run; the list is below");
  options.Positional("GRAPH", &graph_, true, "the graph directory (NAME.mill)");
  algorithm_options_.Declare(options);
  options.Text("--weight", &ways_.weight, "NAME",
               "take this column of the edges as their weight (ingest --column)");
  options.Section("The answer");
  options.Number("--top", &shown_.top, "N", TopHelp(), {0, kMaxTop});
  options.Number("--bottom", &shown_.bottom, "N",
                 "show the N least values, of vertices that have one", {0, kMaxTop});
  options.Flag("--histogram", &shown_.histogram,
               "count how often each value occurs, or range of values; of groups their sizes");
  answer_.Declare(options);
  options.Text("--report", &report_, "FILE",
               "write an account by iteration: .json, or .html which draws it");
  options.WritesTo("--report");
  options.Flag("-v,--verify", &verify_, "check the answer by its definition");
  options.Number("-n,--trials", &ways_.trials, "N", "run the algorithm N times", {1, 1'000'000});
  options.Flag("--warm", &ways_.warm, "run once before, untimed, so that the cache is full");
  options.Flag("--dry-run", &ways_.dry_run,
               "only say what the run would take: memory, reads, time");
  checkpoints_.Declare(options);  // after the options that exclude them
}

std::string_view RunCommand::description() const {
  static const std::string text = [] {
    std::string list =
        "Algorithms (edgemill help run ALGORITHM explains one, edgemill help algorithms all):\n";
    for (const HelpGroup& group : AlgorithmGroups()) {
      list += StrCat(" ", group.name, "\n");
      for (const AlgorithmHelp& help : group.algorithms) {
        std::string line = StrCat("  ", help.name);
        for (const std::string_view alias : help.aliases) line += StrCat(", ", alias);
        line.resize(std::max<size_t>(20, line.size() + 1), ' ');
        list += StrCat(line, help.summary, "\n");
      }
    }
    return list +
           "\nAnswers are in the input's ids or names, in rising order. Standard output ends with\n"
           "a summary; with --output - it goes to standard error. A .npy file holds one value a\n"
           "vertex (int64; uint64 for ids and numbers of paths; float64); unreachable is\n"
           "9223372036854775807 or infinity. When ids are not 0, 1, 2, ... they are in\n"
           "NAME.ids.npy beside it; names of vertices, one a line, are in NAME.names.\n";
  }();
  return text;
}

Status RunCommand::CheckOutputs(Session& session) const {
  if (answer_.wanted() && !answer_.is_file()) session.ReserveStandardOutput();
  RETURN_IF_ERROR(answer_.CheckPath());
  if (report_.empty()) return OkStatus();
  RETURN_IF_ERROR(CheckReportSuffix(report_));
  return CheckOutputPath(report_, answer_.force());
}

/// Whether the run's rate depends on edges, and not on the start of threads.
bool ShowsRate(const RunReport& report, const RunDescription& description) {
  return description.warnings.empty() && description.num_edges >= kMinEdgesForRates &&
         report.run_seconds >= kMinSecondsForRates;
}

/// What the summary says about checkpoints.
std::vector<std::pair<std::string_view, std::string>> CheckpointLines(
    const CheckpointReport& report) {
  std::vector<std::pair<std::string_view, std::string>> lines;
  if (report.resumed_passes > 0) {
    lines.emplace_back("resumed",
                       StrCat("after ", FormatCount(report.resumed_passes), " passes, read in ",
                              FormatFixed(report.restore_seconds, 3), " s"));
  }
  if (report.written > 0) {
    lines.emplace_back("checkpoints",
                       StrCat(FormatCount(report.written), ", ", FormatBytes(report.bytes),
                              ", for which the run waited ", FormatFixed(report.seconds, 3), " s"));
  }
  return lines;
}

/// Adds what the report says of command, program, machine and the disk's rate.
void DescribeSurroundings(const RunReport& report, const RunOptions& options,
                          const Session& session, RunDescription* description) {
  bench::BenchmarkResult result;
  std::vector<std::string> places;
  for (const RunDescription::DiskShare& disk : description->disks) places.push_back(disk.path);
  bench::DescribeSurroundings(places, &result);
  description->command_line = session.command_line();
  description->time = result.time;
  description->surroundings = Surroundings(result);
  description->surroundings.insert(description->surroundings.begin(),
                                   {{"command", ShownText(session.command_line())},
                                    {"version", StrCat("Edgemill ", EDGEMILL_VERSION)}});
  const Calibration& calibration = options.gpu.calibration;
  if (report.reads == 0 || calibration.built_in || !calibration.disk_rate.valid()) return;
  description->disk_rate =
      calibration.disk_rate.At(static_cast<double>(report.bytes_read / report.reads));
}

/// The options, with the names of vertices where these have names.
StatusOr<OptionValues> WithNames(const GraphStore& store, BlockReader& reader,
                                 const RunOptions& options) {
  OptionValues values = options.values;
  const std::optional<AlgorithmHelp> help = AlgorithmCalled(options.algorithm);
  for (const OptionDeclaration& option : help->options) {
    const OptionValue* const vertex = options.values.Find(option.long_name());
    if (option.kind != OptionKind::kVertex || vertex == nullptr || !HasNames(store)) continue;
    ASSIGN_OR_RETURN(const VertexLabel label, LabelOf(store, reader, vertex->As<InputVertex>().id));
    values.Set(option.long_name(), std::get<std::string>(label));
  }
  return values;
}

StatusOr<RunDescription> RunCommand::Describe(RunResult& result, const Extremes& extremes,
                                              const GraphStore& store, const RunOptions& options,
                                              Session& session) {
  RunDescription description;
  description.algorithm = algorithm_;
  description.graph = graph_;
  description.uuid = store.info().uuid.ToString();
  description.num_vertices = store.info().num_vertices;
  description.num_edges = store.info().num_edges;
  description.memory_bytes = session.memory_bytes();
  for (int kind = 0; kind < kNumColumns; ++kind) {
    description.graph_bytes += store.column(static_cast<ColumnKind>(kind)).stored_bytes;
  }
  description.threads = session.threads();
  description.verified = verify_ && result.converged();
  description.answer_seconds = timing_.answer_seconds;
  description.trial_seconds = timing_.trial_seconds;
  description.facts = result.facts();
  if (HasNames(store) && answer_.is_numpy()) {
    description.names_file = NumpyNamesPath(answer_.path());
  }
  for (const ExternalId source : options.values.sources()) {
    ASSIGN_OR_RETURN(VertexLabel label, LabelOf(store, result.reader(), source));
    description.sources.push_back(std::move(label));
  }
  ASSIGN_OR_RETURN(description.options, WithNames(store, result.reader(), options));
  description.top_name = TopName(result);
  description.value_name = result.value_name();
  if (shown_.histogram) {
    ASSIGN_OR_RETURN(description.histogram, result.CountValues(session.threads()));
  }
  description.warnings = result.warnings();
  for (const DataDirectoryInfo& directory : store.data_directories()) {
    description.disks.push_back({directory.path, directory.stored_bytes});
  }
  DescribeSurroundings(result.report(), options, session, &description);
  description.gpu_missed = !result.report().gpu_fallback.empty() && MissesGpu(options);
  ASSIGN_OR_RETURN(top_memory_,
                   DescribeExtremes(extremes, result, store, session.budget(), &description));
  return description;
}

Status RunCommand::Report(const RunResult& result, const RunDescription& description,
                          Session& session) {
  const RunReport& report = result.report();
  if (!report_.empty()) RETURN_IF_ERROR(WriteRunReport(report_, description, report));
  session.SetJson(RunReportJson(description, report));
  std::string text;
  const auto line = [&](std::string_view name, std::string_view value) {
    std::string padded(name);
    padded.resize(std::max<size_t>(16, padded.size() + 1), ' ');
    text += StrCat(padded, value, "\n");
  };
  line("algorithm", StrCat(algorithm_, " on ", graph_));
  const std::vector<VertexLabel>& sources = description.sources;
  if (sources.size() == 1 && std::holds_alternative<std::string>(sources[0])) {
    line("source", LabelText(sources[0]));
  }
  for (const ResultFact& fact : result.facts()) line(fact.name, fact.text);
  for (const auto& [name, value] : ValueLines(result, description)) line(name, value);
  for (const std::string& warning : description.warnings) line("warning", warning);
  if (!description.names_file.empty()) {
    line("names", StrCat(description.names_file, ", one a line, in the order of the values"));
  }
  if (verify_) {
    const std::string_view what =
        result.converged() ? "yes" : "no: right for its iterations, but not to the tolerance";
    line("verified", StrCat(what, ", in ", FormatFixed(report.verify_seconds, 3), " s"));
  }
  const bool said = std::any_of(result.facts().begin(), result.facts().end(),
                                [](const ResultFact& fact) { return fact.name == "iterations"; });
  if (!said) line("iterations", FormatCount(report.num_iterations));
  if (timing_.trial_seconds.size() > 1) {
    std::vector<double> sorted = timing_.trial_seconds;
    std::sort(sorted.begin(), sorted.end());
    line("trials",
         StrCat(sorted.size(), ", median ", FormatFixed(sorted[sorted.size() / 2], 3), " s, ",
                FormatFixed(sorted.front(), 3), " to ", FormatFixed(sorted.back(), 3), " s"));
  }
  line("time", StrCat(FormatFixed(report.run_seconds, 3), " s, after ",
                      FormatFixed(report.load_seconds, 3), " s of loading"));
  line("threads", PhaseTimesText(report.times));
  if (ShowsRate(report, description)) {
    line("edges/s", FormatCount(static_cast<uint64_t>(report.edges_per_second)));
  }
  line("bytes read",
       StrCat(FormatBytes(report.bytes_read), ", ",
              FormatFixed(IoAmplification(description, report), 2), " times the graph"));
  for (const auto& [name, value] : CheckpointLines(report.checkpoints)) line(name, value);
  if (report.chose_async) {
    line("passes", "asynchronous, as blocks are read from disk again (--sync: otherwise)");
  }
  if (description.gpu_missed) line("processor", StrCat("CPU: ", report.gpu_fallback));
  if (!report.gpu.empty()) {
    line("GPU", StrCat(report.gpu, ", ", FormatBytes(report.peak_gpu_bytes), " at most, of ",
                       FormatBytes(report.gpu_memory_bytes)));
    if (report.misses_neighbors) line("neighbors", "none sampled: too little GPU memory");
    line("bytes to the GPU", FormatBytes(report.link_bytes));
    line("calibration", report.calibration);
  }
  line("memory", StrCat(FormatBytes(report.peak_resident_bytes), " at most, of ",
                        FormatBytes(session.memory_bytes())));
  return session.Print(text);
}

StatusOr<std::unique_ptr<RunResult>> RunCommand::RunTrials(const GraphStore& store,
                                                           const RunOptions& options,
                                                           Session& session) {
  std::unique_ptr<RunResult> result;
  for (uint64_t trial = 0; trial < ways_.trials; ++trial) {
    result.reset();  // the next trial needs its memory
    if (ways_.trials > 1)
      session.progress().StartRound(StrCat("trial ", trial + 1, " of ", ways_.trials));
    ASSIGN_OR_RETURN(result, edgemill::Run(store, options, session.budget(), session.progress()));
    if (trial == 0) timing_.answer_seconds = timing_.since_start.seconds();
    timing_.trial_seconds.push_back(result->report().run_seconds);
  }
  return result;
}

Status RunCommand::Run(const OptionSet& given, Session& session) {
  const std::optional<AlgorithmHelp> algorithm = AlgorithmCalled(algorithm_);
  if (!algorithm.has_value()) {
    if (!AlgorithmCalled(graph_).has_value()) return AlgorithmHelpText(algorithm_).status();
    return UsageError(
        StrCat("run: the algorithm comes first: edgemill run ", graph_, " ", algorithm_));
  }
  algorithm_ = algorithm->name;
  RETURN_IF_ERROR(CheckWeightColumn("run", {*algorithm}, given));
  ASSIGN_OR_RETURN(RunOptions options, algorithm_options_.Parse(given, session.threads()));
  options.algorithm = algorithm_;
  options.verify = verify_;
  options.warm = ways_.warm;
  ASSIGN_OR_RETURN(options.checkpoints, checkpoints_.Parse());
  const ResultColumn& column = algorithm->Column(options.values);
  if (shown_.top > 0) RETURN_IF_ERROR(CheckTop(column, /*bottom=*/false));
  if (shown_.bottom > 0) RETURN_IF_ERROR(CheckTop(column, /*bottom=*/true));
  if (shown_.histogram) RETURN_IF_ERROR(CheckHistogram(column));
  if (given.Given("--unreachable")) RETURN_IF_ERROR(answer_.CheckUnreachable(*algorithm));
  RETURN_IF_ERROR(CheckOutputs(session));
  uint64_t least = 0;
  const auto count = [&](const GraphStore& opened) -> StatusOr<uint64_t> {
    options.writing_bytes = answer_.MemoryBytes(opened, column);
    ASSIGN_OR_RETURN(least, LeastBudget(opened, options, session.budget()));
    // A dry run takes no more memory than the open graph.
    const uint64_t open = MemoryBudget::kProcessBytes + opened.table_bytes();
    return ways_.dry_run && session.memory_bytes() >= open ? open : least;
  };
  ASSIGN_OR_RETURN(const std::unique_ptr<GraphStore> store,
                   OpenGraph(graph_, algorithm_, session, count, ways_.weight));
  RETURN_IF_ERROR(answer_.CheckNamesPath(*store));
  // A dry run reads nothing.
  if (!ways_.dry_run || !HasNames(*store)) {
    RETURN_IF_ERROR(
        algorithm_options_.ReadInputs(*store, session.means(), algorithm_, &options.values));
  }
  if (ways_.dry_run) {
    ASSIGN_OR_RETURN(const RunEstimate estimate,
                     EstimateRun(*store, options, session.budget(), session.progress()));
    session.SetJson(EstimateJson(estimate));
    return session.Print(EstimateText(estimate, options, session.memory_bytes()));
  }
  session.Plan(PlanOfRun(*store, options, ways_.trials, answer_.wanted()));
  auto ran = RunTrials(*store, options, session);
  if (!ran.ok()) return OrResumedBy(session.command_line(), *store, options, ran.status());
  const std::unique_ptr<RunResult> result = *std::move(ran);
  const uint64_t most = given.Given("--top") ? shown_.top : column.default_top;
  if (most + shown_.bottom > 0) session.progress().StartStage("comparing values", "vertices", 0);
  ASSIGN_OR_RETURN(const Extremes extremes,
                   ExtremesOf(*result, most, shown_.bottom, session.threads()));
  if (answer_.wanted()) RETURN_IF_ERROR(answer_.Write(*result, *store, session.means()));
  const auto description = Describe(*result, extremes, *store, options, session);
  const Status reported =
      description.ok() ? Report(*result, *description, session) : description.status();
  if (answer_.is_file() && !reported.ok()) {
    return WithDoneWork(reported, StrCat("the answer is whole in ", answer_.path()));
  }
  RETURN_IF_ERROR(reported);
  return WithDoneWork(RemoveCheckpoints(*store, options),
                      "the run is done, but its checkpoints are left");
}

}  // namespace

std::unique_ptr<Command> MakeRunCommand() { return std::make_unique<RunCommand>(); }

}  // namespace edgemill::cli

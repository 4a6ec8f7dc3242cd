#include <algorithm>

#include "bench/conformance/graphalytics.h"
#include "bench/record/result_file.h"
#include "bench/record/sample_statistics.h"
#include "cli/bench/result_page.h"
#include "cli/command.h"
#include "cli/options/name_list.h"
#include "cli/run/algorithm_options.h"
#include "common/os/file.h"
#include "common/page/text_table.h"
#include "common/strings.h"
#include "common/units.h"

namespace edgemill::cli {
namespace {

using bench::GraphalyticsReport;
using bench::GraphalyticsRun;

class BenchGraphalyticsCommand : public Command {
 public:
  void Declare(OptionSet& options) override;
  SharedChoices shared() const override { return {.data_help = ""}; }
  std::string_view description() const override;
  Status Run(const OptionSet& given, Session& session) override;

 private:
  bench::GraphalyticsOptions benchmark_;
  std::string algorithms_ = JoinNames(bench::GraphalyticsAlgorithms(), ",");
  AlgorithmOptions algorithm_options_;
};

void BenchGraphalyticsCommand::Declare(OptionSet& options) {
  options.Positional("DIR", &benchmark_.directory, true,
                     "graphs of LDBC Graphalytics: NAME.properties, NAME.v and NAME.e");
  options.Section("The trials");
  options.Text("--algorithms", &algorithms_, "NAMES",
               StrCat("only these of ", algorithms_, "; a graph's .properties say which it has"));
  options.Number("-n,--trials", &benchmark_.trials, "N", "run each so many times (default 3)",
                 {1, 1000});
  options.Text("--scratch", &benchmark_.scratch, "DIR",
               "where graphs are made, one at a time, and removed (default: here)");
  options.Text("--output-dir", &benchmark_.output, "DIR",
               "write each answer to NAME-BFS and so on there, as the benchmark wants it");
  options.Flag("--force", &benchmark_.replaces_output, "replace answers that exist there");
  options.NeverSuggest("--force");
  options.ActsWith("--force", "--output-dir");
  algorithm_options_.DeclareMachine(options);
}

std::string_view BenchGraphalyticsCommand::description() const {
  return "Runs LDBC Graphalytics on the graphs of a directory. For each NAME.properties the graph\n"
         "is made, and the algorithms that it names run with the parameters that it gives: bfs,\n"
         "cdlp, lcc, pr, sssp, wcc. An answer is compared with the file NAME-BFS and so on beside\n"
         "it by the benchmark's rules: bfs and cdlp exactly, wcc up to the names of components,\n"
         "real values within .01 %. Without such a file, the answer is checked by its definition.\n"
         "The first wrong answer is an error. Times are without loading; EVPS is the benchmark's\n"
         "figure, edges and vertices a second.\n";
}

double Evps(const GraphalyticsRun& run) {
  const double median = bench::Median(run.seconds);
  return median > 0 ? static_cast<double>(run.vertices + run.edges) / median : 0;
}

std::string Table(const GraphalyticsReport& report) {
  TextTable table({"graph", "algorithm", "vertices", "edges", "s", "EVPS", "checked by"}, 2);
  for (const GraphalyticsRun& run : report.runs) {
    table.Add({run.graph, run.algorithm, FormatCount(run.vertices), FormatCount(run.edges),
               FormatFixed(bench::Median(run.seconds), 4),
               FormatCount(static_cast<uint64_t>(Evps(run))),
               run.has_reference ? "reference" : "definition"});
  }
  std::string text = table.Text();
  for (const auto& [graph, seconds] : report.load_seconds) {
    text += StrCat(graph, ": loaded in ", FormatFixed(seconds, 3), " s\n");
  }
  for (const std::string& remark : report.remarks) text += StrCat(remark, "\n");
  return text;
}

bench::BenchmarkResult ResultOf(const GraphalyticsReport& report) {
  bench::BenchmarkResult result;
  result.benchmark = "graphalytics";
  result.verified = true;  // the first wrong answer ends the benchmark
  result.remarks = report.remarks;
  for (const auto& [graph, seconds] : report.load_seconds) {
    result.metrics.push_back({StrCat(graph, ": loading"), "s", bench::Better::kLess, {seconds}});
  }
  for (const GraphalyticsRun& run : report.runs) {
    const std::string name = StrCat(run.graph, ", ", run.algorithm);
    result.settings.emplace_back(StrCat(name, ": checked by"),
                                 run.has_reference ? "reference" : "definition");
    result.metrics.push_back({StrCat(name, ": time"), "s", bench::Better::kLess, run.seconds});
    result.metrics.push_back({StrCat(name, ": EVPS"), "1/s", bench::Better::kMore, {Evps(run)}});
  }
  return result;
}

Status BenchGraphalyticsCommand::Run(const OptionSet& given, Session& session) {
  const std::vector<std::string> names = bench::GraphalyticsAlgorithms();
  ASSIGN_OR_RETURN(const auto chosen, ChosenNames(algorithms_, names, "--algorithms"));
  for (const size_t place : chosen) benchmark_.algorithms.push_back(names[place]);
  ASSIGN_OR_RETURN(benchmark_.run, algorithm_options_.Parse(given, session.threads()));
  benchmark_.memory_bytes = session.memory_bytes();
  if (!benchmark_.output.empty()) RETURN_IF_ERROR(MakeDirectory(benchmark_.output));
  ASSIGN_OR_RETURN(const GraphalyticsReport report,
                   bench::RunGraphalytics(benchmark_, session.progress()));
  if (report.runs.empty()) {
    return UsageError(StrCat("bench graphalytics: no graph in ", benchmark_.directory, " has ",
                             algorithms_, ": name others"));
  }
  bench::BenchmarkResult result = ResultOf(report);
  result.command = session.command_line();
  bench::DescribeSurroundings({benchmark_.scratch}, &result);
  return PrintResult(result, Table(report), session);
}

}  // namespace

std::unique_ptr<Command> MakeBenchGraphalyticsCommand() {
  return std::make_unique<BenchGraphalyticsCommand>();
}

}  // namespace edgemill::cli

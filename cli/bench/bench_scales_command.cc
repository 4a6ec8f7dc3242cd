#include <map>

#include "bench/record/result_file.h"
#include "bench/record/sample_statistics.h"
#include "bench/scaling/scale_series.h"
#include "cli/bench/result_page.h"
#include "cli/command.h"
#include "common/page/text_table.h"
#include "common/strings.h"
#include "common/units.h"

namespace edgemill::cli {
namespace {

using bench::Median;
using bench::ScalePoint;
using bench::ScaleSeries;
using bench::ScaleTrials;

class BenchScalesCommand : public Command {
 public:
  void Declare(OptionSet& options) override;
  SharedChoices shared() const override { return {.data_help = ""}; }
  std::string_view description() const override;
  Status Run(const OptionSet& given, Session& session) override;

 private:
  bench::ScaleSeriesOptions series_;
  PlotFlag plot_;
  std::string add_;
};

void BenchScalesCommand::Declare(OptionSet& options) {
  options.Positional("DIR", &series_.directory, false,
                     "where the graphs are made, one at a time (default: here)");
  options.Section("What to measure");
  options.Number("--from", &series_.first_scale, "N", "the first scale (default 18)", {1, 31});
  options.Number("--to", &series_.last_scale, "N", "the last one (default 22)", {1, 31});
  options.Number("-n,--trials", &series_.trials, "N", "run everything so many times (default 3)",
                 {1, 1000});
  options.Number("--bytes-per-vertex", &series_.bytes_per_vertex, "N",
                 "the engine's memory for each vertex (default 32); never less than it needs",
                 {1, 1 << 20});
  options.Bytes("--csr-memory", &series_.csr_memory_bytes,
                "plain CSR is left out where it takes more (default: as --memory)");
  options.Section("What comes of it");
  plot_.Declare(options, "time, bytes and memory against edges");
  options.Text("--add", &add_, "FILE.json",
               "go on from an earlier result: its scales are in this one too");
}

std::string_view BenchScalesCommand::description() const {
  return "How time, bytes read and memory grow with a graph. For each scale a Kronecker graph "
         "with\n"
         "GAP's parameters and weights from 1 to 255 is made; PageRank (10 iterations), BFS,\n"
         "components and SSSP run on it within memory that follows the vertices alone, from an\n"
         "empty cache; then plain multi-threaded versions on raw CSR in memory do the same.\n"
         "Every answer of the engine is checked by its definition, those of plain CSR against\n"
         "the engine's. Graphs are removed. --memory is for making them, which scale 24 takes\n"
         "20 seconds for, and 10 GB of disk; too little disk or memory is refused with numbers.\n";
}

std::string Figure(const std::vector<double>& samples, double divisor, int decimals) {
  return samples.empty() ? "" : FormatFixed(Median(samples) / divisor, decimals);
}

TextTable Table(const ScaleSeries& series) {
  TextTable table({"scale", "edges", "algorithm", "program", "s", "ns/edge", "B/edge", "peak MiB"},
                  4);
  for (const ScalePoint& point : series.points) {
    for (const ScaleTrials& trials : point.trials) {
      const double edges = static_cast<double>(point.num_edges * trials.passes);
      table.Add({StrCat(point.scale), FormatCount(point.num_edges), trials.algorithm,
                 trials.program, Figure(trials.seconds, 1, 4),
                 Figure(trials.seconds, edges * 1e-9, 3), Figure(trials.bytes_read, edges, 3),
                 Figure(trials.peak_bytes, 1 << 20, 0)});
    }
  }
  return table;
}

std::string TableText(const ScaleSeries& series) {
  std::string text = Table(series).Text();
  for (const std::string& remark : series.remarks) text += StrCat(remark, "\n");
  return text;
}

/// What the engine takes for an edge at the largest scale.
std::string Lead(const ScaleSeries& series) {
  if (series.points.empty()) return "Nothing was measured.";
  const ScalePoint& point = series.points.back();
  std::string text =
      StrCat("At scale ", point.scale, ", with ", FormatCount(point.num_edges), " edges and ",
             FormatBytes(point.engine_memory_bytes), " of memory, the engine takes");
  std::string_view comma = " ";
  for (const ScaleTrials& trials : point.trials) {
    const double edges = static_cast<double>(point.num_edges * trials.passes);
    if (trials.program != "engine" || edges == 0) continue;
    text += StrCat(comma, FormatFixed(Median(trials.seconds) / edges * 1e9, 2), " ns an edge for ",
                   trials.algorithm);
    comma = ", ";
  }
  return text + ".";
}

Status BenchScalesCommand::Run(const OptionSet& given, Session& session) {
  if (series_.directory.empty()) series_.directory = ".";
  series_.making_bytes = session.memory_bytes();
  series_.threads = session.threads();
  if (!given.Given("--csr-memory")) series_.csr_memory_bytes = session.memory_bytes();
  RETURN_IF_ERROR(plot_.Check("bench scales"));
  bench::BenchmarkResult earlier;
  if (!add_.empty()) {
    ASSIGN_OR_RETURN(earlier, bench::ReadResultFile(add_));
    RETURN_IF_ERROR(bench::CheckEarlierScales(earlier, series_));
  }
  ASSIGN_OR_RETURN(const ScaleSeries series, bench::RunScaleSeries(series_, session.progress()));
  bench::BenchmarkResult result;
  result.command = session.command_line();
  bench::DescribeSurroundings({series_.directory}, &result);
  bench::AddScales(series_, series, &result);
  if (!add_.empty()) RETURN_IF_ERROR(bench::AddEarlierScales(earlier, &result));
  if (plot_.wanted()) {
    RETURN_IF_ERROR(plot_.Write(
        {.title = "Growth with the graph: the engine, with memory for the vertices only, beside "
                  "plain CSR",
         .lead = Lead(series),
         .drawings = bench::DrawScales(result),
         .tables = {{"Medians by scale", Table(series)}},
         .remarks = result.remarks},
        result));
  }
  return PrintResult(result, TableText(series), session);
}

}  // namespace

std::unique_ptr<Command> MakeBenchScalesCommand() { return std::make_unique<BenchScalesCommand>(); }

}  // namespace edgemill::cli

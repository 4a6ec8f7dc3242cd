#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "bench/papers/figure_table.h"
#include "bench/papers/paper_runs.h"
#include "bench/record/result_file.h"
#include "bench/trials/source_picker.h"
#include "cli/bench/result_page.h"
#include "cli/command.h"
#include "cli/display/surroundings.h"
#include "cli/graphs/graph_opening.h"
#include "cli/options/name_list.h"
#include "common/page/text_table.h"
#include "common/strings.h"
#include "common/units.h"
#include "engine/cost/calibration_file.h"
#include "engine/output/output_file.h"

namespace edgemill::cli {
namespace {

using bench::FigureTable;
using bench::PaperFigure;
using bench::PaperRuns;
using Json = nlohmann::ordered_json;

class BenchPapersCommand : public Command {
 public:
  void Declare(OptionSet& options) override;
  std::string_view description() const override;
  Status Run(const OptionSet& given, Session& session) override;

 private:
  StatusOr<std::vector<const PaperFigure*>> Chosen() const;
  /// Runs `figures` on one graph, and adds what was measured to text_, result_ and shown_.
  Status RunOn(const std::string& graph, const std::vector<const PaperFigure*>& figures,
               Session& session);
  Status Plot(const std::string& graph, const PaperFigure& figure,
              const std::vector<FigureTable>& tables) const;

  std::vector<std::string> graphs_;
  std::string only_;
  std::string plots_;
  std::string calibration_;
  bench::PaperOptions options_{.seed = bench::kGapSeed};
  bool list_ = false;
  bool skip_verify_ = false;
  std::string text_;
  bench::BenchmarkResult result_;
  Json shown_ = Json::array();  // by graph
};

void BenchPapersCommand::Declare(OptionSet& options) {
  options.Positionals("GRAPH", &graphs_, 0, "graph directories (NAME.mill), one after the other");
  options.Section("What to measure");
  options.Text("--only", &only_, "NAMES",
               "these figures, such as garaph-10,subway-t3, or all of a paper, such as hytgraph");
  options.Flag("--list", &list_, "list all figures and tables, without running any");
  options.Number("-n,--trials", &options_.trials, "N", "run everything so many times (default 3)",
                 {1, 1000});
  options.Number("--seed", &options_.seed, "N", "chooses the sources");
  options.Flag("--skip-verify", &skip_verify_,
               "do not check the answers: the result says that they are not");
  options.Section("The machine");
  options.Bytes("--gpu-memory", &options_.gpu_memory_bytes,
                "bound of memory on the GPU where edges are to exceed it (default: a quarter of "
                "the raw edges)");
  options.Bytes("--csr-memory", &options_.csr_memory_bytes,
                "for raw CSR beside --memory (default: as --memory)");
  options.Text("--calibration", &calibration_, "FILE",
               "what edgemill calibrate measured (default: where it stores that)");
  options.Reads("--calibration");
  options.Section("What comes of it");
  options.Text("--plots", &plots_, "DIR",
               "draw what figures show by iteration: an SVG file for each graph and figure");
}

std::string_view BenchPapersCommand::description() const {
  return "The figures and tables of Garaph, MultiGraph, Subway, HyTGraph and EMOGI, with their\n"
         "names of rows and columns, measured on your graphs and this machine. Each algorithm\n"
         "runs once in each way that some figure shows, and figures share these runs. Ways of\n"
         "Edgemill take turns; then plain versions of rivals' engines do (bench gpu --beside).\n"
         "Answers are checked. What needs a GPU or weights is left out where there are none.\n"
         "docs/PAPERS.md says what the papers claim, and what was measured.\n";
}

StatusOr<std::vector<const PaperFigure*>> BenchPapersCommand::Chosen() const {
  std::vector<const PaperFigure*> chosen;
  std::vector<std::string> known;
  for (const PaperFigure& figure : bench::PaperFigures()) known.emplace_back(figure.name);
  if (only_.empty()) {
    for (const PaperFigure& figure : bench::PaperFigures()) chosen.push_back(&figure);
    return chosen;
  }
  for (const std::string& name : SplitNames(only_)) {
    const size_t before = chosen.size();
    for (const PaperFigure& figure : bench::PaperFigures()) {
      if (figure.name == name || figure.name.starts_with(StrCat(name, "-"))) {
        chosen.push_back(&figure);
      }
    }
    if (chosen.size() == before) return ChosenNames(name, known, "--only").status();
  }
  return chosen;
}

std::string TextOf(const FigureTable& table) {
  TextTable text(table.header, 1);
  for (const auto& row : table.rows) {
    std::vector<std::string> cells;
    for (const bench::FigureCell& cell : row) cells.push_back(cell.text);
    text.Add(std::move(cells));
  }
  return StrCat(table.title.empty() ? "" : StrCat(table.title, "\n"), text.Text());
}

Json JsonOf(const FigureTable& table) {
  Json rows = Json::array();
  for (const auto& row : table.rows) {
    Json cells = Json::array();
    for (const bench::FigureCell& cell : row) {
      cells.push_back(cell.value.has_value() ? Json(*cell.value) : Json(cell.text));
    }
    rows.push_back(std::move(cells));
  }
  return {{"title", table.title}, {"columns", table.header}, {"rows", std::move(rows)}};
}

/// The figures that nothing was measured for, with the reason, a line each.
std::string LeftOutText(const std::vector<const PaperFigure*>& figures) {
  std::string text;
  for (const PaperFigure* const figure : figures) {
    if (figure->left_out.empty()) continue;
    text += StrCat("  ", figure->name, "  ", figure->title, ": ", figure->left_out, "\n");
  }
  return text.empty() ? "" : StrCat("\nLeft out\n", text);
}

std::string ListText(const std::vector<const PaperFigure*>& figures) {
  TextTable table({"name", "what it shows", ""}, 3);
  for (const PaperFigure* const figure : figures) {
    table.Add({std::string(figure->name), std::string(figure->title),
               figure->left_out.empty() ? "" : StrCat("left out: ", figure->left_out)});
  }
  return table.Text();
}

/// The times of each run, as metrics that bench compare reads.
void AddMetrics(const std::string& graph, const PaperRuns& runs, bench::BenchmarkResult* result) {
  for (const auto& [key, run] : runs.runs) {
    const std::string name = StrCat(graph, ": ", key.first, ", ", key.second);
    result->metrics.push_back(
        {StrCat(name, ": time"), "s", bench::Better::kLess, run.seconds, true});
  }
}

Status BenchPapersCommand::Plot(const std::string& graph, const PaperFigure& figure,
                                const std::vector<FigureTable>& tables) const {
  if (plots_.empty() || !figure.by_iteration || tables.empty()) return OkStatus();
  const std::string name =
      StrCat(std::filesystem::path(graph).stem().string(), "-", figure.name, ".svg");
  return WriteTextOutput((std::filesystem::path(plots_) / name).string(),
                         bench::PlotOf(figure, tables, SurroundingLines(result_)));
}

Status BenchPapersCommand::RunOn(const std::string& graph,
                                 const std::vector<const PaperFigure*>& figures, Session& session) {
  ASSIGN_OR_RETURN(const std::unique_ptr<GraphStore> store,
                   OpenGraph(graph, "bench papers", session,
                             [](const GraphStore&) { return StatusOr<uint64_t>(uint64_t{0}); }));
  ASSIGN_OR_RETURN(
      const PaperRuns runs,
      bench::RunPaperFigures(*store, figures, options_, session.budget(), session.progress()));
  const GraphInfo& info = store->info();
  text_ += StrCat(graph, ": ", FormatCount(info.num_vertices), " vertices, ",
                  FormatCount(info.num_edges), " edges; ", runs.gpu.empty() ? "CPU" : runs.gpu);
  if (!runs.gpu.empty()) text_ += StrCat(", ", FormatBytes(runs.graph.gpu_memory_bytes), " of it");
  text_ += "\n";
  for (const std::string& remark : runs.remarks) {
    text_ += StrCat(remark, "\n");
    result_.remarks.push_back(StrCat(graph, ": ", remark));
  }
  Json shown = Json::array();
  for (const PaperFigure* const figure : figures) {
    if (!figure->left_out.empty()) continue;
    const std::vector<FigureTable> tables = TablesOf(*figure, runs);
    text_ += StrCat("\n", figure->name, "  ", figure->title, "\n");
    if (tables.empty()) text_ += "  nothing of it could run here\n";
    Json json_tables = Json::array();
    for (const FigureTable& table : tables) {
      text_ += TextOf(table);
      json_tables.push_back(JsonOf(table));
    }
    if (!figure->note.empty() && !tables.empty()) text_ += StrCat(figure->note, "\n");
    shown.push_back({{"name", figure->name},
                     {"title", figure->title},
                     {"note", figure->note},
                     {"tables", std::move(json_tables)}});
    RETURN_IF_ERROR(Plot(graph, *figure, tables));
  }
  shown_.push_back({{"graph", graph},
                    {"gpu", runs.gpu},
                    {"gpu_memory_bytes", runs.graph.gpu_memory_bytes},
                    {"figures", std::move(shown)}});
  AddMetrics(graph, runs, &result_);
  return OkStatus();
}

Status BenchPapersCommand::Run(const OptionSet& given, Session& session) {
  ASSIGN_OR_RETURN(const auto figures, Chosen());
  if (list_) return session.Print(ListText(figures));
  if (graphs_.empty()) {
    return UsageError("bench papers: GRAPH is missing: name a graph, or give --list");
  }
  if (!plots_.empty() && !std::filesystem::is_directory(plots_)) {
    return MissingError(StrCat("bench papers: --plots ", plots_, ": no such directory: make it"));
  }
  options_.run.threads = session.threads();
  options_.verify = !skip_verify_;
  ASSIGN_OR_RETURN(options_.run.gpu.calibration, CalibrationForRun(calibration_));
  if (!given.Given("--csr-memory")) options_.csr_memory_bytes = session.memory_bytes();
  result_.benchmark = "papers";
  result_.command = session.command_line();
  result_.settings = {{"memory_bytes", StrCat(session.memory_bytes())},
                      {"threads", StrCat(session.threads())},
                      {"trials", StrCat(options_.trials)},
                      {"seed", StrCat(options_.seed)}};
  result_.verified = options_.verify;
  bench::DescribeSurroundings(graphs_, &result_);
  for (const std::string& graph : graphs_) {
    if (!text_.empty()) text_ += "\n";
    RETURN_IF_ERROR(RunOn(graph, figures, session));
  }
  Json left_out = Json::array();
  for (const PaperFigure* const figure : figures) {
    if (figure->left_out.empty()) continue;
    left_out.push_back(
        {{"name", figure->name}, {"title", figure->title}, {"reason", figure->left_out}});
  }
  result_.details = Json{{"graphs", std::move(shown_)}, {"left_out", std::move(left_out)}}.dump();
  return PrintResult(result_, StrCat(text_, LeftOutText(figures)), session);
}

}  // namespace

std::unique_ptr<Command> MakeBenchPapersCommand() { return std::make_unique<BenchPapersCommand>(); }

}  // namespace edgemill::cli

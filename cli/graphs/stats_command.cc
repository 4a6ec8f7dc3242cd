#include "cli/command.h"
#include "cli/display/plot_path.h"
#include "cli/graphs/graph_opening.h"
#include "cli/graphs/stats_report.h"
#include "common/clock.h"
#include "common/strings.h"
#include "engine/output/output_file.h"

namespace edgemill::cli {
namespace {

constexpr uint64_t kMostSampled = 100'000'000;
constexpr uint64_t kMostSources = 1'000'000;

class StatsCommand : public Command {
 public:
  void Declare(OptionSet& options) override {
    options.Positional("GRAPH", &graph_, true, "the graph directory (NAME.mill)");
    options.Section("What is sampled");
    options.Number("--sample", &options_.sample.size, "N",
                   "edges to look at, and vertices and paths of two edges to draw (default "
                   "10000); reciprocity is exact in a graph with no more edges",
                   {1, kMostSampled});
    options.Number("--sources", &options_.sources, "N",
                   "vertices to measure distances from (default 16); 0 measures none",
                   {0, kMostSources});
    options.Number("--seed", &options_.sample.seed, "N", "another sample (default 1)");
    options.Section("What comes of it");
    options.Text("--plot", &plot_, "FILE",
                 "draw degrees, components and distances: as a page .html, or as a picture .svg");
    options.WritesTo("--plot");
  }
  std::string_view description() const override {
    return "Degrees, components, and how many edges are returned, are exact or say so.\n"
           "Reciprocity is the share of edges, without loops, that have one in the other\n"
           "direction. Clustering is the mean over vertices of the share of pairs of neighbours\n"
           "that are neighbours; transitivity is the share of paths of two edges that are closed.\n"
           "Both take edges as undirected. Distances follow the directions of edges. Estimates\n"
           "come with their sample and the band that holds the true figure with 95 %.\n"
           "The diameter has a lower bound, and in undirected graphs an upper one.\n";
  }
  Status Run(const OptionSet& options, Session& session) override;

 private:
  std::string graph_;
  std::string plot_;
  StatsOptions options_;
};

Status StatsCommand::Run(const OptionSet& /*options*/, Session& session) {
  const Stopwatch watch;
  RETURN_IF_ERROR(CheckPlotPath("stats", plot_));
  options_.threads = session.threads();
  const auto least = [&](const GraphStore& store) {
    return LeastStatsBudget(store, options_, session.budget());
  };
  ASSIGN_OR_RETURN(const std::unique_ptr<GraphStore> store,
                   OpenGraph(graph_, "stats", session, least));
  StatsReport report{.graph = graph_,
                     .info = store->info(),
                     .options = options_,
                     .command_line = session.command_line()};
  ASSIGN_OR_RETURN(report.stats,
                   MeasureGraph(*store, options_, session.budget(), session.progress()));
  report.seconds = watch.seconds();
  session.SetJson(StatsJson(report));
  if (!plot_.empty()) RETURN_IF_ERROR(WriteTextOutput(plot_, StatsPicture(report, plot_)));
  std::string text;
  for (const auto& [name, value] : StatsFacts(report)) {
    std::string padded = name;
    padded.resize(16, ' ');
    text += StrCat(padded, value, "\n");
  }
  return session.Print(StrCat(text, "time            ", FormatFixed(report.seconds, 3), " s\n"));
}

}  // namespace

std::unique_ptr<Command> MakeStatsCommand() { return std::make_unique<StatsCommand>(); }

}  // namespace edgemill::cli

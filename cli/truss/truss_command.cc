// edgemill truss: the truss number of each edge.
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/command.h"
#include "cli/display/json_text.h"
#include "cli/graphs/graph_opening.h"
#include "cli/truss/truss_file.h"
#include "common/clock.h"
#include "common/strings.h"
#include "common/units.h"
#include "engine/graph/loaded_graph.h"
#include "engine/graph/vertex_index.h"
#include "engine/truss/edge_trusses.h"
#include "engine/verify/truss_check.h"

namespace edgemill::cli {
namespace {

/// Classes that the summary shows: all are in --json.
constexpr size_t kShownClasses = 8;

class TrussCommand : public Command {
 public:
  void Declare(OptionSet& options) override {
    options.Positional("GRAPH", &graph_, true, "the graph directory (NAME.mill)");
    options.Number("-k,--k", &k_, "K",
                   "only edges in the K-truss: with truss numbers of K or more (default 2: all)",
                   {.least = 2, .most = uint64_t{1} << 31});
    options.Text("-o,--output", &output_, "FILE",
                 "write the edges, SOURCE TARGET TRUSS: .txt, .tsv, .csv, .parquet or .arrow, or - "
                 "for standard output");
    options.WritesTo("--output");
    options.Flag("-v,--verify", &verify_,
                 "check truss numbers by their definition: of all edges of a small graph, else of "
                 "64");
    options.Flag("--force", &force_, "replace files that exist");
    options.NeverSuggest("--force");
  }
  std::string_view description() const override {
    return "The k-truss is the largest subgraph in which each edge is in k - 2 triangles or more. "
           "The truss\n"
           "number of an edge is the largest k whose k-truss has the edge, 2 or more. Edges are "
           "taken both\n"
           "ways: a directed graph needs both columns. Duplicates count once, loops never. An edge "
           "is written\n"
           "once, with the vertex of lesser id or name first. Truss numbers take 4 bytes an edge "
           "and 16 bytes a\n"
           "vertex. With 22 bytes more for each edge that is in a triangle, the graph is read a "
           "few times.\n"
           "With less, edges with too few triangles are removed first, and triangles are counted "
           "again each\n"
           "time. Works on processors alone.\n";
  }
  Status Run(const OptionSet& options, Session& session) override;

 private:
  struct Seconds {
    double all, peeling;
  };
  StatusOr<uint64_t> Check(LoadedGraph& graph, const EdgeTrusses& trusses) const;
  Status Report(const TrussCounts& counts, const Seconds& seconds_of, uint64_t verified,
                Session& session) const;

  std::string graph_;
  uint64_t k_ = 2;
  std::string output_;
  bool verify_ = false;
  bool force_ = false;
};

std::string LineOf(std::string_view name, std::string_view value) {
  constexpr size_t kNameColumns = 16;
  std::string line(name);
  line.resize(std::max(line.size() + 1, kNameColumns), ' ');
  return StrCat(line, value, "\n");
}

/// The largest truss numbers, and how many edges have each.
std::string ClassLines(const TrussCounts& counts) {
  std::string text;
  const size_t shown = std::min(counts.classes.size(), kShownClasses);
  for (size_t i = 0; i < shown; ++i) {
    const auto& [truss, edges] = counts.classes[counts.classes.size() - 1 - i];
    text += LineOf(StrCat("truss ", truss),
                   StrCat(FormatCount(edges), edges == 1 ? " edge" : " edges"));
  }
  const size_t others = counts.classes.size() - shown;
  if (others > 0) text += LineOf("", StrCat("and ", others, " lower ones: --json has all"));
  return text;
}

StatusOr<uint64_t> TrussCommand::Check(LoadedGraph& graph, const EdgeTrusses& trusses) const {
  return CheckTrusses(graph, {.num_edges = trusses.counts().edges,
                              .least = static_cast<uint32_t>(k_),
                              .for_each = [&](const GivenTrusses::Visit& visit) {
                                return trusses.ForEachPart([&](const TrussPart& part) {
                                  for (uint64_t i = 0; i < part.num_vertices(); ++i) {
                                    for (uint64_t number = 0; number < part.num_edges(i);
                                         ++number) {
                                      const EdgeTruss edge = part.edge(i, number);
                                      visit(edge.one, edge.other, edge.truss);
                                    }
                                  }
                                  return OkStatus();
                                });
                              }});
}

Status TrussCommand::Report(const TrussCounts& counts, const Seconds& seconds_of, uint64_t verified,
                            Session& session) const {
  const double seconds = seconds_of.peeling;
  uint64_t in_truss = 0;
  auto classes = nlohmann::ordered_json::array();
  for (const auto& [truss, edges] : counts.classes) {
    in_truss += edges;
    classes.push_back({{"truss", truss}, {"edges", edges}});
  }
  const uint32_t largest = counts.classes.empty() ? 0 : counts.classes.back().first;
  nlohmann::ordered_json json = {{"command", "truss"},
                                 {"graph", graph_},
                                 {"edges", counts.edges},
                                 {"k", k_},
                                 {"edges_in_truss", in_truss},
                                 {"largest_truss", largest},
                                 {"classes", std::move(classes)},
                                 {"triangle_counts", counts.counts},
                                 {"edges_in_memory", counts.edges_in_lists},
                                 {"rounds", counts.rounds},
                                 {"seconds", seconds_of.all},
                                 {"peeling_seconds", seconds}};
  std::string text = LineOf("edges", FormatCount(counts.edges));
  if (k_ > 2) text += LineOf(StrCat("in ", k_, "-truss"), FormatCount(in_truss));
  text += LineOf("largest k", FormatCount(largest));
  const double rate = seconds > 0 ? static_cast<double>(counts.edges) / seconds : 0;
  text +=
      LineOf("time", StrCat(FormatFixed(seconds, 3), " s, ", FormatSignificant(rate), " edges/s"));
  if (counts.counts > 1) {
    text += LineOf("counted", StrCat(FormatCount(counts.counts),
                                     " times, for lack of memory for all edges in triangles"));
  }
  if (verify_) {
    text += LineOf("verified", StrCat("yes, ", FormatCount(verified), " edges"));
    json["verified_edges"] = verified;
  }
  text += ClassLines(counts);
  if (!output_.empty()) json["output"] = output_;
  session.SetJson(JsonText(json));
  return session.Print(text);
}

Status TrussCommand::Run(const OptionSet& /*options*/, Session& session) {
  Stopwatch watch;
  TableFormat format = TableFormat::kText;
  if (!output_.empty()) {
    ASSIGN_OR_RETURN(format, TableFormatOf(output_));
    if (format == TableFormat::kNumpy) {
      return UsageError(StrCat("truss: --output ", output_,
                               ": a .npy file has no edges: end the name in ", kRowSuffixes));
    }
    if (output_ == "-") session.ReserveStandardOutput();
    if (output_ != "-") RETURN_IF_ERROR(CheckOutputPath(output_, force_));
  }
  ASSIGN_OR_RETURN(
      const OpenedGraph graph,
      OpenToReadOnce(graph_, "truss", session, [&](const GraphStore& store) -> StatusOr<uint64_t> {
        const GraphInfo& info = store.info();
        const uint64_t text =
            output_.empty() ? 0 : TrussFileBytes(store, format, session.threads());
        return (info.directed ? 2 : 1) * VertexIndex::SizeBytes(info) +
               EdgeTrusses::LeastBytes(info, session.threads()) + text;
      }));
  const GraphStore& store = *graph.store;
  ASSIGN_OR_RETURN(const std::unique_ptr<LoadedGraph> loaded,
                   LoadedGraph::Load({store, *graph.reader, session.threads(), session.budget(),
                                      session.progress()},
                                     {.out_index = true, .in_index = true}));
  Stopwatch peeling;
  const auto least = static_cast<uint32_t>(k_);
  ASSIGN_OR_RETURN(const std::unique_ptr<EdgeTrusses> trusses,
                   EdgeTrusses::Find(*loaded, {.least = least}));
  const double seconds = peeling.seconds();
  uint64_t verified = 0;
  if (verify_) {
    session.progress().StartStage("verifying", "edges", 0);
    ASSIGN_OR_RETURN(verified, Check(*loaded, *trusses));
  }
  if (!output_.empty()) {
    session.progress().StartStage("writing the answer", "edges", 0);
    RETURN_IF_ERROR(
        WriteTrusses(*trusses, {output_, format, least}, store, *graph.reader, session.means()));
  }
  return Report(trusses->counts(), {watch.seconds(), seconds}, verified, session);
}

}  // namespace

std::unique_ptr<Command> MakeTrussCommand() { return std::make_unique<TrussCommand>(); }

}  // namespace edgemill::cli

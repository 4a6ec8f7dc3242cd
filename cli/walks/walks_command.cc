// edgemill walks: random walks from all or given vertices.
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "cli/command.h"
#include "cli/display/json_text.h"
#include "cli/graphs/graph_opening.h"
#include "cli/walks/vertex_list.h"
#include "cli/walks/walk_file.h"
#include "cli/walks/walk_summary.h"
#include "common/clock.h"
#include "common/strings.h"
#include "common/units.h"
#include "engine/output/walks/random_walks.h"
#include "engine/output/walks/saturating.h"

namespace edgemill::cli {
namespace {

constexpr uint64_t kMostWalksAVertex = 1'000'000;

class WalksCommand : public Command {
 public:
  void Declare(OptionSet& options) override {
    options.Positional("GRAPH", &graph_, true, "the graph directory (NAME.mill)");
    options.Section("Walks");
    options.Number("-l,--length", &walk_.length, "N", "steps of a walk (default 80)",
                   {.least = 1, .most = kMostWalkSteps});
    options.Number("-n,--walks-per-vertex", &walk_.walks_per_start, "N",
                   "walks from each start (default 10)", {.least = 1, .most = kMostWalksAVertex});
    options.Text("--from", &from_, "FILE",
                 "start from the vertices in FILE, an id or a name a line, or - for standard "
                 "input (default: all vertices)");
    options.Reads("--from");
    options.Flag("--weighted", &walk_.weighted, "take edges in the share of their weights");
    const NumberRange<double> bias{.least = kLeastBias, .most = kMostBias};
    options.Real("-p,--return", &walk_.p, "P", "node2vec: the edge back counts 1 / P (default 1)",
                 bias);
    options.Real("-q,--in-out", &walk_.q, "Q",
                 "node2vec: edges to vertices away from the last one count 1 / Q (default 1)",
                 bias);
    options.Choice("--neighbors", &neighbors_, {"out", "in"},
                   "which edges of a directed graph walks follow");
    options.Number("--seed", &walk_.seed, "N", "which walks, of all that could be (default 0)");
    options.Section("Answer");
    options.Text("-o,--output", &output_, "FILE",
                 "write the walks, one a line: .txt, .tsv or .csv, or - for standard output");
    options.WritesTo("--output");
    options.Flag("--force", &force_, "replace files that exist");
    options.NeverSuggest("--force");
  }
  std::string_view description() const override {
    return "A line has the vertices of a walk, from its start on, in the order of starts. A walk "
           "ends\n"
           "before --length at a vertex without edges. Parallel edges are edges of their own, and "
           "a "
           "loop\n"
           "is a step. A seed gives the same walks for any --threads and --memory.\n"
           "Blocks of edges are kept in memory, as many as fit, and walks wait for the others. "
           "Works on\n"
           "processors alone.\n";
  }
  Status Run(const OptionSet& options, Session& session) override;

 private:
  Status Write(const WalkRows& rows, const VertexText& names, char between, LineFile* file) const;
  /// `seconds` are those of walking, without writing.
  Status Report(const WalkCounts& counts, double all_seconds, double seconds,
                Session& session) const;

  std::string graph_;
  WalkOptions walk_{.walks_per_start = 10};
  std::string from_;
  std::string neighbors_ = "out";
  std::string output_;
  bool force_ = false;
};

Status WalksCommand::Write(const WalkRows& rows, const VertexText& names, char between,
                           LineFile* file) const {
  const auto append = [&](uint64_t walk, uint64_t begin, uint64_t end, std::string* text) {
    const auto vertices = rows.Of(walk);
    for (; begin < end && !LineFile::IsFull(*text); ++begin) {
      names.Append(vertices[begin], text);
      *text += begin + 1 == vertices.size() ? '\n' : between;
    }
    return begin;
  };
  return file->WriteLines({.count = rows.sizes.size(),
                           .num_parts = [&](uint64_t walk) { return rows.Of(walk).size(); },
                           .append = append});
}

Status WalksCommand::Report(const WalkCounts& counts, double all_seconds, double seconds,
                            Session& session) const {
  nlohmann::ordered_json json = {{"command", "walks"},
                                 {"graph", graph_},
                                 {"walks", counts.walks},
                                 {"steps", counts.steps},
                                 {"proposed_edges", counts.tries},
                                 {"length", walk_.length},
                                 {"walks_per_vertex", walk_.walks_per_start},
                                 {"weighted", walk_.weighted},
                                 {"p", walk_.p},
                                 {"q", walk_.q},
                                 {"seed", walk_.seed},
                                 {"batches", counts.batches},
                                 {"blocks", counts.blocks},
                                 {"blocks_read", counts.blocks_read},
                                 {"seconds", all_seconds},
                                 {"walking_seconds", seconds}};
  if (!output_.empty()) json["output"] = output_;
  session.SetJson(JsonText(json));
  const WalkSummary summary{.made = "walks",
                            .num_made = counts.walks,
                            .parts = "steps",
                            .num_parts = counts.steps,
                            .seconds = seconds,
                            .batches = counts.batches,
                            .blocks = counts.blocks,
                            .blocks_read = counts.blocks_read};
  return session.Print(summary.Text());
}

Status WalksCommand::Run(const OptionSet& /*options*/, Session& session) {
  Stopwatch watch;
  walk_.neighbors = neighbors_ == "in" ? Direction::kIn : Direction::kOut;
  TableFormat format = TableFormat::kText;
  if (!output_.empty()) {
    ASSIGN_OR_RETURN(format, CheckTextOutput("walks", output_, force_));
    if (output_ == "-") session.ReserveStandardOutput();
  }
  ASSIGN_OR_RETURN(
      const OpenedGraph graph,
      OpenToReadOnce(graph_, "walks", session, [&](const GraphStore& store) -> StatusOr<uint64_t> {
        uint64_t bytes = WalkMemoryBytes(store.info(), walk_);
        if (!output_.empty()) {
          bytes += VertexText::SizeBytes(store) + LineFile::MemoryBytes(session.threads());
        }
        return BytesWithStarts(from_, store, bytes);
      }));
  const GraphStore& store = *graph.store;
  if (walk_.weighted && store.info().weights == WeightType::kNone) {
    return UsageError("walks: --weighted: the graph has no weights");
  }
  if (walk_.weighted && store.info().has_negative_weight) {
    return UsageError("walks: --weighted: the graph has weights below 0");
  }
  ASSIGN_OR_RETURN(const VertexList starts,
                   from_.empty() ? AllVertices(store, *graph.reader, session.means())
                                 : ReadVertexList(from_, store, *graph.reader, session.means()));
  std::optional<LineFile> file;
  VertexText names;
  if (!output_.empty()) {
    ASSIGN_OR_RETURN(names, VertexText::Load(store, *graph.reader, session.means()));
    ASSIGN_OR_RETURN(file, LineFile::Open(output_, session.means()));
  }
  Stopwatch walking;
  double writing_seconds = 0;
  const WalkSink sink = {
      .check = [&](uint64_t least_vertices) -> Status {
        constexpr uint64_t kLeastBytes = 2;  // a digit and the mark after it
        if (output_.empty()) return OkStatus();
        return CheckFreeSpace(output_, SaturatingProduct(kLeastBytes, least_vertices), "the walks");
      },
      .take = [&](const WalkRows& rows) -> StatusOr<bool> {
        if (!file.has_value()) return true;
        const Stopwatch writing;
        RETURN_IF_ERROR(Write(rows, names, FieldEnd(format), &*file));
        writing_seconds += writing.seconds();
        return !file->reader_left();
      }};
  ASSIGN_OR_RETURN(const WalkCounts counts, MakeWalks({store, *graph.reader, session.threads(),
                                                       session.budget(), session.progress()},
                                                      starts.vertices.span(), walk_, sink));
  const double seconds = walking.seconds() - writing_seconds;
  if (file.has_value()) RETURN_IF_ERROR(file->Finish());
  return Report(counts, watch.seconds(), seconds, session);
}

}  // namespace

std::unique_ptr<Command> MakeWalksCommand() { return std::make_unique<WalksCommand>(); }

}  // namespace edgemill::cli

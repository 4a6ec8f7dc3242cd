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
#include "cli/walks/walk_flags.h"
#include "cli/walks/walk_summary.h"
#include "common/clock.h"
#include "common/strings.h"
#include "common/units.h"
#include "engine/output/walks/random_walks.h"
#include "engine/output/walks/saturating.h"

namespace edgemill::cli {
namespace {

class WalksCommand : public Command {
 public:
  void Declare(OptionSet& options) override {
    options.Positional("GRAPH", &graph_, true, "the graph directory (NAME.mill)");
    options.Section("Walks");
    flags_.Declare(options);
    options.Text("--from", &from_, "FILE",
                 "start from the vertices in FILE, an id or a name a line, or - for standard "
                 "input (default: all vertices)");
    options.Reads("--from");
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
  Status Report(const WalkOptions& walk, const WalkCounts& counts, double all_seconds,
                double seconds, Session& session) const;

  std::string graph_;
  WalkFlags flags_;
  std::string from_;
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

Status WalksCommand::Report(const WalkOptions& walk, const WalkCounts& counts, double all_seconds,
                            double seconds, Session& session) const {
  nlohmann::ordered_json json = {{"command", "walks"},
                                 {"graph", graph_},
                                 {"walks", counts.walks},
                                 {"steps", counts.steps},
                                 {"proposed_edges", counts.tries},
                                 {"length", walk.length},
                                 {"walks_per_vertex", walk.walks_per_start},
                                 {"weighted", walk.weighted},
                                 {"p", walk.p},
                                 {"q", walk.q},
                                 {"seed", walk.seed},
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
  TableFormat format = TableFormat::kText;
  if (!output_.empty()) {
    ASSIGN_OR_RETURN(format, CheckTextOutput("walks", output_, force_));
    if (output_ == "-") session.ReserveStandardOutput();
  }
  ASSIGN_OR_RETURN(
      const OpenedGraph graph,
      OpenToReadOnce(graph_, "walks", session, [&](const GraphStore& store) -> StatusOr<uint64_t> {
        uint64_t bytes = WalkMemoryBytes(store.info(), flags_.Options());
        if (!output_.empty()) {
          bytes += VertexText::SizeBytes(store) + LineFile::MemoryBytes(session.threads());
        }
        return BytesWithStarts(from_, store, bytes);
      }));
  const GraphStore& store = *graph.store;
  ASSIGN_OR_RETURN(const WalkOptions walk, flags_.Options(store.info()));
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
                                                      starts.vertices.span(), walk, sink));
  const double seconds = walking.seconds() - writing_seconds;
  if (file.has_value()) RETURN_IF_ERROR(file->Finish());
  return Report(walk, counts, watch.seconds(), seconds, session);
}

}  // namespace

std::unique_ptr<Command> MakeWalksCommand() { return std::make_unique<WalksCommand>(); }

}  // namespace edgemill::cli

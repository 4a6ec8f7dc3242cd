#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/display/json_text.h"
#include "cli/graphs/command_plans.h"
#include "cli/graphs/graph_opening.h"
#include "common/clock.h"
#include "common/strings.h"
#include "common/units.h"
#include "engine/output/edges/edge_export.h"
#include "engine/output/output_file.h"

namespace edgemill::cli {
namespace {

class ExportCommand : public Command {
 public:
  void Declare(OptionSet& options) override {
    options.Positional("GRAPH", &graph_, true, "the graph directory (NAME.mill)");
    options.Positional("OUT", &out_, true, "the file to write, or - for standard output");
    options.WritesTo("OUT", [this](const std::string&) { return VerticesBeside(); });
    options.Choice("--format", &format_, {"auto", "el", "wel", "csv", "bin32", "bin64"},
                   "how edges are written; auto goes by OUT's suffix");
    options.Flag("--undirected", &once_,
                 "of a symmetric graph: each edge once instead of once a direction");
    options.Text("--vertices-file", &vertices_file_, "FILE",
                 "write all vertices, an id or name a line (default: to OUT.v, where "
                 "vertices without edges would be lost)");
    options.WritesTo("--vertices-file");
    options.Flag("--force", &force_, "replace files that exist");
    options.NeverSuggest("--force");
  }
  std::string_view description() const override {
    return "Edges come in the input's ids or names, sorted by their internal ids. A symmetric "
           "graph\n"
           "gives both directions (ingest them with --symmetric), or each edge once with\n"
           "--undirected (ingest with --undirected). Vertices without edges have no line in an "
           "edge\n"
           "list: they come back with ingest --vertices-file. Names are in double quotes, as in "
           "CSV,\n"
           "where they need it; .csv has all edge columns, in order; bin32 and bin64 are for "
           "graphs without names.\n";
  }
  Status Run(const OptionSet& options, Session& session) override;

 private:
  StatusOr<ExportFormat> Format() const;
  /// The file for vertices when none is named: beside the output, but none beside a stream.
  std::vector<std::string> VerticesBeside() const {
    const bool beside = vertices_file_.empty() && out_ != "-" && !IsDeviceName(out_);
    return beside ? std::vector{out_ + ".v"} : std::vector<std::string>();
  }
  /// Checks that the outputs can be made. If one is standard output, no text goes there.
  Status CheckOutputs(Session& session);
  /// Writes the vertices if the user wants them, or if vertices without edges would be lost. Names
  /// the file in `text` and `json`.
  Status WriteVertices(const EdgeExport& edges, Session& session, std::string* text,
                       nlohmann::ordered_json* json) const;

  std::string graph_;
  std::string out_;
  std::string format_ = "auto";
  std::string vertices_file_;
  bool vertices_wanted_ = false;  // even if all vertices have edges
  bool once_ = false;
  bool force_ = false;
};

StatusOr<ExportFormat> ExportCommand::Format() const {
  std::string name = format_;
  if (name == "auto") {
    const size_t dot = out_.rfind('.');
    name = out_ == "-" || IsDeviceName(out_) ? "el"
           : dot == std::string::npos        ? ""
                                             : out_.substr(dot + 1);
    if (name == "txt") name = "el";
  }
  if (name == "el") return ExportFormat::kEdgeList;
  if (name == "wel") return ExportFormat::kWeightedList;
  if (name == "csv") return ExportFormat::kCsv;
  if (name == "bin32") return ExportFormat::kPairs32;
  if (name == "bin64") return ExportFormat::kPairs64;
  return UsageError(StrCat("export: ", out_,
                           ": the suffix names no format: end the name in .el, "
                           ".wel, .csv, .bin32 or .bin64, or give --format"));
}

Status ExportCommand::CheckOutputs(Session& session) {
  if (out_ == "-" || vertices_file_ == "-") session.ReserveStandardOutput();
  if (out_ != "-") RETURN_IF_ERROR(CheckOutputPath(out_, force_));
  vertices_wanted_ = !vertices_file_.empty();
  for (const std::string& beside : VerticesBeside()) vertices_file_ = beside;
  if (vertices_file_.empty() || vertices_file_ == "-") return OkStatus();
  return CheckOutputPath(vertices_file_, force_);
}

Status ExportCommand::WriteVertices(const EdgeExport& edges, Session& session, std::string* text,
                                    nlohmann::ordered_json* json) const {
  const uint64_t isolated = edges.num_isolated();
  (*json)["isolated_vertices"] = isolated;
  if (isolated == 0 && !vertices_wanted_) return OkStatus();
  if (vertices_file_.empty()) {
    session.progress().Note(StrCat(FormatCount(isolated), " vertices without edges are left out: ",
                                   "--vertices-file FILE writes all vertices"));
    return OkStatus();
  }
  ASSIGN_OR_RETURN(OutputFile output, OutputFile::Open(vertices_file_));
  RETURN_IF_ERROR(edges.WriteVertices(output, session.progress()));
  RETURN_IF_ERROR(output.Finish());
  (*json)["vertices_file"] = vertices_file_;
  *text += StrCat("all vertices, ", FormatCount(isolated), " of them without edges, are in ",
                  vertices_file_, ": ingest with --vertices-file ", vertices_file_, "\n");
  return OkStatus();
}

Status ExportCommand::Run(const OptionSet& /*options*/, Session& session) {
  Stopwatch watch;
  ASSIGN_OR_RETURN(const ExportFormat format, Format());
  RETURN_IF_ERROR(CheckOutputs(session));
  const ExportOptions export_options{.format = format, .once = once_};
  ASSIGN_OR_RETURN(const OpenedGraph graph,
                   OpenToReadOnce(graph_, "export", session, [&](const GraphStore& opened) {
                     return EdgeExport::MemoryBytes(opened, export_options);
                   }));
  const std::unique_ptr<GraphStore>& store = graph.store;
  const std::unique_ptr<BlockReader>& reader = graph.reader;
  session.Plan(PlanOfExport(*store));
  ASSIGN_OR_RETURN(EdgeExport edges, EdgeExport::Create({*store, *reader, session.threads(),
                                                         session.budget(), session.progress()},
                                                        export_options));
  const bool holds_weights = format == ExportFormat::kWeightedList || format == ExportFormat::kCsv;
  if (!holds_weights && store->info().weights != WeightType::kNone) {
    session.progress().Note(
        "this format holds no weights: they are left out (export as .wel or .csv)");
  }
  ASSIGN_OR_RETURN(OutputFile output, OutputFile::Open(out_));
  RETURN_IF_ERROR(edges.Run(output, session.progress()));
  RETURN_IF_ERROR(output.Finish());
  nlohmann::ordered_json json = {{"command", "export"},
                                 {"graph", graph_},
                                 {"output", out_},
                                 {"edges", edges.num_written()},
                                 {"seconds", watch.seconds()}};
  std::string text = StrCat("exported ", FormatCount(edges.num_written()), " edges in ",
                            FormatFixed(watch.seconds(), 1), " s\n");
  if (!output.reader_left()) {
    const Status written = WriteVertices(edges, session, &text, &json);
    if (!written.ok()) output.Withdraw();
    RETURN_IF_ERROR(written);
  }
  session.SetJson(JsonText(json));
  return session.Print(text);
}

}  // namespace

std::unique_ptr<Command> MakeExportCommand() { return std::make_unique<ExportCommand>(); }

}  // namespace edgemill::cli

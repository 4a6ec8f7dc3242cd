#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/graph_opening.h"
#include "cli/json_text.h"
#include "common/clock.h"
#include "common/strings.h"
#include "common/units.h"
#include "engine/output/edge_export.h"
#include "engine/output/output_file.h"

namespace edgemill::cli {
namespace {

class ExportCommand : public Command {
 public:
  void Declare(OptionSet& options) override {
    options.Positional("GRAPH", &graph_, true, "the graph directory (NAME.mill)");
    options.Positional("OUT", &out_, true, "the file to write, or - for standard output");
    options.WritesTo("OUT");
    options.Choice("--format", &format_, {"auto", "el", "wel", "bin32", "bin64"},
                   "how edges are written; auto goes by OUT's suffix");
    options.Flag("--undirected", &once_,
                 "of a symmetric graph: each edge once instead of once a direction");
    options.Flag("--force", &force_, "replace OUT when it exists");
  }
  std::string_view description() const override {
    return "Edges come in the input's ids, sorted by their internal ids. A symmetric graph gives\n"
           "both directions (ingest them with --symmetric), or each edge once with --undirected\n"
           "(ingest with --undirected). Vertices without edges have no line in an edge list.\n";
  }
  Status Run(const OptionSet& options, Session& session) override;

 private:
  StatusOr<ExportFormat> Format() const;

  std::string graph_;
  std::string out_;
  std::string format_ = "auto";
  bool once_ = false;
  bool force_ = false;
};

StatusOr<ExportFormat> ExportCommand::Format() const {
  std::string name = format_;
  if (name == "auto") {
    const size_t dot = out_.rfind('.');
    name = out_ == "-" || out_.starts_with("/dev/") ? "el"
           : dot == std::string::npos               ? ""
                                                    : out_.substr(dot + 1);
    if (name == "txt") name = "el";
  }
  if (name == "el") return ExportFormat::kEdgeList;
  if (name == "wel") return ExportFormat::kWeightedList;
  if (name == "bin32") return ExportFormat::kPairs32;
  if (name == "bin64") return ExportFormat::kPairs64;
  return UsageError(StrCat("export: ", out_,
                           ": the suffix names no format: end the name in .el, "
                           ".wel, .bin32 or .bin64, or give --format"));
}

Status ExportCommand::Run(const OptionSet& /*options*/, Session& session) {
  Stopwatch watch;
  ASSIGN_OR_RETURN(const ExportFormat format, Format());
  if (out_ == "-") {
    session.GiveStandardOutputAway();
  } else {
    RETURN_IF_ERROR(CheckOutputPath(out_, force_));
  }
  const ExportOptions export_options{.format = format, .once = once_};
  ASSIGN_OR_RETURN(const OpenedGraph graph,
                   OpenToReadOnce(graph_, "export", session, [&](const GraphStore& opened) {
                     return EdgeExport::MemoryBytes(opened, export_options);
                   }));
  const std::unique_ptr<GraphStore>& store = graph.store;
  const std::unique_ptr<BlockReader>& reader = graph.reader;
  ASSIGN_OR_RETURN(EdgeExport edges, EdgeExport::Create(*store, *reader, export_options,
                                                        session.threads(), session.budget()));
  if (format != ExportFormat::kWeightedList && store->info().weights != WeightType::kNone) {
    session.progress().Note("this format holds no weights: they are left out (export as .wel)");
  }
  ASSIGN_OR_RETURN(OutputFile output, OutputFile::Open(out_));
  RETURN_IF_ERROR(edges.Run(output, session.progress()));
  RETURN_IF_ERROR(output.Finish());
  const nlohmann::ordered_json json = {{"command", "export"},
                                       {"graph", graph_},
                                       {"output", out_},
                                       {"edges", edges.num_written()},
                                       {"seconds", watch.seconds()}};
  session.SetJson(JsonText(json));
  return session.Print(StrCat("exported ", FormatCount(edges.num_written()), " edges in ",
                              FormatFixed(watch.seconds(), 1), " s\n"));
}

}  // namespace

std::unique_ptr<Command> MakeExportCommand() { return std::make_unique<ExportCommand>(); }

}  // namespace edgemill::cli

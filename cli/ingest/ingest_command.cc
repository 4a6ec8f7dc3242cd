#include <memory>

#include "cli/command.h"
#include "cli/ingest/disk_check.h"
#include "cli/ingest/graph_making.h"
#include "cli/ingest/ingest_estimate.h"
#include "cli/ingest/ingest_flags.h"
#include "cli/ingest/read_flags.h"
#include "common/os/file.h"
#include "loaders/context/ingest_plan.h"
#include "loaders/read/edge_reader.h"

namespace edgemill::cli {
namespace {

class IngestCommand : public Command {
 public:
  void Declare(OptionSet& options) override;
  SharedChoices shared() const override {
    return {.data_help = "where blocks go (repeatable; default: inside the graph directory)"};
  }
  std::string_view description() const override;
  Status Run(const OptionSet& options, Session& session) override;

 private:
  std::vector<std::string> paths_;
  ReadFlags read_flags_;
  IngestFlags flags_;
  uint64_t name_seed_ = 0;
  bool dry_run_ = false;
};

void IngestCommand::Declare(OptionSet& options) {
  options.Positionals("INPUT... OUT.mill", &paths_, 1,
                      "files of edges, or - for standard input; last, the graph directory to make");
  read_flags_.Declare(options);
  options.Flag("--dry-run", &dry_run_,
               "only show the first rows as understood, and estimate size, memory, disk and time");
  flags_.Declare(options, true);
  options.Number("--name-seed", &name_seed_, "N",
                 "seed of the hash of vertices' names (default: drawn at random)");
  options.Reads("INPUT... OUT.mill");
}

std::string_view IngestCommand::description() const {
  return "Formats are found by suffix (.el .wel .csv .mtx .gr .col .graph .adj .sg .wsg .bin32\n"
         ".bin64 .nt .parquet .graphml .net .npz, the .v .e and .properties of Graphalytics),\n"
         "then by content: .gr is also Galois's binary form, .adj Ligra's text, .graph with\n"
         ".properties WebGraph's. .gz, .bz2, .xz and .zst on any other. What does not fit\n"
         "--memory is sorted on disk, on the data directories. An ingest that was stopped,\n"
         "killed, or ran out of disk goes on with --resume: give the same inputs and options;\n"
         "until then commands that meet the graph end with exit code 76. Bad input is named by\n"
         "file, line and column, and leaves nothing behind.\n";
}

/// Refuses inputs beside --sql, and a command without any.
Status CheckInputs(const std::vector<std::string>& inputs, const std::string& sql) {
  if (inputs.empty() && sql.empty()) {
    return UsageError(
        "ingest: there is no input: give INPUT... OUT.mill, or --sql SELECT OUT.mill");
  }
  if (!inputs.empty() && !sql.empty()) {
    return UsageError(StrCat("ingest: --sql takes the place of ", inputs[0],
                             ": leave one of them out, or name the file in the query"));
  }
  return OkStatus();
}

/// The first folder that the options give for edges that are spilled; empty if they give none.
std::string SpillPlace(const IngestOptions& options) {
  const std::vector<std::string>& places =
      options.spill_directories.empty() ? options.data_directories : options.spill_directories;
  return places.empty() ? std::string() : places[0];
}

/// What DuckDB may use. What does not fit its memory goes where edges are spilled.
TableMeans MeansOfTables(const std::string& out, const IngestOptions& options, Session& session) {
  std::string beside = WithoutTrailingSlashes(out);
  if (const std::string place = SpillPlace(options); !place.empty()) {
    beside = StrCat(place, "/", beside.substr(beside.rfind('/') + 1));
  }
  return {&session.budget(), session.threads(), LeastIngestBytes(options), beside + ".duckdb"};
}

Status IngestCommand::Run(const OptionSet& given, Session& session) {
  const GraphRequest request{.command = "ingest", .out = paths_.back()};
  const std::string& out = request.out;
  const std::vector<std::string> inputs(paths_.begin(), paths_.end() - 1);
  StatusOr<IngestOptions> options =
      flags_.Parse(given, session.options().data_directories, session.threads());
  if (!options.ok()) return Annotate(options.status(), "ingest");
  if (given.Given("--name-seed")) options->name_seed = name_seed_;
  ASSIGN_OR_RETURN(ReadOptions read, read_flags_.Parse(given, *options));
  RETURN_IF_ERROR(CheckInputs(inputs, read.sql));
  read.table_means = MeansOfTables(out, *options, session);
  const std::string spills = SpillPlace(*options);
  read.copies_directory = spills.empty() ? ParentDirectory(WithoutTrailingSlashes(out)) : spills;
  if (out == "-") return UsageError("ingest: OUT.mill is a directory, it cannot be -: name one");
  RETURN_IF_ERROR(read_flags_.CheckBadLinesFile());
  ASSIGN_OR_RETURN(const std::unique_ptr<EdgeSource> source, OpenEdgeReader(inputs, read));
  RETURN_IF_ERROR(flags_.CheckSource(source->info(), *options));
  if (given.Given("--name-seed") && !source->info().named) {
    return UsageError("ingest: --name-seed is for names, and the ids are numbers: leave it out");
  }
  if (dry_run_) return EstimateIngest(*source, out, *options, session);
  if (!flags_.resume()) RETURN_IF_ERROR(CheckDisks(inputs, read, out, *options, session));
  return MakeGraph(request, *source, flags_, *options, session);
}

}  // namespace

std::unique_ptr<Command> MakeIngestCommand() { return std::make_unique<IngestCommand>(); }

}  // namespace edgemill::cli

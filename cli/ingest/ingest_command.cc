#include <algorithm>
#include <memory>

#include "cli/command.h"
#include "cli/ingest/disk_check.h"
#include "cli/ingest/graph_making.h"
#include "cli/ingest/ingest_estimate.h"
#include "cli/ingest/ingest_flags.h"
#include "common/clock.h"
#include "common/os/file_place.h"
#include "common/strings.h"
#include "engine/output/output_file.h"
#include "loaders/read/edge_reader.h"

namespace edgemill::cli {
namespace {

/// Bytes of input that one thread parses at a time. Fixed, for a resumed ingest must cut its input
/// as before; small, for the edges of a piece may take many times its bytes.
constexpr size_t kChunkBytes = size_t{512} << 10;

class IngestCommand : public Command {
 public:
  void Declare(OptionSet& options) override;
  SharedChoices shared() const override {
    return {.data_help = "where blocks go (repeatable; default: inside the graph directory)"};
  }
  std::string_view description() const override;
  Status Run(const OptionSet& options, Session& session) override;

 private:
  StatusOr<ReadOptions> TakeReadOptions(const OptionSet& given, const IngestOptions& options) const;
  /// That the outputs may be made.
  Status CheckOutputs() const;

  std::vector<std::string> paths_;
  IngestFlags flags_;
  std::string format_ = "auto";
  std::string csv_columns_;
  std::string header_ = "auto";
  std::string comment_;
  std::string delimiter_;
  std::string quote_ = "auto";
  uint64_t skip_lines_ = 0;
  uint64_t base_ = 0;
  uint64_t bad_lines_ = 0;
  std::string bad_lines_file_;
  std::string vertices_file_;
  uint64_t name_seed_ = 0;
  bool dry_run_ = false;
};

void IngestCommand::Declare(OptionSet& options) {
  options.Positionals("INPUT... OUT.mill", &paths_, 2,
                      "files of edges, or - for standard input; last, the graph directory to make");
  options.Section("The input");
  options.Text("--format", &format_, "NAME", StrCat("one of ", EdgeFormatNames()));
  options.Text("--csv-columns", &csv_columns_, "S,T[,W]",
               "names or numbers (from 1) of the columns with source, target and weight");
  options.Choice("--header", &header_, {"auto", "yes", "no"}, "whether CSV starts with a header");
  options.Text("--comment", &comment_, "PREFIX",
               "lines that begin so are skipped, none: no line is (default: those that begin with "
               "#, % or //, before data and where they cannot be data)");
  options.Text("--delimiter", &delimiter_, "TEXT",
               "what is between columns: any text, or tab, comma, blanks (default: found)");
  options.Text("--quote", &quote_, "none|\"",
               "whether text in double quotes is one field (default: yes, but not in .tsv)");
  options.Number("--skip-lines", &skip_lines_, "N", "leave out the first lines of each text");
  options.Number("--base", &base_, "0|1", "subtracted from every id", {0, 1});
  options.Text(
      "--vertices-file", &vertices_file_, "FILE",
      "vertices, an id or name a line, beside those that occur in edges: some have no edge");
  options.Number("--bad-lines", &bad_lines_, "N", "skip so many bad lines before giving up");
  options.Text("--bad-lines-file", &bad_lines_file_, "FILE", "where skipped lines are listed");
  options.WritesTo("--bad-lines-file");
  options.Flag("--dry-run", &dry_run_,
               "only show the first rows as understood, and estimate size, memory, disk and time");
  flags_.Declare(options, true);
  options.Number("--name-seed", &name_seed_, "N",
                 "of the hash of vertices' names, which is drawn otherwise");
  options.ActsWith("--bad-lines-file", "--bad-lines");
  options.Reads("INPUT... OUT.mill");
  options.Reads("--vertices-file");
}

std::string_view IngestCommand::description() const {
  return "Formats are found by suffix (.el .wel .csv .mtx .gr .col .graph .adj .sg .wsg .bin32\n"
         ".bin64 .nt, the .v .e and .properties of Graphalytics), then by content: .gr is also\n"
         "Galois's binary form, .adj Ligra's text. .gz and .zst on any. What does not fit\n"
         "--memory is sorted on disk, on the data directories. An ingest that was stopped,\n"
         "killed, or ran out of disk goes on with --resume: give the same inputs and options;\n"
         "until then commands that meet the graph end with exit code 76. Bad input is named by\n"
         "file, line and column, and leaves nothing behind.\n";
}

StatusOr<ReadOptions> IngestCommand::TakeReadOptions(const OptionSet& given,
                                                     const IngestOptions& options) const {
  ReadOptions read;
  const StatusOr<EdgeFormat> format = ParseEdgeFormat(format_);
  if (!format.ok()) return Annotate(format.status(), "ingest: --format");
  read.format = *format;
  for (std::string_view rest = csv_columns_; !rest.empty();) {
    const size_t comma = std::min(rest.find(','), rest.size());
    read.csv_columns.emplace_back(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  if (given.Given("--csv-columns") &&
      (read.csv_columns.size() < 2 || read.csv_columns.size() > 3)) {
    return UsageError(StrCat("ingest: --csv-columns: \"", csv_columns_,
                             "\" does not do: give two or three columns with commas between"));
  }
  if (header_ == "yes") read.header = HeaderMode::kYes;
  if (header_ == "no") read.header = HeaderMode::kNo;
  read.comment = comment_ == "none" ? kNoComments : comment_;
  ASSIGN_OR_RETURN(read.delimiter, ParseDelimiter(delimiter_));
  ASSIGN_OR_RETURN(read.quote, ParseQuote(quote_));
  read.skip_lines = skip_lines_;
  read.ids = options.ids == IdMode::kStrings ? IdReading::kNames
             : options.ids == IdMode::kAuto  ? IdReading::kAuto
                                             : IdReading::kNumbers;
  read.base = base_;
  using Kind = WeightChoice::Kind;
  switch (options.weights.kind) {
    case Kind::kAuto:
      read.weights = WeightMode::kAuto;
      break;
    case Kind::kNone:
    case Kind::kRandom:
      read.weights = WeightMode::kNone;
      break;
    case Kind::kInt32:
      read.weights = WeightMode::kInt;
      break;
    case Kind::kFloat32:
    case Kind::kFloat64:
      read.weights = WeightMode::kFloat;
      break;
  }
  read.max_bad_lines = bad_lines_;
  read.bad_lines_file = bad_lines_file_;
  read.vertices_file = vertices_file_;
  read.chunk_bytes = kChunkBytes;
  return read;
}

Status IngestCommand::CheckOutputs() const {
  if (paths_.back() == "-") {
    return UsageError("ingest: OUT.mill is a directory, it cannot be -: name one");
  }
  if (bad_lines_file_.empty()) return OkStatus();
  RETURN_IF_ERROR(CheckOutputPath(bad_lines_file_, true));
  // A resumed ingest cuts it to what it had.
  ASSIGN_OR_RETURN(const FilePlace place, PlaceOf(bad_lines_file_));
  if (place.descriptor < 0 && (place.regular() || !place.exists())) return OkStatus();
  return OutputError(
      StrCat(bad_lines_file_, ": is no regular file: name another for ", "--bad-lines-file"));
}

Status IngestCommand::Run(const OptionSet& given, Session& session) {
  Stopwatch watch;
  const std::string out = paths_.back();
  const std::vector<std::string> inputs(paths_.begin(), paths_.end() - 1);
  StatusOr<IngestOptions> options = flags_.Take(given, session);
  if (!options.ok()) return Annotate(options.status(), "ingest");
  if (given.Given("--name-seed")) options->name_seed = name_seed_;
  ASSIGN_OR_RETURN(const ReadOptions read, TakeReadOptions(given, *options));
  RETURN_IF_ERROR(CheckOutputs());
  ASSIGN_OR_RETURN(const std::unique_ptr<EdgeSource> source, OpenEdgeReader(inputs, read));
  RETURN_IF_ERROR(flags_.CheckSource(source->info(), *options));
  if (given.Given("--name-seed") && !source->info().named) {
    return UsageError("ingest: --name-seed is for names, and the ids are numbers: leave it out");
  }
  if (dry_run_) return EstimateIngest(*source, out, *options, session);
  if (!flags_.resume()) RETURN_IF_ERROR(CheckDisks(inputs, read, out, *options, session));
  return MakeGraph("ingest", *source, out, flags_, *options, watch, session);
}

}  // namespace

std::unique_ptr<Command> MakeIngestCommand() { return std::make_unique<IngestCommand>(); }

}  // namespace edgemill::cli

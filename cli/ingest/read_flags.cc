#include "cli/ingest/read_flags.h"

#include <algorithm>
#include <string_view>

#include "common/os/file_place.h"
#include "common/strings.h"
#include "engine/output/output_file.h"
#include "loaders/read/edge_reader.h"

namespace edgemill::cli {
namespace {

/// Bytes of input that one thread parses at a time. The number is fixed, because a resumed ingest
/// must cut its input as before. It is small, because the edges of a chunk may take many times its
/// bytes.
constexpr size_t kChunkBytes = size_t{512} << 10;

}  // namespace

void ReadFlags::Declare(OptionSet& options) {
  options.Section("The input");
  options.Text("--format", &format_, "NAME", StrCat("one of ", EdgeFormatNames()));
  options.Text("--sql", &sql_, "SELECT",
               "take edges from the rows of a query, in place of INPUTs: DuckDB runs it");
  options.Text("--where", &where_, "CONDITION",
               "take only the rows of Parquet files that meet a condition of SQL");
  options.Text("--csv-columns", &csv_columns_, "S,T[,W]",
               "names or numbers (from 1) of the columns with source, target and weight, of CSV, "
               "Parquet and --sql");
  options.Choice("--header", &header_, {"auto", "yes", "no"}, "whether CSV starts with a header");
  options.Text(
      "--comment", &comment_, "PREFIX",
      "skip lines that begin with PREFIX; none: skip no lines (default: skip those that begin "
      "with #, % or //, before data and where they cannot be data)");
  options.Text("--delimiter", &delimiter_, "TEXT",
               "what is between columns: any text, or tab, comma, blanks (default: found)");
  options.Text("--quote", &quote_, "none|\"|lines",
               "whether text in double quotes is one field (default: yes, but not in .tsv); lines: "
               "also with line ends (default: where the first lines of CSV have such fields)");
  options.Number("--skip-lines", &skip_lines_, "N", "leave out the first lines of each text");
  options.Number("--base", &base_, "0|1", "subtracted from every id", {0, 1});
  options.Text(
      "--vertices-file", &vertices_file_, "FILE",
      "vertices, an id or name a line, beside those that occur in edges: some have no edge");
  options.Text("--names-file", &names_file_, "FILE",
               "names of the vertices, one a line in their order, for inputs whose ids are numbers "
               "and that declare how many there are, such as BV graphs (.urls)");
  options.Choice(
      "--decimal", &decimal_, {"point", "comma"},
      "which of them begins the decimals of weights; the other stands between thousands");
  options.Choice("--empty-weight", &empty_weight_, {"error", "skip", "1"},
                 "an edge whose weight is empty, NULL or n/a is a bad line, is left out, or gets "
                 "the weight 1");
  options.Text("--bad-lines", &bad_lines_, "skip|N|all",
               "skip so many bad lines before giving up; skip and all: any number");
  options.Text("--bad-lines-file", &bad_lines_file_, "FILE", "where skipped lines are listed");
  options.WritesTo("--bad-lines-file");
  options.ActsWith("--bad-lines-file", "--bad-lines");
  options.Reads("--vertices-file");
  options.Reads("--names-file");
}

StatusOr<ReadOptions> ReadFlags::Parse(const OptionSet& given, const IngestOptions& options) const {
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
                             "\" is not valid: give two or three columns with commas between"));
  }
  if (header_ == "yes") read.header = HeaderMode::kYes;
  if (header_ == "no") read.header = HeaderMode::kNo;
  read.comment = comment_ == "none" ? kNoComments : comment_;
  ASSIGN_OR_RETURN(read.delimiter, ParseDelimiter(delimiter_));
  ASSIGN_OR_RETURN(read.quote, ParseQuote(quote_));
  read.skip_lines = skip_lines_;
  read.sql = sql_;
  read.where = where_;
  read.decimal_comma = decimal_ == "comma";
  if (empty_weight_ == "skip") read.empty_weight = EmptyWeight::kSkip;
  if (empty_weight_ == "1") read.empty_weight = EmptyWeight::kOne;
  ReadFor(options, &read);
  read.base = base_;
  if (bad_lines_ == "skip" || bad_lines_ == "all") {
    read.max_bad_lines = UINT64_MAX;
  } else if (!ParseNumber(bad_lines_, &read.max_bad_lines)) {
    return UsageError(StrCat("ingest: --bad-lines: ", QuotedText(bad_lines_),
                             " is not valid: give skip, all or a number"));
  }
  read.bad_lines_file = bad_lines_file_;
  read.vertices_file = vertices_file_;
  read.names_file = names_file_;
  read.chunk_bytes = kChunkBytes;
  return read;
}

Status ReadFlags::CheckBadLinesFile() const {
  if (bad_lines_file_.empty()) return OkStatus();
  RETURN_IF_ERROR(CheckOutputPath(bad_lines_file_, true));
  // A resumed ingest cuts the file to its earlier length, so it must be a regular file.
  ASSIGN_OR_RETURN(const FilePlace place, PlaceOf(bad_lines_file_));
  if (place.descriptor < 0 && (place.regular() || !place.exists())) return OkStatus();
  return OutputError(
      StrCat(bad_lines_file_, ": is not a regular file: name another for ", "--bad-lines-file"));
}

}  // namespace edgemill::cli

#include "loaders/formats/format_detection.h"

#include <algorithm>
#include <array>
#include <utility>

#include "loaders/formats/formats.h"
#include "loaders/formats/lines/header_words.h"
#include "loaders/formats/lines/name_parser.h"
#include "loaders/formats/lines/number_parser.h"
#include "loaders/formats/ordered/ordered_formats.h"
#include "loaders/formats/rows/row_formats.h"
#include "loaders/options/format_options.h"

namespace edgemill {
namespace {

constexpr std::array<std::pair<std::string_view, EdgeFormat>, 24> kSuffixes = {{
    {".el", EdgeFormat::kEdgeList},
    {".wel", EdgeFormat::kWeightedList},
    {".csv", EdgeFormat::kCsv},
    {".tsv", EdgeFormat::kCsv},
    {".mtx", EdgeFormat::kMatrixMarket},
    {".gr", EdgeFormat::kDimacs},
    {".col", EdgeFormat::kDimacs},
    {".graph", EdgeFormat::kMetis},
    {".metis", EdgeFormat::kMetis},
    {".sg", EdgeFormat::kSerialized},
    {".wsg", EdgeFormat::kSerializedWeighted},
    {".bin32", EdgeFormat::kPairs32},
    {".bin64", EdgeFormat::kPairs64},
    {".adj", EdgeFormat::kAdjacency},
    {".nt", EdgeFormat::kTriples},
    {".npz", EdgeFormat::kNpz},
    {".graphml", EdgeFormat::kGraphml},
    {".net", EdgeFormat::kPajek},
    {".paj", EdgeFormat::kPajek},
    {".parquet", EdgeFormat::kParquet},
    {".pq", EdgeFormat::kParquet},
    {".v", EdgeFormat::kGraphalytics},
    {".e", EdgeFormat::kGraphalytics},
    {".properties", EdgeFormat::kGraphalytics},
}};

Status CannotTell(const TextHead& head, std::string_view reason) {
  return UsageError(StrCat(head.name, ": cannot tell the format: ", reason,
                           ": say it with --format (", EdgeFormatNames(), ")"));
}

/// Whether the first two fields are ids that are numbers. The others may be anything.
bool AreNumbers(const std::vector<std::string_view>& fields) {
  ExternalId id = 0;
  FieldError error;
  return ParseId(fields[0], &id, &error) && ParseId(fields[1], &id, &error);
}

/// Whether the fields are two names and perhaps a weight. Few lines of ordinary text are like this.
bool AreNames(const std::vector<std::string_view>& fields, IdReading ids) {
  FieldError error;
  const auto is_name = [&](std::string_view field) {
    return CheckName(field, &error) && (ids == IdReading::kNames || LooksLikeName(field) ||
                                        std::all_of(field.begin(), field.end(), IsDigit));
  };
  return ids != IdReading::kNumbers && fields.size() <= 3 && is_name(fields[0]) &&
         is_name(fields[1]) && (fields.size() < 3 || MeansWeight(fields[2]));
}

/// Cuts off the rest of the line after two columns, if it is a dictionary as NetworkX writes it.
void CutDictionary(std::string_view* line) {
  const std::vector<std::string_view> fields = SplitBlanks(*line, 3);
  if (fields.size() < 3 || !fields[2].starts_with('{')) return;
  *line = line->substr(0, static_cast<size_t>(fields[2].data() - line->data()));
}

/// Whether the line is one of N-Triples.
bool IsTriple(std::string_view line, const std::vector<std::string_view>& fields) {
  return fields.size() >= 4 && line.ends_with('.') && fields[1].starts_with('<') &&
         (fields[0].starts_with('<') || fields[0].starts_with("_:"));
}

/// The error of a line that is no edge, since it has one column or has words in its columns.
Status NoEdge(const TextHead& head, const HeadLine& line,
              const std::vector<std::string_view>& fields) {
  const std::string_view likely = LikelyDelimiter(line.text);
  if (!likely.empty()) {
    return UsageError(StrCat(head.name, ": line ", line.number, " has '", likely,
                             "': is it between columns? give --delimiter '", likely, "'"));
  }
  if (fields.size() < 2) {
    return CannotTell(
        head, StrCat("line ", line.number, " has one column (", QuotedText(fields[0]), ")"));
  }
  if (fields.size() == 2) {
    return CannotTell(
        head, StrCat("line ", line.number, " is not two ids (", QuotedText(line.text), ")"));
  }
  return NeedsColumns(head.name,
                      StrCat("line ", line.number, " has words in ", fields.size(), " columns"));
}

}  // namespace

EdgeFormat FormatOfSuffix(std::string_view path) {
  for (const auto& [suffix, format] : kSuffixes) {
    if (path.ends_with(suffix)) return format;
  }
  return EdgeFormat::kAuto;
}

bool IsBinaryFormat(EdgeFormat format) {
  return format == EdgeFormat::kPairs32 || format == EdgeFormat::kPairs64 ||
         format == EdgeFormat::kSerialized || format == EdgeFormat::kSerializedWeighted ||
         format == EdgeFormat::kGalois || format == EdgeFormat::kBv || format == EdgeFormat::kNpz ||
         format == EdgeFormat::kParquet;
}

StatusOr<EdgeFormat> FormatOfContent(const TextHead& head, const ReadOptions& options) {
  if (head.text.find('\0') != std::string_view::npos) {
    return CannotTell(head, "it holds NUL bytes, so it is not text");
  }
  if (IsMatrixMarket(head)) return EdgeFormat::kMatrixMarket;
  if (IsLigra(head)) return EdgeFormat::kLigra;
  if (IsKonect(head)) return EdgeFormat::kKonect;
  if (IsPajek(head)) return EdgeFormat::kPajek;
  constexpr int kLines = 20;
  int seen = 0;
  size_t columns = 0;
  HeadLines lines(head);
  HeadLine line;
  while (seen < kLines && lines.Next(&line)) {
    if (StripSpace(line.text).empty() || IsComment(line.text, options.comment)) continue;
    CutDictionary(&line.text);
    const std::vector<std::string_view> fields = SplitBlanks(line.text, kMaxColumns);
    if (IsDimacsProblem(fields)) return EdgeFormat::kDimacs;
    if (fields[0] == "c") continue;
    if (AsksForCsv(options)) return EdgeFormat::kCsv;
    if (seen == 0 && IsTriple(line.text, fields)) return EdgeFormat::kTriples;
    if (line.text.find_first_of(",;") != std::string_view::npos) return EdgeFormat::kCsv;
    if (fields.size() < 2) return NoEdge(head, line, fields);
    if (fields.size() == kMaxColumns) {
      return CannotTell(head, StrCat("line ", line.number, " has ", kMaxColumns,
                                     " columns or more (are they lists of neighbours?)"));
    }
    if (!AreNumbers(fields)) {
      if (seen == 0 && line.text.find('\t') != std::string_view::npos) return EdgeFormat::kCsv;
      const bool are_names = AreNames(fields, options.ids) && LikelyDelimiter(line.text).empty();
      if (!are_names) return NoEdge(head, line, fields);
    }
    if (seen++ == 0) columns = fields.size();
    if (fields.size() != columns) {
      return CannotTell(head, StrCat("line ", line.number, " has ", fields.size(),
                                     " columns, those before have ", columns));
    }
  }
  const bool has_lines = seen == 0 && FirstDataLine(head, kNoComments, &line);
  if (has_lines && line.text.find_first_of(",;") != std::string_view::npos) {
    return EdgeFormat::kCsv;
  }
  if (seen == 0 && !head.whole) return CannotTell(head, "its first MiB has no line of data");
  return EdgeFormat::kEdgeList;
}

}  // namespace edgemill

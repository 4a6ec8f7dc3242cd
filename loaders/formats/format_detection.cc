#include "loaders/formats/format_detection.h"

#include <algorithm>
#include <array>
#include <utility>

#include "loaders/formats/binary_formats.h"
#include "loaders/formats/formats.h"
#include "loaders/formats/lines/name_parser.h"
#include "loaders/formats/lines/number_parser.h"
#include "loaders/options/format_options.h"

namespace edgemill {
namespace {

constexpr std::array<std::pair<std::string_view, EdgeFormat>, 17> kSuffixes = {{
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
    {".v", EdgeFormat::kGraphalytics},
    {".e", EdgeFormat::kGraphalytics},
    {".properties", EdgeFormat::kGraphalytics},
}};

Status CannotTell(const TextHead& head, std::string_view reason) {
  return UsageError(StrCat(head.name, ": cannot tell the format: ", reason,
                           ": say it with --format (", EdgeFormatNames(), ")"));
}

/// Whether the fields are an edge and perhaps its weight; what is behind may be anything.
bool AllNumbers(const std::vector<std::string_view>& fields) {
  ExternalId id = 0;
  double weight = 0;
  FieldError error;
  for (size_t i = 0; i < std::min<size_t>(fields.size(), 3); ++i) {
    if (i < 2 ? !ParseId(fields[i], &id, &error)
              : !ParseWeight(fields[i], false, &weight, &error)) {
      return false;
    }
  }
  return true;
}

/// Whether the fields are two names and perhaps a weight. Few lines of prose are.
bool AreNames(const std::vector<std::string_view>& fields, IdReading ids) {
  double weight = 0;
  FieldError error;
  const auto is_name = [&](std::string_view field) {
    return CheckName(field, &error) && (ids == IdReading::kNames || LooksLikeName(field) ||
                                        std::all_of(field.begin(), field.end(), IsDigit));
  };
  return ids != IdReading::kNumbers && fields.size() <= 3 && is_name(fields[0]) &&
         is_name(fields[1]) &&
         (fields.size() < 3 || ParseWeight(fields[2], false, &weight, &error));
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
         format == EdgeFormat::kGalois;
}

StatusOr<EdgeFormat> FormatOfContent(const TextHead& head, const ReadOptions& options) {
  if (head.text.find('\0') != std::string_view::npos) {
    return CannotTell(head, "it holds NUL bytes, so it is not text");
  }
  if (IsMatrixMarket(head)) return EdgeFormat::kMatrixMarket;
  if (IsLigra(head)) return EdgeFormat::kLigra;
  if (IsKonect(head)) return EdgeFormat::kKonect;
  constexpr int kLines = 20;
  int seen = 0;
  size_t columns = 0;
  HeadLines lines(head);
  HeadLine line;
  while (seen < kLines && lines.Next(&line)) {
    if (StripSpace(line.text).empty() || IsComment(line.text, options.comment)) continue;
    const std::vector<std::string_view> fields = SplitBlanks(line.text, kMostColumns);
    if (IsDimacsProblem(fields)) return EdgeFormat::kDimacs;
    if (fields[0] == "c") continue;
    if (AsksForCsv(options)) return EdgeFormat::kCsv;
    if (line.text.find_first_of(",;") != std::string_view::npos) return EdgeFormat::kCsv;
    if (fields.size() < 2) {
      return CannotTell(head, StrCat("line ", line.number, " has no two numbers"));
    }
    if (fields.size() == kMostColumns) {
      return CannotTell(head, StrCat("line ", line.number, " has ", kMostColumns,
                                     " columns or more (are they lists of neighbours?)"));
    }
    if (!AllNumbers(fields)) {
      if (seen == 0 && line.text.find('\t') != std::string_view::npos) return EdgeFormat::kCsv;
      if (!AreNames(fields, options.ids))
        return CannotTell(head, StrCat("line ", line.number, " is not made of numbers"));
    }
    if (seen++ == 0) columns = fields.size();
    if (fields.size() != columns) {
      return CannotTell(head, StrCat("line ", line.number, " has ", fields.size(),
                                     " numbers, those before have ", columns));
    }
  }
  if (seen == 0 && !head.whole) return CannotTell(head, "its first MiB has no line of data");
  return EdgeFormat::kEdgeList;
}

}  // namespace edgemill

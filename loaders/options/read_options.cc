#include "loaders/options/read_options.h"

#include <array>
#include <utility>

#include "common/strings.h"

namespace edgemill {
namespace {

constexpr std::array<std::pair<std::string_view, EdgeFormat>, 22> kNames = {{
    {"auto", EdgeFormat::kAuto},
    {"el", EdgeFormat::kEdgeList},
    {"wel", EdgeFormat::kWeightedList},
    {"konect", EdgeFormat::kKonect},
    {"csv", EdgeFormat::kCsv},
    {"mtx", EdgeFormat::kMatrixMarket},
    {"gr", EdgeFormat::kDimacs},
    {"metis", EdgeFormat::kMetis},
    {"sg", EdgeFormat::kSerialized},
    {"wsg", EdgeFormat::kSerializedWeighted},
    {"graphalytics", EdgeFormat::kGraphalytics},
    {"bin32", EdgeFormat::kPairs32},
    {"bin64", EdgeFormat::kPairs64},
    {"adj", EdgeFormat::kAdjacency},
    {"galois", EdgeFormat::kGalois},
    {"ligra", EdgeFormat::kLigra},
    {"bv", EdgeFormat::kBv},
    {"npz", EdgeFormat::kNpz},
    {"graphml", EdgeFormat::kGraphml},
    {"pajek", EdgeFormat::kPajek},
    {"nt", EdgeFormat::kTriples},
    {"parquet", EdgeFormat::kParquet},
}};

}  // namespace

StatusOr<EdgeFormat> ParseEdgeFormat(std::string_view name) {
  for (const auto& [known, format] : kNames) {
    if (known == name) return format;
  }
  return UsageError(StrCat("unknown format '", name, "': give one of ", EdgeFormatNames()));
}

StatusOr<std::string> ParseDelimiter(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kWords = {
      {{"tab", "\t"},
       {"\\t", "\t"},
       {"blanks", " "},
       {"blank", " "},
       {"space", " "},
       {"comma", ","},
       {"semicolon", ";"},
       {"colon", ":"},
       {"pipe", "|"},
       {"auto", ""}}};
  for (const auto& [word, delimiter] : kWords) {
    if (text == word) return std::string(delimiter);
  }
  if (text == " " || text == "\t") return std::string(text);
  // Blanks around fields do not belong to them, so a delimiter needs none.
  const std::string_view stripped = StripSpace(text);
  const bool is_blank = stripped.empty() && !text.empty();
  if (is_blank || stripped.find_first_of("0123456789\"\r\n") != std::string_view::npos) {
    return UsageError(StrCat("--delimiter: ", QuotedText(text),
                             " is not valid: give text without digits, quotes and line ends, or "
                             "tab, comma or blanks"));
  }
  return std::string(stripped);
}

StatusOr<QuoteMode> ParseQuote(std::string_view text) {
  if (text == "none") return QuoteMode::kNone;
  if (text == "\"" || text == "double") return QuoteMode::kDouble;
  if (text == "lines") return QuoteMode::kLines;
  if (text == "auto") return QuoteMode::kAuto;
  return UsageError(StrCat("--quote: ", QuotedText(text), " is not valid: give none, \" or lines"));
}

WeightMode WeightModeOf(EdgeColumnType type) {
  switch (type) {
    case EdgeColumnType::kInt32:
    case EdgeColumnType::kInt64:
      return WeightMode::kInt;
    case EdgeColumnType::kFloat32:
    case EdgeColumnType::kFloat64:
      return WeightMode::kFloat;
    default:
      return WeightMode::kAuto;
  }
}

std::string_view EdgeFormatName(EdgeFormat format) {
  for (const auto& [name, known] : kNames) {
    if (known == format) return name;
  }
  return "sql";
}

std::string EdgeFormatNames() {
  std::string names;
  for (const auto& [name, format] : kNames) {
    if (!names.empty()) names += ", ";
    names += name;
  }
  return names;
}

}  // namespace edgemill

// CSV: RFC 4180 with any delimiter, with or without a header line.
#include <algorithm>
#include <array>
#include <span>

#include "loaders/formats/formats.h"

namespace edgemill {
namespace {

/// Header names that say what a column holds.
constexpr std::array<std::string_view, 4> kSourceNames = {"source", "src", "from", "id_1"};
constexpr std::array<std::string_view, 5> kTargetNames = {"target", "dst", "dest", "to", "id_2"};
constexpr std::array<std::string_view, 4> kWeightNames = {"weight", "w", "cost", "distance"};

bool IsOneOf(std::span<const std::string_view> names, const std::string& name) {
  return std::find(names.begin(), names.end(), Lower(name)) != names.end();
}

bool LooksNumeric(std::string_view field) {
  return field.find_first_of("0123456789") != std::string_view::npos &&
         field.find_first_not_of("0123456789+-.eExX") == std::string_view::npos;
}

/// Outside of quotes: a tab rather than a comma, that rather than a semicolon, or else blanks.
char DetectDelimiter(std::string_view line) {
  constexpr std::string_view kDelimiters = "\t,;";
  size_t best = kDelimiters.size();
  bool quoted = false;
  for (const char c : line) {
    quoted ^= c == '"';
    if (!quoted) best = std::min(best, kDelimiters.find(c));
  }
  return best == kDelimiters.size() ? ' ' : kDelimiters[best];
}

/// The column (from 0) that `wanted`, a name or a number from 1, means.
StatusOr<int> FindColumn(const std::string& wanted, const std::vector<std::string>& first,
                         bool header, const std::string& name) {
  if (header) {
    const auto found = std::find(first.begin(), first.end(), wanted);
    if (found != first.end()) return static_cast<int>(found - first.begin());
  }
  uint64_t number = 0;
  if (ParseNumber(wanted, &number) && number >= 1 && number <= first.size()) {
    return static_cast<int>(number) - 1;
  }
  return UsageError(StrCat(name, ": there is no column '", wanted, "' among ", first.size(),
                           header ? " (names as in the header line, or numbers from 1)"
                                  : " (there is no header line: give numbers from 1)",
                           ": correct --csv-columns"));
}

/// Fills in source, target and weight.
Status ChooseColumns(const ReadOptions& options, const std::vector<std::string>& first, bool header,
                     const std::string& name, ColumnLayout* layout) {
  const std::vector<std::string>& wanted = options.csv_columns;
  if (!wanted.empty()) {
    if (wanted.size() < 2 || wanted.size() > 3) {
      return UsageError("--csv-columns takes two or three columns: source,target[,weight]");
    }
    ASSIGN_OR_RETURN(layout->source, FindColumn(wanted[0], first, header, name));
    ASSIGN_OR_RETURN(layout->target, FindColumn(wanted[1], first, header, name));
    if (wanted.size() == 3) {
      ASSIGN_OR_RETURN(layout->weight, FindColumn(wanted[2], first, header, name));
    }
    if (layout->source == layout->target || layout->weight == layout->source ||
        layout->weight == layout->target) {
      return UsageError(StrCat(name, ": --csv-columns names a column twice"));
    }
    return OkStatus();
  }
  const auto find = [&](std::span<const std::string_view> names) {
    for (size_t i = 0; header && i < first.size(); ++i) {
      if (IsOneOf(names, first[i])) return static_cast<int>(i);
    }
    return -1;
  };
  const int source = find(kSourceNames);
  const int target = find(kTargetNames);
  if (source >= 0 && target >= 0) {
    layout->source = source;
    layout->target = target;
    layout->weight = find(kWeightNames);
    if (layout->weight >= 0 || first.size() != 3) return OkStatus();
    layout->weight = 3 - source - target;
    return OkStatus();
  }
  const bool weighted = first.size() >= 3 && (header || LooksNumeric(first[2]));
  const bool three_numbers =
      first.size() > 3 && !header && std::all_of(first.begin(), first.begin() + 3, LooksNumeric);
  if (first.size() != 2 && (first.size() != 3 || !weighted) && !three_numbers) {
    return UsageError(
        StrCat(name, ": has ", first.size(),
               " columns: say with --csv-columns which are source, target and weight"));
  }
  layout->weight = first.size() >= 3 ? 2 : -1;
  return OkStatus();
}

/// Whether the first line of data, which holds `first`, is a header: it names what columns are, or
/// has words where the line behind it has numbers.
bool IsHeader(const TextHead& head, const ReadOptions& options, const ColumnLayout& layout,
              const std::vector<std::string>& first) {
  if (options.header != HeaderMode::kAuto) return options.header == HeaderMode::kYes;
  if (std::any_of(first.begin(), first.end(), LooksNumeric)) return false;
  const auto any_of = [&](std::span<const std::string_view> names) {
    return std::any_of(first.begin(), first.end(),
                       [&](const std::string& field) { return IsOneOf(names, field); });
  };
  if (any_of(kSourceNames) && any_of(kTargetNames)) return true;
  HeadLines lines(head);
  HeadLine line;
  int seen = 0;
  std::vector<std::string> fields;
  while (seen < 2 && lines.Next(&line)) {
    seen += !StripSpace(line.text).empty() && !IsComment(line.text, options.comment);
  }
  return seen == 2 && SplitLine(line.text, layout, &fields) &&
         std::any_of(fields.begin(), fields.end(), LooksNumeric);
}

/// Whether nothing but its place says that the weight column is one.
bool WeightIsGuessed(const ReadOptions& options, const std::vector<std::string>& first, bool header,
                     const ColumnLayout& layout) {
  if (layout.weight < 0 || !options.csv_columns.empty()) return false;
  return !header || !IsOneOf(kWeightNames, first[static_cast<size_t>(layout.weight)]);
}

}  // namespace

LineFormatOr MakeCsvFormat(const TextHead& head, const ReadOptions& options) {
  ColumnLayout layout = BaseLayout(options);
  layout.quotes = true;
  InputInfo info;
  info.body = {head.offset, 1, 0};
  HeadLine first;
  if (!FirstDataLine(head, options.comment, &first)) {
    RETURN_IF_ERROR(DecideNames(head, options, &layout, &info));
    return std::make_unique<ColumnFormat>(head.name, info, std::move(layout));
  }
  layout.delimiter = DetectDelimiter(first.text);
  std::vector<std::string> fields;
  if (!SplitLine(first.text, layout, &fields)) {
    return LineError(head.name,
                     MakeBadLine(first, 0, "a quoted field that does not end on its line",
                                 "close the quote; line ends inside quotes are not read"));
  }
  layout.columns = static_cast<int>(fields.size());
  const bool header = IsHeader(head, options, layout, fields);
  RETURN_IF_ERROR(ChooseColumns(options, fields, header, head.name, &layout));
  if (options.csv_columns.empty()) {
    const bool guessed = WeightIsGuessed(options, fields, header, layout);
    NoteColumns(head.name, layout, fields.size(),
                guessed ? fields[static_cast<size_t>(layout.weight)] : "", &info);
  }
  if (header) {
    HeadLines lines(head);
    HeadLine line;
    while (lines.Next(&line) && line.number < first.number) continue;
    info.body = lines.position();
  }
  RETURN_IF_ERROR(DecideNames(head, options, &layout, &info));
  return std::make_unique<ColumnFormat>(head.name, info, std::move(layout));
}

}  // namespace edgemill

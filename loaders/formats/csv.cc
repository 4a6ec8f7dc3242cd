// CSV: RFC 4180 with any delimiter, with or without a header line.
#include <algorithm>
#include <array>
#include <span>

#include "loaders/formats/formats.h"

namespace edgemill {
namespace {

/// Header names that say what a column holds.
constexpr std::array<std::string_view, 12> kSourceNames = {
    "source", "src",       "from",   "id_1",    "id1",       "node1",
    "node_1", "source_id", "src_id", "from_id", "from_node", "sender"};
constexpr std::array<std::string_view, 13> kTargetNames = {
    "target", "dst",       "dest",   "to",    "id_2",    "id2",     "node2",
    "node_2", "target_id", "dst_id", "to_id", "to_node", "receiver"};
constexpr std::array<std::string_view, 4> kWeightNames = {"weight", "w", "cost", "distance"};
/// So many lines are looked at to tell a header.
constexpr int kHeaderLookLines = 20;

bool IsOneOf(std::span<const std::string_view> names, const std::string& name) {
  return std::find(names.begin(), names.end(), Lower(name)) != names.end();
}

/// The first lines of data as fields.
struct FirstLines {
  HeadLine line;              // the first
  InputPosition begin, next;  // where it begins, and the one behind it
  std::vector<std::string> first;
  std::vector<std::vector<std::string>> rest;

  /// The columns that hold a number in each line of `rest`, of which there are some.
  bool IsNumeric(size_t column) const {
    return !rest.empty() && std::all_of(rest.begin(), rest.end(), [column](const auto& fields) {
      return column < fields.size() && IsNumber(fields[column]);
    });
  }
};

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

Status NeedsColumns(const std::string& name, std::string_view what) {
  return UsageError(
      StrCat(name, ": ", what, ": say with --csv-columns which are source, target and weight"));
}

/// Fills in source, target and weight.
Status ChooseColumns(const ReadOptions& options, const FirstLines& lines, bool header,
                     const std::string& name, ColumnLayout* layout) {
  const std::vector<std::string>& wanted = options.csv_columns;
  const std::vector<std::string>& first = lines.first;
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
  /// Whether a third column without a name that says so may be the weight.
  const auto may_be_weight = [&](size_t column) {
    return header ? lines.IsNumeric(column) : IsNumber(first[column]);
  };
  const int source = find(kSourceNames);
  const int target = find(kTargetNames);
  if (source >= 0 && target >= 0) {
    layout->source = source;
    layout->target = target;
    layout->weight = find(kWeightNames);
    const bool third = first.size() == 3 && source < 2 && target < 2 && may_be_weight(2);
    if (layout->weight < 0 && third) layout->weight = 2;
    return OkStatus();
  }
  if (header && first[0].empty()) {
    return NeedsColumns(name, "the first column has no name (an index of rows?)");
  }
  const bool weighted = first.size() >= 3 && may_be_weight(2);
  const bool three_numbers =
      first.size() > 3 && !header && std::all_of(first.begin(), first.begin() + 3, IsNumber);
  if (first.size() != 2 && (first.size() != 3 || !weighted) && !three_numbers) {
    return NeedsColumns(name, StrCat("has ", first.size(), " columns"));
  }
  layout->weight = first.size() >= 3 ? 2 : -1;
  return OkStatus();
}

/// Whether the first line is a header: it names what columns are, or has a word where all lines
/// behind it have a number.
bool IsHeader(const ReadOptions& options, const FirstLines& lines) {
  if (options.header != HeaderMode::kAuto) return options.header == HeaderMode::kYes;
  const std::vector<std::string>& first = lines.first;
  if (std::any_of(first.begin(), first.end(), IsNumber)) return false;
  const auto any_of = [&](std::span<const std::string_view> names) {
    return std::any_of(first.begin(), first.end(),
                       [&](const std::string& field) { return IsOneOf(names, field); });
  };
  if (any_of(kSourceNames) && any_of(kTargetNames)) return true;
  for (size_t column = 0; column < first.size(); ++column) {
    if (lines.IsNumeric(column)) return true;
  }
  return false;
}

/// Splits the first lines of data; `layout` gets their delimiter. False when there is none.
StatusOr<bool> SplitFirstLines(const TextHead& head, const ReadOptions& options,
                               ColumnLayout* layout, FirstLines* first) {
  HeadLines lines(head);
  HeadLine line;
  std::vector<std::string> fields;
  bool found = false;
  for (InputPosition begin = lines.position(); lines.Next(&line); begin = lines.position()) {
    if (StripSpace(line.text).empty() || IsComment(line.text, options.comment)) continue;
    if (!found) layout->delimiter = DetectDelimiter(line.text);
    const bool splits = SplitLine(line.text, *layout, &fields);
    if (found) {
      if (splits) first->rest.push_back(fields);
      if (first->rest.size() == kHeaderLookLines) break;
      continue;
    }
    if (!splits) {
      return LineError(head.name,
                       MakeBadLine(line, 0, "a quoted field that does not end on its line",
                                   "close the quote; line ends inside quotes are not read"));
    }
    found = true;
    *first = {line, begin, lines.position(), fields, {}};
  }
  return found;
}

/// Notes what was guessed: whether the first line is a header, which column is the weight.
void NoteGuesses(const std::string& name, const ReadOptions& options, const FirstLines& lines,
                 bool header, const ColumnLayout& layout, InputInfo* info) {
  const auto weight = static_cast<size_t>(std::max(layout.weight, 0));
  std::string guessed, title;
  if (options.csv_columns.empty()) {
    if (layout.weight >= 0 && header && !IsOneOf(kWeightNames, lines.first[weight])) {
      title = lines.first[weight];
      guessed = lines.rest.empty() ? title : lines.rest[0][weight];
    }
    if (layout.weight >= 0 && !header) guessed = lines.first[weight];
    NoteColumns(name, layout, lines.first.size(), guessed, title, info);
  }
  if (options.header != HeaderMode::kAuto) return;
  const auto source = static_cast<size_t>(layout.source);
  if (header && !IsOneOf(kSourceNames, lines.first[source])) {
    info->notes.push_back(StrCat(name, ": line ", lines.line.number,
                                 " is taken as the header: --header no takes it as an edge"));
  }
  if (!header && layout.names) {
    info->notes.push_back(StrCat(name, ": line ", lines.line.number,
                                 " is taken as an edge: --header yes if it names the columns"));
  }
}

}  // namespace

LineFormatOr MakeCsvFormat(const TextHead& head, const ReadOptions& options) {
  ColumnLayout layout = BaseLayout(options);
  layout.quotes = true;
  // Behind the first line of data one is data, whatever it begins with.
  layout.comments = !options.comment.empty();
  InputInfo info;
  info.body = {head.offset, 1, 0};
  FirstLines lines;
  ASSIGN_OR_RETURN(const bool any, SplitFirstLines(head, options, &layout, &lines));
  if (!any) {
    layout.comments = true;
    RETURN_IF_ERROR(DecideNames(head, options, &layout, &info));
    return std::make_unique<ColumnFormat>(head.name, info, std::move(layout));
  }
  layout.columns = static_cast<int>(lines.first.size());
  const bool header = IsHeader(options, lines);
  RETURN_IF_ERROR(ChooseColumns(options, lines, header, head.name, &layout));
  if (!layout.keep_weights) layout.weight = -1;
  info.body = header ? lines.next : lines.begin;
  RETURN_IF_ERROR(DecideNames(head, options, &layout, &info));
  NoteGuesses(head.name, options, lines, header, layout, &info);
  return std::make_unique<ColumnFormat>(head.name, info, std::move(layout));
}

}  // namespace edgemill

// CSV: RFC 4180 with any delimiter, with or without a header line.
#include <algorithm>
#include <utility>

#include "loaders/formats/csv_values.h"
#include "loaders/formats/formats.h"
#include "loaders/formats/lines/amount_parser.h"
#include "loaders/formats/lines/header_words.h"
#include "loaders/stream/input_stream.h"

namespace edgemill {
namespace {

/// The number of lines by which a header is detected.
constexpr int kHeaderSampleLines = 20;

/// The delimiter outside of quotes: a tab if the line has one, else a comma, a semicolon, or
/// blanks.
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

/// Sets the delimiter of the options, or else that of the first line of data. UsageError when the
/// line may have a delimiter that is not detected, such as "|".
Status ChooseDelimiter(const TextHead& head, const ReadOptions& options, ColumnLayout* layout) {
  if (!options.delimiter.empty()) {
    layout->delimiter = options.delimiter[0];
    layout->delimiter_rest = options.delimiter.substr(1);
    return OkStatus();
  }
  HeadLine line;
  if (!FirstDataLine(head, options.comment, &line) && !FirstDataLine(head, kNoComments, &line)) {
    return OkStatus();
  }
  layout->delimiter = DetectDelimiter(line.text);
  const std::string_view likely = LikelyDelimiter(line.text);
  if (layout->delimiter != ' ' || likely.empty()) return OkStatus();
  return UsageError(StrCat(head.name, ": line ", line.number, " has '", likely,
                           "': is it between columns? give --delimiter '", likely,
                           "', or --delimiter blanks"));
}

/// Sets source, target and weight as --csv-columns says.
Status ParseColumns(const ReadOptions& options, const FirstLines& lines, const std::string& name,
                    ColumnLayout* layout) {
  const std::vector<std::string>& wanted = options.csv_columns;
  if (wanted.size() < 2 || wanted.size() > 3) {
    return UsageError("--csv-columns takes two or three columns: source,target[,weight]");
  }
  ASSIGN_OR_RETURN(layout->source, FindCsvColumn(wanted[0], lines, "--csv-columns"));
  ASSIGN_OR_RETURN(layout->target, FindCsvColumn(wanted[1], lines, "--csv-columns"));
  if (wanted.size() == 3) {
    ASSIGN_OR_RETURN(layout->weight, FindCsvColumn(wanted[2], lines, "--csv-columns"));
  }
  if (layout->source == layout->target || layout->weight == layout->source ||
      layout->weight == layout->target) {
    return UsageError(StrCat(name, ": --csv-columns names a column twice"));
  }
  return OkStatus();
}

/// Returns an error if the first or second column has times.
Status CheckNoTimes(const FirstLines& lines, const std::string& name) {
  std::vector<LineFields> rows = lines.rest;
  if (!lines.is_header) rows.insert(rows.begin(), lines.first);
  const int time = FindTimeColumn(rows);
  if (time < 0) return OkStatus();
  return NeedsColumns(name, StrCat("column ", time + 1, " looks like a time (",
                                   QuotedText(rows[0][static_cast<size_t>(time)]), ")"));
}

/// Sets source, target and weight.
Status ChooseColumns(const ReadOptions& options, const FirstLines& lines, const std::string& name,
                     ColumnLayout* layout) {
  if (!options.csv_columns.empty()) return ParseColumns(options, lines, name, layout);
  const LineFields& first = lines.first;
  if (IsNeo4jNodeHeader(first, lines.rest)) {
    return UsageError(StrCat(name,
                             ": holds nodes of Neo4j (\":ID\"), not edges: leave it out, or write "
                             "the ids to a file, one a line, for --vertices-file; --csv-columns "
                             "says that lines are edges"));
  }
  const bool header = lines.is_header;
  /// Whether a third column may be the weight, if its name does not say it.
  const auto may_be_weight = [&](size_t column) {
    return header ? !lines.NumberIn(column).empty()
                  : IsAmount(first[column], options.decimal_comma);
  };
  const int source = header ? FindUse(first, ColumnUse::kSource) : -1;
  const int target = header ? FindUse(first, ColumnUse::kTarget) : -1;
  if (source >= 0 && target >= 0) {
    layout->source = source;
    layout->target = target;
    layout->weight = FindUse(first, ColumnUse::kWeight);
    const bool third = first.size() == 3 && source < 2 && target < 2 && may_be_weight(2);
    if (layout->weight < 0 && third) layout->weight = 2;
    const std::string groups =
        TwoIdGroups(first[static_cast<size_t>(source)], first[static_cast<size_t>(target)]);
    if (groups.empty()) return OkStatus();
    return UsageError(StrCat(name, ": ids of two groups, ", groups, ": one id means two vertices: ",
                             "give the groups ids of their own, or say --csv-columns ", source + 1,
                             ",", target + 1, " where both mean the same vertices"));
  }
  if (header && first[0].empty()) {
    return NeedsColumns(name, "the first column has no name (an index of rows?)");
  }
  if (first.size() == 1) {
    return UsageError(StrCat(name, ": line ", lines.line.number, " has one column (",
                             QuotedText(first[0]), "): say with --delimiter what is between ",
                             "columns"));
  }
  RETURN_IF_ERROR(CheckNoTimes(lines, name));
  const bool weighted = first.size() >= 3 && may_be_weight(2);
  const bool three_numbers =
      first.size() > 3 && std::all_of(first.begin(), first.begin() + 3, IsNumber);
  if (first.size() != 2 && (first.size() != 3 || !weighted) && !three_numbers) {
    return NeedsColumns(name, StrCat("has ", first.size(), " columns"));
  }
  layout->weight = first.size() >= 3 ? 2 : -1;
  return OkStatus();
}

/// Whether the first line is a header: it names known columns, or has a word in a column in which
/// all later lines have a number.
bool IsHeader(const ReadOptions& options, const FirstLines& lines) {
  if (options.header != HeaderMode::kAuto) return options.header == HeaderMode::kYes;
  const LineFields& first = lines.first;
  if (NamesColumns(first, options)) return true;
  if (std::any_of(first.begin(), first.end(),
                  [](const std::string& field) { return IsNumber(field) || IsMissing(field); })) {
    return false;
  }
  for (size_t column = 0; column < first.size(); ++column) {
    if (!lines.NumberIn(column).empty()) return true;
  }
  return false;
}

/// Splits the first lines of data, which begin at info.body. Returns false if there is none.
StatusOr<bool> SplitFirstLines(const TextHead& head, const InputInfo& info,
                               const ColumnLayout& layout, FirstLines* first) {
  HeadLines lines(head);
  HeadLine line;
  LineFields fields;
  FieldError error;
  bool found = false;
  for (InputPosition begin = lines.position(); lines.Next(&line); begin = lines.position()) {
    if (line.number < info.body.line || StripSpace(line.text).empty()) continue;
    if (layout.comments && IsComment(line.text, layout.comment)) continue;
    const bool splits = SplitLine(line.text, layout, &fields, &error);
    if (found) {
      if (splits) {
        first->rest.push_back(fields);
        first->numbers.push_back(line.number);
      }
      if (first->rest.size() == kHeaderSampleLines) break;
      continue;
    }
    if (!splits) {
      return LineError(head.name, MakeBadLine(line, error.offset, error.reason, error.advice));
    }
    found = true;
    first->line = line;
    first->begin = begin;
    first->next = lines.position();
    first->first = fields;
  }
  return found;
}

/// Adds notes about guesses: whether the first line is a header, and which column is the weight.
void NoteGuesses(const std::string& name, const ReadOptions& options, const FirstLines& lines,
                 const ColumnLayout& layout, InputInfo* info) {
  const bool header = lines.is_header;
  const auto weight = static_cast<size_t>(std::max(layout.weight, 0));
  std::string guessed, title;
  if (options.csv_columns.empty()) {
    if (layout.weight >= 0 && header && UseOfColumn(lines.first[weight]) != ColumnUse::kWeight) {
      title = lines.first[weight];
      guessed = lines.rest.empty() ? title : lines.NumberIn(weight);
    }
    if (layout.weight >= 0 && !header) guessed = lines.first[weight];
    // With --column, the user has said which of the others are kept.
    LineFields titles;
    if (options.edge_columns.empty()) {
      titles = header ? lines.first : LineFields(lines.first.size());
    }
    NoteColumns(name, layout, titles, {guessed, title}, info);
  }
  if (lines.is_comment) {
    info->notes.push_back(
        StrCat(name, ": the comment before line ", lines.begin.line, " is taken as the header"));
  }
  if (options.header != HeaderMode::kAuto || lines.is_comment) return;
  const auto source = static_cast<size_t>(layout.source);
  if (header && UseOfColumn(lines.first[source]) != ColumnUse::kSource &&
      !NamesColumns(lines.first, options)) {
    info->notes.push_back(StrCat(name, ": line ", lines.line.number,
                                 " is taken as the header: --header no takes it as an edge"));
  }
  if (!header && layout.names) {
    info->notes.push_back(StrCat(name, ": line ", lines.line.number,
                                 " is taken as an edge: --header yes if it names the columns"));
  }
}

/// Whether a quoted field at the front of the text goes over a line end. Then the record has as
/// many columns as the first one; otherwise a quote is only a character.
bool HasQuotedLines(const TextHead& head, const ColumnLayout& layout) {
  if (head.text.find('"') == std::string_view::npos) return false;
  TextHead records = head;
  records.quoted_delimiter = layout.delimiter;
  HeadLines lines(records);
  HeadLine line;
  LineFields fields;
  FieldError error;
  size_t columns = 0;
  while (lines.Next(&line)) {
    if (!SplitLine(line.text, layout, &fields, &error)) continue;
    if (line.text.find(head.line_end) == std::string_view::npos) {
      if (columns == 0) columns = fields.size();
    } else if (columns == 0 || fields.size() == columns) {
      return true;
    }
  }
  return false;
}

/// Returns `given`, without quotes for .tsv files, unless the user chose quotes.
ReadOptions WithQuotes(const std::string& name, const ReadOptions& given) {
  ReadOptions options = given;
  InputCompression compression;
  const bool is_tsv = StripCompression(name, &compression).ends_with(".tsv");
  if (is_tsv && given.quote == QuoteMode::kAuto) options.quote = QuoteMode::kNone;
  return options;
}

/// Takes the columns of a header in an input before this one, unless this one has its own.
void TakeHeaderBefore(ReadOptions* options, FirstLines* lines) {
  if (options->header_columns.empty() || !options->csv_columns.empty()) return;
  if (NamesColumns(lines->first, *options) || IsNeo4jNodeHeader(lines->first, lines->rest)) return;
  options->csv_columns = options->header_columns;
  options->header = HeaderMode::kNo;
  lines->has_header_before = true;
}

/// Sets what a header of Neo4j's means for the inputs after it: if it has no edges below it, these
/// are there. It also replaces a header before it.
void SetColumnsOfNext(const TextHead& head, const ReadOptions& options, const FirstLines& lines,
                      const ColumnLayout& layout, InputInfo* info) {
  if (!options.csv_columns.empty() || !lines.is_header || !IsNeo4jHeader(lines.first)) return;
  const bool alone = head.whole && lines.rest.empty();
  if (!alone && options.header_columns.empty()) return;
  for (const int column : {layout.source, layout.target, layout.weight}) {
    if (column >= 0) info->columns_of_next.push_back(StrCat(column + 1));
  }
  info->only_vertices = alone;
}

}  // namespace

LineFormatOr MakeCsvFormat(const TextHead& given_head, const ReadOptions& given) {
  TextHead head = given_head;
  ReadOptions options = WithQuotes(head.name, given);
  ColumnLayout layout = BaseLayout(options);
  layout.quotes = options.quote != QuoteMode::kNone;
  layout.amounts = true;
  InputInfo info;
  RETURN_IF_ERROR(ChooseDelimiter(head, options, &layout));
  layout.quoted_lines =
      options.quote == QuoteMode::kLines || (layout.quotes && HasQuotedLines(head, layout));
  if (layout.quoted_lines) {
    head.quoted_delimiter = info.quoted_delimiter = layout.delimiter;
    if (options.quote != QuoteMode::kLines) {
      info.notes.push_back(StrCat(head.name, ": quoted fields have line ends in them, and are ",
                                  "read as one: --quote none takes each line by itself"));
    }
  }
  ASSIGN_OR_RETURN(const LineFields titles,
                   DecideComments(head, options, kMaxColumns, &layout, &info));
  // A line after the first line of data is data, even if it begins like a comment.
  layout.comments = !options.comment.empty() || !info.body_is_data;
  FirstLines lines{.name = head.name, .decimal_comma = options.decimal_comma};
  ASSIGN_OR_RETURN(const bool any, SplitFirstLines(head, info, layout, &lines));
  if (!any) {
    RETURN_IF_ERROR(DecideNames(head, options, &layout, &info));
    return std::make_unique<ColumnFormat>(head.name, info, std::move(layout));
  }
  TakeHeaderBefore(&options, &lines);
  lines.is_comment = titles.size() == lines.first.size() && options.header == HeaderMode::kAuto &&
                     !NamesColumns(lines.first, options);
  if (lines.is_comment) lines.TakeTitles(titles);
  if (layout.delimiter == '\t') lines.AddEmptyColumns();
  layout.columns = static_cast<int>(lines.first.size());
  lines.is_header = lines.is_comment || IsHeader(options, lines);
  RETURN_IF_ERROR(ChooseColumns(options, lines, head.name, &layout));
  if (!layout.keep_weights) layout.weight = -1;
  RETURN_IF_ERROR(ChooseCsvValues(options, lines, &layout, &info));
  info.body = lines.is_header ? lines.next : lines.begin;
  RETURN_IF_ERROR(DecideNames(head, options, &layout, &info));
  NoteGuesses(head.name, options, lines, layout, &info);
  SetColumnsOfNext(head, options, lines, layout, &info);
  return std::make_unique<ColumnFormat>(head.name, info, std::move(layout));
}

}  // namespace edgemill

// Edge lists: lines such as "source target" or "source target weight", with blanks between columns.
#include <algorithm>

#include "loaders/formats/formats.h"
#include "loaders/formats/lines/header_words.h"

namespace edgemill {

namespace {

/// The number of lines of data by which the use of columns is decided.
constexpr size_t kColumnsSampleLines = 100;

/// Gets the next line of data, from `body` on. Returns false after the last one.
bool NextRow(const ColumnLayout& layout, const InputPosition& body, HeadLines* lines,
             HeadLine* line) {
  while (lines->Next(line)) {
    const bool is_comment = layout.comments && IsComment(line->text, layout.comment);
    if (line->number >= body.line && !StripSpace(line->text).empty() && !is_comment) return true;
  }
  return false;
}

/// The fields of the first lines of data, from `body` on.
std::vector<LineFields> FirstRows(const TextHead& head, const ColumnLayout& layout,
                                  const InputPosition& body) {
  std::vector<LineFields> rows;
  HeadLines lines(head);
  HeadLine line;
  LineFields fields;
  FieldError error;
  while (rows.size() < kColumnsSampleLines && NextRow(layout, body, &lines, &line)) {
    SplitLine(line.text, layout, &fields, &error);  // the fields before an error are enough
    rows.push_back(fields);
  }
  return rows;
}

/// The use of the third column, if ids are numbers. If it has words in all rows, it is no weight.
ThirdColumn LookAtThird(const std::vector<LineFields>& rows) {
  bool any = false;
  for (const LineFields& row : rows) {
    if (row.size() < 3) continue;
    any |= !IsMissing(row[2]);
    if (MeansWeight(row[2])) return ThirdColumn::kGuessed;
  }
  return any ? ThirdColumn::kIgnored : ThirdColumn::kGuessed;
}

/// Whether all lines have a dictionary after source and target, as NetworkX writes it. Sets
/// `*weighted` if one of the dictionaries has a weight.
bool AreDictionaries(const TextHead& head, const ColumnLayout& layout, const InputPosition& body,
                     bool* weighted) {
  HeadLines lines(head);
  HeadLine line;
  std::string_view weight;
  FieldError error;
  size_t seen = 0;
  *weighted = false;
  while (seen < kColumnsSampleLines && NextRow(layout, body, &lines, &line)) {
    const std::vector<std::string_view> fields = SplitBlanks(line.text, 3);
    if (fields.size() < 3 || !fields[2].starts_with('{')) return false;
    const auto at = static_cast<size_t>(fields[2].data() - line.text.data());
    *weighted |= FindWeight(line.text.substr(at), &weight, &error);
    ++seen;
  }
  return seen > 0;
}

}  // namespace

void ChooseBlankColumns(const TextHead& head, ThirdColumn third, ColumnLayout* layout,
                        InputInfo* info) {
  const std::vector<LineFields> rows = FirstRows(head, *layout, info->body);
  if (rows.empty()) return;
  const LineFields& fields = rows[0];
  bool has_weight = false;
  layout->dictionary =
      third != ThirdColumn::kWeight && AreDictionaries(head, *layout, info->body, &has_weight);
  if (layout->dictionary) {
    layout->columns = 0;
    layout->weight = has_weight && layout->keep_weights ? 2 : -1;
    info->notes.push_back(StrCat(
        head.name, ": of the dictionaries in column 3, ",
        layout->weight >= 0 ? "'weight' is read, other keys are ignored" : "no key is read"));
    return;
  }
  if (third == ThirdColumn::kGuessed && !layout->names) third = LookAtThird(rows);
  const bool weighted =
      third != ThirdColumn::kIgnored && layout->keep_weights && fields.size() >= 3;
  const size_t used = weighted ? 3 : 2;
  layout->weight = weighted ? 2 : -1;
  layout->columns = fields.size() > used ? 0 : static_cast<int>(used);
  const bool guessed = weighted && third == ThirdColumn::kGuessed;
  NoteColumns(head.name, *layout, LineFields(fields.size()), {guessed ? fields[2] : "", ""}, info);
}

namespace {

/// Returns an error if the first or second column has times.
Status CheckNoTimes(const TextHead& head, const ColumnLayout& layout, const InputPosition& body) {
  const std::vector<LineFields> rows = FirstRows(head, layout, body);
  const int time = FindTimeColumn(rows);
  if (time < 0) return OkStatus();
  return NeedsColumns(head.name, StrCat("column ", time + 1, " looks like a time (",
                                        QuotedText(rows[0][static_cast<size_t>(time)]),
                                        "; --format el takes it as an id)"));
}

/// Whether a comment before the first line of data begins with "Undirected graph", as SNAP's do.
bool IsCalledUndirected(const TextHead& head, const std::string& comment) {
  HeadLines lines(head);
  HeadLine line;
  while (lines.Next(&line) && (line.text.empty() || IsComment(line.text, comment))) {
    const size_t word = std::min(line.text.find_first_not_of(" \t#%/"), line.text.size());
    if (Lower(line.text.substr(word, 16)) == "undirected graph") return true;
  }
  return false;
}

}  // namespace

LineFormatOr MakeEdgeListFormat(const TextHead& head, const ReadOptions& options, bool weighted) {
  ColumnLayout layout = BaseLayout(options);
  InputInfo info;
  RETURN_IF_ERROR(DecideComments(head, options, 2, &layout, &info).status());
  RETURN_IF_ERROR(DecideNames(head, options, &layout, &info));
  ChooseBlankColumns(head, weighted ? ThirdColumn::kWeight : ThirdColumn::kGuessed, &layout, &info);
  if (!weighted && options.format == EdgeFormat::kAuto) {
    RETURN_IF_ERROR(CheckNoTimes(head, layout, info.body));
  }
  if (weighted && layout.keep_weights && layout.weight < 0) {
    layout.weight = 2;
    layout.columns = 3;
  }
  info.called_undirected = IsCalledUndirected(head, options.comment);
  return std::make_unique<ColumnFormat>(head.name, info, std::move(layout));
}

}  // namespace edgemill

// Lines at the front of a text that begin like comments. They are comments, or data with names such
// as "#topic" and "//host/share".
#include <algorithm>
#include <utility>

#include "loaders/formats/formats.h"
#include "loaders/formats/lines/header_words.h"

namespace edgemill {
namespace {

/// The number of lines of data by which the kind of the lines before them is decided.
constexpr size_t kFrontSampleLines = 20;

/// A line that begins like a comment.
struct FrontLine {
  HeadLine line;
  InputPosition begin;
  LineFields fields;
};

/// The lines that begin like comments before the first line of data, and the fields of the first
/// lines of data.
struct Front {
  std::vector<FrontLine> comments;
  std::vector<LineFields> data;
  bool has_data = false;
  InputPosition body;  // where data begin
};

/// The length of the comment mark with which `text` begins.
size_t MarkBytes(std::string_view text) { return text.starts_with("//") ? 2 : 1; }

/// Whether `text` begins with the mark of a comment and no blank after it, such as "#topic".
bool BeginsWithCommentMark(std::string_view text) {
  text = StripSpace(text);
  return IsComment(text, "") && text.size() > MarkBytes(text) && !IsBlank(text[MarkBytes(text)]);
}

Front ReadFront(const TextHead& head, const ReadOptions& options, ColumnLayout layout) {
  layout.quotes = options.quote != QuoteMode::kNone;
  Front front;
  HeadLines lines(head);
  FrontLine one;
  FieldError error;
  for (InputPosition begin = lines.position();
       front.data.size() < kFrontSampleLines && lines.Next(&one.line); begin = lines.position()) {
    if (StripSpace(one.line.text).empty()) continue;
    one.begin = begin;
    const bool splits = SplitLine(one.line.text, layout, &one.fields, &error);
    if (!front.has_data && IsComment(one.line.text, options.comment)) {
      front.comments.push_back(one);
      continue;
    }
    if (!std::exchange(front.has_data, true)) front.body = begin;
    if (splits) front.data.push_back(one.fields);
  }
  return front;
}

/// Whether a line could be an edge of names: it has as many columns as the first line of data.
bool MayBeData(const FrontLine& one, size_t columns) {
  return BeginsWithCommentMark(one.line.text) && one.fields.size() == columns;
}

/// Whether one of the ids looks like a name.
bool HasNames(const std::vector<LineFields>& rows, size_t id_columns) {
  for (const LineFields& row : rows) {
    for (size_t i = 0; i < std::min(row.size(), id_columns); ++i) {
      if (LooksLikeName(row[i]) && !IsMissing(row[i])) return true;
    }
  }
  return false;
}

/// Whether a name that is not the first on its line begins like a comment. It cannot be one there.
bool HasMarkedNames(const LineFields& fields, size_t id_columns) {
  for (size_t i = 1; i < std::min(fields.size(), id_columns); ++i) {
    if (BeginsWithCommentMark(fields[i])) return true;
  }
  return false;
}

Status AskForComments(const TextHead& head, const HeadLine& line) {
  const std::string_view text = StripSpace(line.text);
  return UsageError(StrCat(head.name, ":", line.number, ":", line.text.find(text[0]) + 1, ": is ",
                           QuotedText(text), " data or a comment? --comment none reads such lines ",
                           "as data, --comment '", text.substr(0, MarkBytes(text)),
                           "' leaves them out"));
}

}  // namespace

StatusOr<LineFields> DecideComments(const TextHead& head, const ReadOptions& options,
                                    size_t id_columns, ColumnLayout* layout, InputInfo* info) {
  layout->comments = true;
  info->reports_comments = true;
  info->body = head.begin();
  const Front front = ReadFront(head, options, *layout);
  const std::vector<FrontLine>& comments = front.comments;
  if (front.has_data) {
    info->body = front.body;
    info->body_is_data = true;
    info->leading_comments = comments.size();
  }
  const bool may_ask = options.comment.empty() && (front.has_data || head.whole);
  if (comments.empty() || !may_ask) return LineFields{};
  // Some programs write the names of columns in the last comment.
  HeadLine last = comments.back().line;
  last.text = StripSpace(last.text);
  last.text.remove_prefix(std::min(last.text.find_first_not_of("#%/ \t"), last.text.size()));
  LineFields titles;
  FieldError error;
  const bool splits = SplitLine(last.text, *layout, &titles, &error);
  if (splits && front.has_data && NamesColumns(titles, options)) return titles;
  const size_t columns = front.data.empty() ? comments[0].fields.size() : front.data[0].size();
  const auto may_be_data = [&](const FrontLine& one) { return MayBeData(one, columns); };
  const auto first = std::find_if(comments.begin(), comments.end(), may_be_data);
  const bool named =
      options.ids == IdReading::kNames ||
      (options.ids == IdReading::kAuto && (front.data.empty() || HasNames(front.data, id_columns)));
  const bool is_edge = columns > 1 || id_columns == 1;
  if (!named || first == comments.end() || !is_edge) return LineFields{};
  bool marked = false;
  for (const LineFields& row : front.data) marked |= HasMarkedNames(row, id_columns);
  for (auto one = first; one != comments.end(); ++one) {
    marked |= HasMarkedNames(one->fields, id_columns);
  }
  if (!marked || !std::all_of(first, comments.end(), may_be_data)) {
    return AskForComments(head, first->line);
  }
  layout->comments = false;
  info->body = first->begin;
  info->body_is_data = true;
  info->leading_comments = static_cast<uint64_t>(first - comments.begin());
  const std::string_view text = StripSpace(first->line.text);
  info->notes.push_back(StrCat(head.name, ": lines that begin with '",
                               text.substr(0, MarkBytes(text)), "' are taken as edges, not as ",
                               "comments: --comment '", text.substr(0, MarkBytes(text)),
                               "' leaves them out"));
  return LineFields{};
}

}  // namespace edgemill

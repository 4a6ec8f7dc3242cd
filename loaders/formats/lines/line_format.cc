#include "loaders/formats/lines/line_format.h"

#include <algorithm>

#include "loaders/formats/lines/number_parser.h"

namespace edgemill {

bool HeadLines::Next(HeadLine* line) {
  if (at_ >= head_.text.size()) return false;
  size_t next = RecordEnd(head_.text, at_, head_.line_end, head_.quoted_delimiter);
  size_t end = next - 1;
  if (next == std::string_view::npos) {
    if (!head_.whole) return false;
    end = next = head_.text.size();
  }
  std::string_view text = head_.text.substr(at_, end - at_);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) {
    text.remove_suffix(1);
  }
  *line = {text, 0, number_};
  const std::string_view record = head_.text.substr(at_, next - at_);
  const bool is_line = head_.quoted_delimiter == 0;
  number_ += is_line ? 1 : static_cast<uint64_t>(std::ranges::count(record, head_.line_end));
  at_ = next;
  return true;
}

size_t RecordEnd(std::string_view text, size_t at, char line_end, char quoted_delimiter) {
  if (quoted_delimiter == 0) {
    const size_t end = text.find(line_end, at);
    return end == std::string_view::npos ? end : end + 1;
  }
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  bool starts_field = true;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == line_end) return at + 1;
    if (c == '"' && starts_field) {
      // The field ends at a quote that is not doubled.
      for (++at; at < text.size(); ++at) {
        if (text[at] != '"') continue;
        if (at + 1 >= text.size() || text[at + 1] != '"') break;
        ++at;
      }
    }
    const bool delimits = c == quoted_delimiter || (quoted_delimiter == ' ' && is_blank(c));
    starts_field = delimits || (starts_field && is_blank(c));
  }
  return std::string_view::npos;
}

bool IsComment(std::string_view line, const std::string& comment) {
  const size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return false;
  line.remove_prefix(begin);
  if (!comment.empty()) return line.starts_with(comment);
  return line[0] == '#' || line[0] == '%' || line.starts_with("//");
}

std::string PlaceText(const BadLine& bad) {
  if (!bad.place.empty()) return ": " + bad.place;
  return StrCat(":", bad.line, ":", bad.column);
}

Status LineError(std::string_view name, const BadLine& bad) {
  return BadDataError(StrCat(name, PlaceText(bad), ": ", bad.reason, " (", QuotedText(bad.text),
                             "): ", bad.advice))
      .At({.file = std::string(name), .line = bad.line, .column = bad.column});
}

BadLine MakeBadLine(const HeadLine& line, size_t at, std::string reason, std::string advice) {
  return {line.number, line.before + at + 1, std::move(reason), std::move(advice),
          std::string(line.text.substr(0, BadLine::kMaxText))};
}

Status MissingLine(const TextHead& head, const HeadLine& last, std::string_view what,
                   std::string_view advice) {
  if (!head.whole) {
    return BadDataError(StrCat(head.name, ": no ", what, " in the first MiB: leave out comments"));
  }
  return BadDataError(
      StrCat(head.name, ":", last.number, ":", last.text.size() + 1, ": no ", what, ": ", advice));
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::vector<std::string_view> SplitBlanks(std::string_view line, size_t max) {
  std::vector<std::string_view> fields;
  for (size_t at = 0; fields.size() < max;) {
    at = line.find_first_not_of(" \t", at);
    if (at == std::string_view::npos) break;
    const size_t end = std::min(line.find_first_of(" \t", at), line.size());
    fields.push_back(line.substr(at, end - at));
    at = end;
  }
  return fields;
}

}  // namespace edgemill

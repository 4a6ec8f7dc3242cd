#include "loaders/formats/lines/number_line.h"

#include <algorithm>

namespace edgemill {

bool NumberLines::Next(HeadLine* line) {
  if (at_ >= raw_.text.size()) return false;
  const size_t end = std::min(raw_.text.find(raw_.line_end, at_), raw_.text.size());
  std::string_view text = raw_.text.substr(at_, end - at_);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) {
    text.remove_suffix(1);
  }
  fields_before_ = at_ == 0 ? raw_.begin.fields : 0;
  *line = {text, at_ == 0 ? raw_.begin.line_bytes : 0, number_++};
  at_ = end + 1;
  return true;
}

size_t CutNumberLine(std::string_view text, uint64_t head, uint64_t group, InputPosition* at) {
  if (at->fields == kSkippedFields) return SkipLine(text, at);
  const auto is_blank = [&](size_t i) { return text[i] == ' ' || text[i] == '\t'; };
  uint64_t fields = at->fields;
  uint64_t fields_at_cut = fields;
  size_t cut = 0;
  for (size_t i = 0; i < text.size();) {
    while (i < text.size() && is_blank(i)) ++i;
    while (i < text.size() && !is_blank(i)) ++i;
    if (i == text.size()) break;  // the last field may go on
    ++fields;
    if (fields < head || (fields - head) % group != 0) continue;
    cut = i;
    fields_at_cut = fields;
  }
  at->fields = fields_at_cut;
  return cut;
}

std::string_view NextField(const HeadLine& line, size_t* at) {
  const std::string_view text = line.text;
  while (*at < text.size() && IsBlank(text[*at])) ++*at;
  const size_t begin = *at;
  while (*at < text.size() && !IsBlank(text[*at])) ++*at;
  return text.substr(begin, *at - begin);
}

FieldFound ReadId(const HeadLine& line, const IdRange& range, size_t* at, ExternalId* id,
                  BadLine* bad) {
  const std::string_view field = NextField(line, at);
  if (field.empty()) return FieldFound::kEnd;
  const size_t begin = *at - field.size();
  FieldError error;
  if (!ParseId(field, id, &error)) {
    *bad = MakeBadLine(line, begin + error.offset, error.reason, error.advice);
    return FieldFound::kBad;
  }
  if (*id >= range.least && *id <= range.most) return FieldFound::kId;
  *bad = *id < range.least
             ? MakeBadLine(line, begin, "id 0 where ids start from 1",
                           "ids start from 1 in this format, or with --base 1")
             : MakeBadLine(line, begin, "an id above the number of vertices that the file declares",
                           "correct the line or the file's first line");
  return FieldFound::kBad;
}

bool ReadIds(const HeadLine& line, const IdRange& range, std::vector<ExternalId>* ids,
             BadLine* bad) {
  for (size_t at = 0;;) {
    ExternalId id = 0;
    const FieldFound found = ReadId(line, range, &at, &id, bad);
    if (found != FieldFound::kId) return found == FieldFound::kEnd;
    ids->push_back(id);
  }
}

}  // namespace edgemill

#include "loaders/formats/lines/line_parser.h"

#include <algorithm>
#include <utility>

#include "loaders/formats/lines/amount_parser.h"
#include "loaders/formats/lines/value_parser.h"

namespace edgemill {
namespace {

/// Whether a delimiter is at `at`.
bool IsDelimiter(std::string_view line, const ColumnLayout& layout, size_t at) {
  if (layout.delimiter == ' ') return IsBlank(line[at]);
  return line[at] == layout.delimiter && line.substr(at + 1).starts_with(layout.delimiter_rest);
}

size_t FindDelimiter(std::string_view line, const ColumnLayout& layout, size_t at) {
  if (layout.delimiter == ' ') {
    while (at < line.size() && !IsBlank(line[at])) ++at;
    return at;
  }
  while (true) {
    at = std::min(line.find(layout.delimiter, at), line.size());
    if (at == line.size() || line.substr(at + 1).starts_with(layout.delimiter_rest)) return at;
    ++at;
  }
}

/// A field of a line, and where the next one may begin.
struct SplitField {
  size_t at = 0;      // just after the field
  size_t offset = 0;  // where the field begins
  std::string_view text;
  std::string unquoted;  // has the text, if the field has quotes
};

/// Reads the next field, from `field->at` on. Returns false when a quote is not closed or text
/// follows it; then error->offset is in the line.
bool NextField(std::string_view line, const ColumnLayout& layout, SplitField* field,
               FieldError* error) {
  const bool blanks = layout.delimiter == ' ';
  size_t at = field->at;
  while (at < line.size() && IsBlank(line[at]) && (blanks || line[at] != layout.delimiter)) ++at;
  field->offset = at;
  size_t end = at;
  if (layout.quotes && at < line.size() && line[at] == '"') {
    std::string& unquoted = field->unquoted;
    unquoted.clear();
    for (++end;; ++end) {
      if (end >= line.size()) {
        *error = {"a quoted field that does not end on its line",
                  "close the quote, or give --quote lines where quoted fields have line ends in "
                  "them, or --quote none",
                  at};
        return false;
      }
      if (line[end] == '"') {
        if (end + 1 >= line.size() || line[end + 1] != '"') break;
        ++end;
      }
      unquoted += line[end];
    }
    ++end;
    field->text = unquoted;
    while (end < line.size() && IsBlank(line[end]) && !IsDelimiter(line, layout, end)) ++end;
    if (end < line.size() && !IsDelimiter(line, layout, end)) {
      *error = {"text after a closing quote",
                "double the quotes inside a quoted field, or give --quote none where they are text",
                end};
      return false;
    }
    field->at = end;
    return true;
  }
  end = FindDelimiter(line, layout, at);
  std::string_view text = line.substr(at, end - at);
  while (!text.empty() && IsBlank(text.back())) text.remove_suffix(1);
  field->text = text;
  field->at = end;
  return true;
}

}  // namespace

bool SplitLine(std::string_view line, const ColumnLayout& layout, std::vector<std::string>* fields,
               FieldError* error) {
  fields->clear();
  for (SplitField field;; field.at += layout.delimiter_bytes()) {
    if (!NextField(line, layout, &field, error)) return false;
    if (layout.delimiter == ' ' && field.offset >= line.size()) return true;
    fields->emplace_back(field.text);
    if (field.at >= line.size()) return true;
  }
}

int ColumnLayout::last_column() const {
  int last = std::max({source, target, weight});
  for (const CheckedColumn& one : checked) last = std::max(last, one.column);
  return last;
}

LineParser::LineParser(ColumnLayout layout) : layout_(std::move(layout)) {
  for (const char end : {layout_.delimiter, '\n', '\r', '\0'}) {
    ends_name_[static_cast<unsigned char>(end)] = true;
  }
  if (layout_.delimiter == ' ') ends_name_['\t'] = true;
}

bool LineParser::CheckIdRange(ExternalId id, ExternalId max_id, FieldError* error) const {
  if (id < layout_.min_id) {
    *error = {"id 0 where ids start from 1", "ids start from 1 in this format, or with --base 1",
              0};
    return false;
  }
  if (id > max_id) {
    *error = {layout_.max_id == layout_.max_target
                  ? "an id above the number of vertices that the file declares"
                  : "a row or column above the number that the file declares",
              "correct the line or the file's size line", 0};
    return false;
  }
  return true;
}

bool LineParser::ParseWeightField(std::string_view field, Record* record, FieldError* error) const {
  if (layout_.values != ValueKind::kNumber) {
    return ParseValue(field, layout_.text_codes.get(), &record->weight, error);
  }
  const char* const begin = field.data();
  const bool fills = layout_.empty_weight != EmptyWeight::kError;
  if (layout_.dictionary && !FindWeight(field, &field, error)) {
    record->empty_weight = fills && error->missing;
    return record->empty_weight;
  }
  if (fills && (field.empty() || IsMissing(field))) {
    record->empty_weight = true;
    return true;
  }
  const WeightRule rule = layout_.weight_rule();
  const bool good = layout_.amounts
                        ? ParseAmount(field, rule, &record->weight, &record->cleaned_weight, error)
                        : ParseWeight(field, rule, &record->weight, error);
  if (good) return true;
  if (layout_.edge_column) {
    error->advice = kNumbersOnly;
  } else if (field.empty() || IsMissing(field)) {
    error->advice = "give --empty-weight skip or 1, or skip such lines with --bad-lines";
  } else if (layout_.delimiter != ' ' && LooksLikeName(field) && !layout_.amounts) {
    error->advice = "weights are finite decimal numbers; --csv-columns S,T leaves the column out";
  }
  error->offset += static_cast<size_t>(field.data() - begin);
  return false;
}

bool LineParser::CheckBeside(std::string_view field, int column, FieldError* error) const {
  for (const CheckedColumn& checked : layout_.checked) {
    if (checked.column != column) continue;
    double value = 0;
    bool cleaned = false;
    const bool good = checked.values == ValueKind::kNumber
                          ? ParseAmount(field, checked.rule, &value, &cleaned, error)
                          : CheckValue(field, checked.values, error);
    if (!good && checked.values == ValueKind::kNumber) error->advice = kNumbersOnly;
    if (!good) return false;
  }
  return true;
}

bool LineParser::MayEndBefore(int column) const {
  if (layout_.delimiter != '\t' || column <= std::max(layout_.source, layout_.target)) return false;
  if (column <= layout_.weight && layout_.text_codes == nullptr) return false;
  return std::all_of(layout_.checked.begin(), layout_.checked.end(), [&](const auto& checked) {
    return checked.column < column || checked.values == ValueKind::kText;
  });
}

bool LineParser::ParseField(std::string_view field, int column, Record* record,
                            FieldError* error) const {
  if (!layout_.checked.empty() && !CheckBeside(field, column, error)) return false;
  if (column == layout_.weight) {
    return !layout_.keep_weights || ParseWeightField(field, record, error);
  }
  if (column != layout_.source && column != layout_.target) return true;
  if (layout_.names) {
    if (!CheckName(field, error)) return false;
    (column == layout_.source ? record->source_name : record->target_name) = field;
    return true;
  }
  ExternalId id = 0;
  if (!ParseId(field, &id, error)) {
    error->missing = field.empty() || IsMissing(field);
    if (layout_.allows_names && IsMissing(field)) {
      error->reason = "a missing value where an id should be";
      error->advice = "skip such lines with --bad-lines, or give --ids strings if it is a name";
    } else if (layout_.allows_names && LooksLikeName(field)) {
      error->advice = "give --ids strings if ids are names, or skip the line with --bad-lines";
      size_t bad = 0;
      if (!IsUtf8(field, &bad)) {
        *error = {"a name that is not UTF-8",
                  "convert the file first, such as by iconv -f LATIN1 -t UTF-8", bad};
      }
    }
    return false;
  }
  const bool is_source = column == layout_.source;
  if (!CheckIdRange(id, is_source ? layout_.max_id : layout_.max_target, error)) return false;
  if (is_source) record->source = id - layout_.base;
  if (column == layout_.target) record->target = id - layout_.target_base;
  return true;
}

LineParser::Outcome LineParser::SplitAndParse(const HeadLine& line, size_t at, Record* record,
                                              BadLine* bad) const {
  const std::string_view text = line.text;
  const int needed = layout_.last_column() + 1;
  SplitField field{.at = at};
  bool more = true;  // a field must follow: at the start of the line, or after a delimiter
  for (int column = 0;; ++column) {
    FieldError error;
    if (layout_.dictionary && column == layout_.weight) {
      field.offset = std::min(text.find_first_not_of(" \t", field.at), text.size());
      field.text = text.substr(field.offset);
      field.at = text.size();
    } else if (!NextField(text, layout_, &field, &error)) {
      *bad = MakeBadLine(line, error.offset, error.reason, error.advice);
      return Outcome::kBad;
    }
    if (layout_.delimiter == ' ' ? field.offset >= text.size() : !more) {
      // With tabs between columns, empty columns at the end were cut off as trailing blanks.
      const bool exact = layout_.columns > 0 && layout_.delimiter != '\t';
      if (column >= (exact ? layout_.columns : needed)) return Outcome::kRecord;
      const bool weight = column == layout_.weight;
      if (MayEndBefore(column)) {
        if (column > layout_.weight) return Outcome::kRecord;
        ParseValue("", layout_.text_codes.get(), &record->weight, &error);
        return Outcome::kRecord;
      }
      if (weight && layout_.empty_weight != EmptyWeight::kError) {
        record->empty_weight = true;
        return Outcome::kRecord;
      }
      *bad = MakeBadLine(
          line, text.size(), weight ? "a missing weight" : "too few columns",
          StrCat("every line needs ", layout_.columns > 0 ? layout_.columns : needed,
                 layout_.prefix != 0 ? " numbers" : " columns", ", as the first one has"));
      return Outcome::kBad;
    }
    if (layout_.columns > 0 && column >= layout_.columns) {
      *bad = MakeBadLine(line, field.offset, "an extra column",
                         layout_.names && layout_.delimiter == ' '
                             ? "put names with blanks in double quotes"
                             : StrCat("every line has ", layout_.columns,
                                      " here (a decimal comma? another delimiter?)"));
      return Outcome::kBad;
    }
    if (!ParseField(field.text, column, record, &error)) {
      *bad = MakeBadLine(line, field.offset + error.offset, error.reason, error.advice);
      bad->missing = error.missing;
      return Outcome::kBad;
    }
    if (layout_.columns == 0 && column + 1 == needed) return Outcome::kRecord;
    more = field.at < text.size();
    if (more && layout_.delimiter != ' ') field.at += layout_.delimiter_bytes();
  }
}

LineParser::Outcome LineParser::ParseLine(const HeadLine& line, Record* record,
                                          BadLine* bad) const {
  const std::string_view text = line.text;
  size_t at = std::min(text.find_first_not_of(" \t"), text.size());
  if (at == text.size()) return Outcome::kSkip;
  if (layout_.prefix == 0) {
    if (layout_.comments && IsComment(text, layout_.comment)) return Outcome::kSkip;
    return SplitAndParse(line, layout_.delimiter == ' ' ? at : 0, record, bad);
  }
  const bool alone = at + 1 == text.size() || IsBlank(text[at + 1]);
  if (layout_.skipped_letters.find(text[at]) != std::string_view::npos) return Outcome::kSkip;
  if (text[at] != layout_.prefix || !alone) {
    *bad = MakeBadLine(line, at,
                       StrCat("a line that does not begin with '", layout_.prefix, "' or '",
                              layout_.skipped_letters[0], "'"),
                       "correct the line, or skip it with --bad-lines");
    return Outcome::kBad;
  }
  return SplitAndParse(line, std::min(text.find_first_not_of(" \t", at + 1), text.size()), record,
                       bad);
}

bool LineParser::AddLine(const HeadLine& line, Sinks* sinks, ParseResult* result) const {
  Record record;
  BadLine bad;
  const Outcome outcome = ParseLine(line, &record, &bad);
  if (outcome == Outcome::kSkip) {
    InputTotals& totals = result->totals;
    const bool is_blank = line.text.find_first_not_of(" \t") == std::string_view::npos;
    const bool leads = totals.records == 0 && sinks->edges.empty();
    if (!is_blank) ++(leads ? totals.leading_comments : totals.comments);
    return true;
  }
  ++result->totals.records;
  if (outcome == Outcome::kBad) return result->AddBad(std::move(bad));
  if (record.empty_weight) {
    FieldError never;
    TakeEmptyWeight(layout_.empty_weight, &record.weight, &result->totals, &never);
    if (layout_.empty_weight == EmptyWeight::kSkip) return true;
  }
  result->totals.cleaned_weights += record.cleaned_weight;
  if (layout_.vertex_list()) {
    if (sinks->names != nullptr) {
      sinks->names->AddVertex(record.source_name);
    } else {
      sinks->edges.AddVertex(record.source);
    }
    return true;
  }
  if (sinks->names != nullptr) {
    sinks->names->Add(record.source_name, record.target_name);
    result->totals.loops += record.source_name == record.target_name;
  } else {
    sinks->edges.Add(record.source, record.target);
    result->totals.loops += record.source == record.target;
  }
  const bool weighted = layout_.weight >= 0 && layout_.keep_weights;
  if (weighted) sinks->edges.AddWeight(record.weight);
  ++result->totals.edges;
  if (!layout_.is_skew_symmetric || record.source == record.target) return true;
  sinks->edges.Add(record.target, record.source);
  if (weighted) sinks->edges.AddWeight(0 - record.weight);
  ++result->totals.edges;
  return true;
}

}  // namespace edgemill

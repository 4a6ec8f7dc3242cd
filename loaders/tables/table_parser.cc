#include "loaders/tables/table_parser.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "loaders/formats/lines/amount_parser.h"
#include "loaders/formats/lines/value_parser.h"

namespace edgemill {
namespace {

constexpr const char* kSkipRow = "skip such rows with --bad-lines, or leave them out with --sql";
constexpr const char* kIdAdvice = "ids are whole numbers from 0 to 18446744073709551614";

bool Fail(FieldError* error, const char* reason, const char* advice) {
  *error = {reason, advice};
  return false;
}

/// The largest number that may stand in a column of ids. Negative numbers of a signed column are
/// larger, when they are read as unsigned.
uint64_t MaxId(TableValue kind) {
  return kind == TableValue::kSigned ? uint64_t{INT64_MAX} : kMaxExternalId;
}

bool IsNumeric(TableValue kind) {
  return kind == TableValue::kSigned || kind == TableValue::kUnsigned;
}

/// Whether a number is a weight as it is.
bool IsPlain(int64_t weight, const WeightRule& rule) {
  constexpr auto kMost = static_cast<int64_t>(kMaxExactInteger);
  return rule.rounded || (weight >= -kMost && weight <= kMost);
}
bool IsPlain(double weight, const WeightRule& rule) {
  return std::isfinite(weight) && !rule.integer_only;
}

/// Whether a text is a name that needs no further look: printable ASCII of usual length.
bool IsPlainName(std::string_view text) {
  constexpr size_t kPlainBytes = 4096;
  constexpr uint64_t kHighBits = 0x8080808080808080;
  constexpr uint64_t kBlanks = 0x2020202020202020;
  if (text.empty() || text.size() > kPlainBytes) return false;
  // A byte below a blank, or above ASCII, sets its high bit; a borrow from such a byte may set that
  // of the next one.
  uint64_t odd = 0;
  uint64_t word = 0;
  const char* at = text.data();
  size_t left = text.size();
  for (; left >= sizeof(word); left -= sizeof(word), at += sizeof(word)) {
    std::memcpy(&word, at, sizeof(word));
    odd |= word | (word - kBlanks);
  }
  word = kBlanks;
  std::memcpy(&word, at, left);
  odd |= word | (word - kBlanks);
  return (odd & kHighBits) == 0;
}

}  // namespace

TableParser::TableParser(TableLayout layout, const ReadOptions& options,
                         std::vector<uint64_t> group_starts)
    : layout_(std::move(layout)),
      group_starts_(std::move(group_starts)),
      base_(options.base),
      empty_weight_(options.empty_weight) {}

std::string TableParser::PlaceOf(uint64_t row) const {
  const std::string place = StrCat("row ", row + 1);
  if (group_starts_.empty()) return place;
  const auto after = std::upper_bound(group_starts_.begin(), group_starts_.end(), row);
  return StrCat(place, " (row group ", after - group_starts_.begin() - 1, ")");
}

TableParser::Vectors TableParser::VectorsOf(const TableChunk& rows) const {
  int next = 0;
  const auto column = [&]() -> Column {
    const int number = next++;
    return {rows.Values<std::byte>(number), rows.Valid(number)};
  };
  Vectors vectors{.source = column(), .target = column()};
  if (layout_.weighted()) vectors.weight = column();
  for (size_t i = 0; i < layout_.checked.size(); ++i) vectors.checked.push_back(column());
  return vectors;
}

bool TableParser::Parse(const TableChunk& rows, TableSink* sink, ParseResult* result) const {
  const Vectors vectors = VectorsOf(rows);
  if (!layout_.named && IsNumeric(layout_.source_value) && IsNumeric(layout_.target_value) &&
      layout_.weight.value != TableValue::kText && layout_.checked.empty()) {
    return ParseNumbers(vectors, rows.size(), sink, result);
  }
  if (layout_.named && layout_.weight.value != TableValue::kText && layout_.checked.empty()) {
    return ParseNames(vectors, rows.size(), sink, result);
  }
  for (size_t row = 0; row < rows.size(); ++row) {
    if (!AddSlowly(vectors, row, sink, result)) return false;
  }
  return true;
}

bool TableParser::ParseNumbers(const Vectors& vectors, size_t size, TableSink* sink,
                               ParseResult* result) const {
  const uint64_t max_source = MaxId(layout_.source_value) - base_;
  const uint64_t max_target = MaxId(layout_.target_value) - base_;
  const bool integers = layout_.weight.value == TableValue::kSigned;
  const bool weighted = layout_.weighted();
  InputTotals& totals = result->totals;
  for (size_t row = 0; row < size; ++row) {
    const uint64_t source = vectors.source.at<uint64_t>(row) - base_;
    const uint64_t target = vectors.target.at<uint64_t>(row) - base_;
    bool plain = source <= max_source && target <= max_target && vectors.source.has(row) &&
                 vectors.target.has(row);
    double weight = 0;
    if (weighted && plain) {
      plain = vectors.weight.has(row) &&
              (integers ? IsPlain(vectors.weight.at<int64_t>(row), layout_.weight.rule)
                        : IsPlain(vectors.weight.at<double>(row), layout_.weight.rule));
      weight = integers ? static_cast<double>(vectors.weight.at<int64_t>(row))
                        : vectors.weight.at<double>(row);
    }
    if (!plain) [[unlikely]] {
      if (!AddSlowly(vectors, row, sink, result)) return false;
      continue;
    }
    sink->edges.Add(source, target);
    if (weighted) sink->edges.AddWeight(weight);
    totals.loops += source == target;
    ++totals.edges;
    ++totals.records;
    ++sink->row;
  }
  return true;
}

bool TableParser::ReadPlainWeight(const Column& column, size_t row, double* weight) const {
  if (!column.has(row)) return false;
  if (layout_.weight.value == TableValue::kSigned) {
    const int64_t value = column.at<int64_t>(row);
    *weight = static_cast<double>(value);
    return IsPlain(value, layout_.weight.rule);
  }
  *weight = column.at<double>(row);
  return IsPlain(*weight, layout_.weight.rule);
}

bool TableParser::ParseNames(const Vectors& vectors, size_t size, TableSink* sink,
                             ParseResult* result) const {
  InputTotals& totals = result->totals;
  for (size_t row = 0; row < size; ++row) {
    double weight = 0;
    bool plain = vectors.source.has(row) && vectors.target.has(row);
    std::string_view source, target;
    if (plain) {
      source = vectors.source.at<DuckDbString>(row).text();
      target = vectors.target.at<DuckDbString>(row).text();
      plain = IsPlainName(source) && IsPlainName(target);
    }
    if (layout_.weighted()) plain = plain && ReadPlainWeight(vectors.weight, row, &weight);
    if (!plain) [[unlikely]] {
      if (!AddSlowly(vectors, row, sink, result)) return false;
      continue;
    }
    sink->names->Add(source, target);
    if (layout_.weighted()) sink->edges.AddWeight(weight);
    totals.loops += source == target;
    ++totals.edges;
    ++totals.records;
    ++sink->row;
  }
  return true;
}

bool TableParser::ReadId(const Column& column, size_t row, TableValue kind, uint64_t* id,
                         FieldError* error) const {
  if (!column.has(row)) {
    error->missing = true;
    return Fail(error, "no id (NULL, or a number beyond 64 bits)", kSkipRow);
  }
  if (kind == TableValue::kText) {
    if (!ParseId(column.at<DuckDbString>(row).text(), id, error)) return false;
  } else {
    *id = column.at<uint64_t>(row);
    if (*id > MaxId(kind)) {
      return Fail(
          error, kind == TableValue::kSigned ? "a negative id" : "an id above 18446744073709551614",
          kIdAdvice);
    }
  }
  if (*id < base_) return Fail(error, "id 0 where ids start from 1", "leave out --base 1");
  *id -= base_;
  return true;
}

bool TableParser::ReadName(const Column& column, size_t row, std::string_view* name,
                           FieldError* error) const {
  if (!column.has(row)) {
    error->missing = true;
    return Fail(error, "no name (NULL)", kSkipRow);
  }
  *name = column.at<DuckDbString>(row).text();
  return CheckName(*name, error);
}

TableParser::Outcome TableParser::ReadWeight(const Cell& cell, double* weight, ParseResult* result,
                                             FieldError* error) const {
  const auto& [column, row, values] = cell;
  const bool text = values.value == TableValue::kText;
  const bool checked = &values != &layout_.weight;
  if (text && values.kind != ValueKind::kNumber) {
    std::string_view field = column.has(row) ? column.at<DuckDbString>(row).text() : "";
    if (values.kind == ValueKind::kTime) field = StripSpace(field);
    const bool good = checked ? CheckValue(field, values.kind, error)
                              : ParseValue(field, layout_.text_codes.get(), weight, error);
    return good ? Outcome::kGood : Outcome::kBad;
  }
  const std::string_view field =
      text && column.has(row) ? StripSpace(column.at<DuckDbString>(row).text()) : "";
  if (!column.has(row) || (text && (field.empty() || IsMissing(field)))) {
    if (!TakeEmptyWeight(empty_weight_, weight, &result->totals, error)) {
      if (values.edge_column) error->advice = kNumbersOnly;
      return Outcome::kBad;
    }
    return empty_weight_ == EmptyWeight::kSkip ? Outcome::kSkip : Outcome::kGood;
  }
  bool good = false;
  if (text) {
    bool cleaned = false;
    good = ParseAmount(field, values.rule, weight, &cleaned, error);
    if (!checked) result->totals.cleaned_weights += cleaned && good;
  } else if (values.value == TableValue::kSigned) {
    const int64_t value = column.at<int64_t>(row);
    *weight = static_cast<double>(value);
    good = IsPlain(value, values.rule) ||
           Fail(error, "an integer weight beyond 2^53",
                values.rule.integer_only ? "it would not be exact: scale it down"
                                         : "give --weights float, which rounds it");
  } else {
    *weight = column.at<double>(row);
    good = CheckWeight(*weight, values.rule, error);
  }
  if (!good && values.edge_column) error->advice = kNumbersOnly;
  return good ? Outcome::kGood : Outcome::kBad;
}

TableParser::Outcome TableParser::ReadRow(const Vectors& vectors, size_t row, Values* values,
                                          ParseResult* result, BadLine* bad) const {
  FieldError error;
  size_t column = layout_.source;
  bool good = layout_.named
                  ? ReadName(vectors.source, row, &values->source_name, &error)
                  : ReadId(vectors.source, row, layout_.source_value, &values->source, &error);
  if (good) {
    column = layout_.target;
    good = layout_.named
               ? ReadName(vectors.target, row, &values->target_name, &error)
               : ReadId(vectors.target, row, layout_.target_value, &values->target, &error);
  }
  Outcome outcome = good ? Outcome::kGood : Outcome::kBad;
  if (good && layout_.weighted()) {
    column = layout_.weight.column;
    outcome = ReadWeight({vectors.weight, row, layout_.weight}, &values->weight, result, &error);
  }
  for (size_t i = 0; outcome == Outcome::kGood && i < layout_.checked.size(); ++i) {
    double ignored = 0;
    column = layout_.checked[i].column;
    outcome = ReadWeight({vectors.checked[i], row, layout_.checked[i]}, &ignored, result, &error);
  }
  if (outcome != Outcome::kBad) return outcome;
  bad->column = column + 1;
  bad->reason = error.reason;
  bad->advice = error.advice;
  bad->missing = error.missing;
  bad->place = StrCat(", column ", QuotedText(layout_.columns[column].name));
  return outcome;
}

std::string TableParser::TextOf(const Vectors& vectors, size_t row) const {
  const auto text = [&](const Column& column, TableValue kind) -> std::string {
    if (!column.has(row)) return "NULL";
    switch (kind) {
      case TableValue::kSigned:
        return StrCat(column.at<int64_t>(row));
      case TableValue::kUnsigned:
        return StrCat(column.at<uint64_t>(row));
      case TableValue::kReal:
        return StrCat(column.at<double>(row));
      default:
        return std::string(column.at<DuckDbString>(row).text());
    }
  };
  std::string all = StrCat(text(vectors.source, layout_.source_value), ", ",
                           text(vectors.target, layout_.target_value));
  if (layout_.weighted()) all += ", " + text(vectors.weight, layout_.weight.value);
  return all.substr(0, BadLine::kMaxText);
}

bool TableParser::AddSlowly(const Vectors& vectors, size_t row, TableSink* sink,
                            ParseResult* result) const {
  Values values;
  BadLine bad;
  const uint64_t number = sink->row++;
  ++result->totals.records;
  const Outcome outcome = ReadRow(vectors, row, &values, result, &bad);
  if (outcome == Outcome::kSkip) return true;
  if (outcome == Outcome::kBad) {
    bad.line = number + 1;
    bad.text = TextOf(vectors, row);
    bad.place = PlaceOf(number) + bad.place;
    return result->AddBad(std::move(bad));
  }
  if (sink->names.has_value()) {
    sink->names->Add(values.source_name, values.target_name);
    result->totals.loops += values.source_name == values.target_name;
  } else {
    sink->edges.Add(values.source, values.target);
    result->totals.loops += values.source == values.target;
  }
  if (layout_.weighted()) sink->edges.AddWeight(values.weight);
  ++result->totals.edges;
  return true;
}

}  // namespace edgemill

#include "loaders/formats/csv_values.h"

#include <algorithm>
#include <utility>

#include "loaders/formats/lines/amount_parser.h"
#include "loaders/formats/lines/name_parser.h"
#include "loaders/formats/lines/value_parser.h"

namespace edgemill {
namespace {

/// What the values of an edge column are. Says in `info` why they are texts, if others in the
/// column are not.
ValueKind DecideKind(const EdgeColumnChoice& choice, size_t column, const FirstLines& lines,
                     const ReadOptions& options, InputInfo* info) {
  std::vector<LineFields> rows = lines.rest;
  std::vector<uint64_t> numbers = lines.numbers;
  if (!lines.is_header) {
    rows.insert(rows.begin(), lines.first);
    numbers.insert(numbers.begin(), lines.line.number);
  }
  // If bad lines are allowed, another kind of value in a later line is taken as an error.
  const bool only_first = options.max_bad_lines > 0;
  const SeenValues seen = SeenInColumn(rows, column, lines.decimal_comma, only_first);
  if (choice.type == EdgeColumnType::kAuto && seen.odd_row.has_value()) {
    const std::string title = lines.is_header ? lines.first[column] : choice.name;
    info->notes.push_back(
        StrCat(lines.name, ": column ", QuotedText(title), " is kept as texts, since ",
               QuotedText(rows[*seen.odd_row][column]), " in line ", numbers[*seen.odd_row],
               " is no ", seen.others,
               ", as others are: ", "--column NAME:TYPE, with --bad-lines, leaves such lines out"));
  }
  return KindOfValues(choice.type, seen.kind);
}

}  // namespace

void FirstLines::AddEmptyColumns() {
  size_t columns = first.size();
  for (const LineFields& fields : rest) columns = std::max(columns, fields.size());
  first.resize(columns);
  for (LineFields& fields : rest) fields.resize(columns);
}

std::string FirstLines::NumberIn(size_t column) const {
  std::string number;
  for (const LineFields& fields : rest) {
    if (column >= fields.size()) return {};
    const std::string& field = fields[column];
    if (field.empty() || IsMissing(field)) continue;
    if (!IsAmount(field, decimal_comma)) return {};
    if (number.empty()) number = field;
  }
  return number;
}

void FirstLines::TakeTitles(const LineFields& titles) {
  rest.insert(rest.begin(), std::exchange(first, titles));
  numbers.insert(numbers.begin(), line.number);
  next = begin;
}

StatusOr<int> FindCsvColumn(const std::string& wanted, const FirstLines& lines,
                            std::string_view option) {
  const std::string& name = lines.name;
  const LineFields& first = lines.first;
  if (lines.is_header) {
    ASSIGN_OR_RETURN(const size_t column, ColumnCalled(name, first, wanted, option));
    return static_cast<int>(column);
  }
  uint64_t number = 0;
  if (ParseNumber(wanted, &number) && number >= 1 && number <= first.size()) {
    return static_cast<int>(number) - 1;
  }
  if (lines.has_header_before) {
    return UsageError(StrCat(name, ": has ", first.size(), " columns, and the header in the input ",
                             "before it names column ", wanted, ": is it CSV of that header?"));
  }
  return UsageError(StrCat(name, ": there is no column '", wanted, "' among ", first.size(),
                           " (there is no header line: give numbers from 1): correct ", option));
}

Status ChooseCsvValues(const ReadOptions& options, const FirstLines& lines, ColumnLayout* layout,
                       InputInfo* info) {
  const int weight = layout->weight;
  const bool checks = options.max_bad_lines > 0;
  for (size_t i = 0; i < options.edge_columns.size(); ++i) {
    const EdgeColumnChoice& choice = options.edge_columns[i];
    ASSIGN_OR_RETURN(const int column, FindCsvColumn(choice.name, lines, "--column"));
    if (column == layout->source || column == layout->target) {
      return UsageError(StrCat(lines.name, ": --column ", choice.name,
                               " is the source or the target: ", "leave it out"));
    }
    const ValueKind kind = DecideKind(choice, static_cast<size_t>(column), lines, options, info);
    if (options.edge_column != i) {
      if (!options.edge_column.has_value()) layout->kept.push_back(column);
      const WeightRule rule = RuleOfMode(WeightModeOf(choice.type), options.decimal_comma);
      if (checks) layout->checked.push_back({column, kind, rule});
      continue;
    }
    layout->weight = column;
    layout->edge_column = true;
    layout->values = info->values = kind;
    layout->text_codes = kind == ValueKind::kText ? options.text_codes : nullptr;
    info->value_name = lines.is_header ? lines.first[static_cast<size_t>(column)] : choice.name;
  }
  const bool weighted = weight >= 0 && options.weights_beside != WeightMode::kNone;
  if (checks && options.edge_column.has_value() && weighted) {
    layout->checked.push_back(
        {weight, ValueKind::kNumber, RuleOfMode(options.weights_beside, options.decimal_comma)});
  }
  return OkStatus();
}

}  // namespace edgemill

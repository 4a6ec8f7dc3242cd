#include "loaders/tables/table_columns.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "common/strings.h"
#include "loaders/formats/lines/amount_parser.h"
#include "loaders/formats/lines/header_words.h"
#include "loaders/formats/lines/line_format.h"
#include "loaders/tables/table_engine.h"

namespace edgemill {
namespace {

/// What a type of DuckDB is for edges.
enum class Kind { kInteger, kUnsigned, kHuge, kReal, kText, kOther };

Kind KindOf(std::string_view type) {
  using Word = std::pair<std::string_view, Kind>;
  constexpr std::array<Word, 15> kTypes = {{{"TINYINT", Kind::kInteger},
                                            {"SMALLINT", Kind::kInteger},
                                            {"INTEGER", Kind::kInteger},
                                            {"BIGINT", Kind::kInteger},
                                            {"UTINYINT", Kind::kUnsigned},
                                            {"USMALLINT", Kind::kUnsigned},
                                            {"UINTEGER", Kind::kUnsigned},
                                            {"UBIGINT", Kind::kUnsigned},
                                            {"HUGEINT", Kind::kHuge},
                                            {"UHUGEINT", Kind::kHuge},
                                            {"BIGNUM", Kind::kHuge},
                                            {"FLOAT", Kind::kReal},
                                            {"DOUBLE", Kind::kReal},
                                            {"VARCHAR", Kind::kText},
                                            {"UUID", Kind::kText}}};
  const auto found = std::find_if(kTypes.begin(), kTypes.end(),
                                  [&](const Word& word) { return word.first == type; });
  if (found != kTypes.end()) return found->second;
  if (type.ends_with(']')) return Kind::kOther;  // a list
  if (type.starts_with("DECIMAL")) return type.ends_with(",0)") ? Kind::kHuge : Kind::kReal;
  return type.starts_with("ENUM") ? Kind::kText : Kind::kOther;
}

std::vector<std::string> NamesOf(const std::vector<TableColumn>& columns) {
  std::vector<std::string> names;
  for (const TableColumn& column : columns) names.push_back(column.name);
  return names;
}

/// The numbers of the columns for source, target and perhaps weight.
using Chosen = std::vector<size_t>;

StatusOr<Chosen> ChosenByOption(const std::string& name, const std::vector<TableColumn>& columns,
                                const ReadOptions& options) {
  Chosen chosen;
  for (const std::string& wanted : options.csv_columns) {
    ASSIGN_OR_RETURN(const size_t column,
                     ColumnCalled(name, NamesOf(columns), wanted, "--csv-columns"));
    if (std::find(chosen.begin(), chosen.end(), column) != chosen.end()) {
      return UsageError(StrCat(name, ": --csv-columns names a column twice"));
    }
    chosen.push_back(column);
  }
  if (chosen.size() >= 2 && chosen.size() <= 3) return chosen;
  return UsageError("--csv-columns takes two or three columns: source,target[,weight]");
}

/// Chooses by names and places. Sets `*guessed` when a weight is taken only for its place.
StatusOr<Chosen> ChosenByNames(const std::string& name, const std::vector<TableColumn>& columns,
                               bool* guessed) {
  std::vector<std::string> titles;
  for (const TableColumn& column : columns) titles.push_back(column.name);
  const int source = FindUse(titles, ColumnUse::kSource);
  const int target = FindUse(titles, ColumnUse::kTarget);
  const int weight = FindUse(titles, ColumnUse::kWeight);
  const auto is_number = [&](size_t column) {
    const Kind kind = KindOf(columns[column].type);
    return kind != Kind::kText && kind != Kind::kOther;
  };
  Chosen chosen = {0, 1};
  if (source >= 0 && target >= 0) {
    chosen = {static_cast<size_t>(source), static_cast<size_t>(target)};
    if (weight >= 0) chosen.push_back(static_cast<size_t>(weight));
  } else if (columns.size() < 2 || columns.size() > 3) {
    return NeedsColumns(
        name, StrCat("has ", columns.size(), columns.size() == 1 ? " column (" : " columns (",
                     ListedColumns(NamesOf(columns)), ")"));
  }
  const bool third = columns.size() == 3 && chosen.size() == 2 && chosen[0] < 2 && chosen[1] < 2;
  if (!third) return chosen;
  if (is_number(2)) {
    chosen.push_back(2);
    *guessed = true;
  } else if (source < 0 || target < 0) {
    return NeedsColumns(name, StrCat("the third of its columns (", ListedColumns(NamesOf(columns)),
                                     ") holds ", columns[2].type));
  }
  return chosen;
}

Status BadType(const std::string& name, const TableColumn& column, std::string_view what) {
  return BadDataError(StrCat(name, ": column ", QuotedText(column.name), " holds ", column.type,
                             ", which is no ", what,
                             ": name other columns with --csv-columns, or cast it with --sql"));
}

std::string Cast(const TableColumn& column, std::string_view type, bool tries = false) {
  return StrCat(tries ? "TRY_CAST(" : "CAST(", SqlName(column.name), " AS ", type, ")");
}

/// Adds the cast of a column of ids. Sets how its values are read.
Status AddId(const std::string& name, const TableColumn& column, TableLayout* layout,
             TableValue* value) {
  const Kind kind = KindOf(column.type);
  if (kind == Kind::kOther || kind == Kind::kReal) {
    return BadType(name, column, kind == Kind::kReal ? "id" : "id and no name");
  }
  if (!layout->select.empty()) layout->select += ", ";
  if (layout->named || kind == Kind::kText) {
    *value = TableValue::kText;
    layout->select += Cast(column, "VARCHAR");
  } else if (kind == Kind::kInteger) {
    *value = TableValue::kSigned;
    layout->select += Cast(column, "BIGINT");
  } else {
    *value = TableValue::kUnsigned;
    layout->select += Cast(column, "UBIGINT", /*tries=*/kind == Kind::kHuge);
  }
  return OkStatus();
}

/// Adds the cast of a column of numbers. Sets how its values are read.
Status AddNumbers(const std::string& name, const TableColumn& column, WeightMode mode,
                  TableLayout* layout, TableValues* values) {
  const Kind kind = KindOf(column.type);
  if (kind == Kind::kOther) return BadType(name, column, "weight");
  TableValue& value = values->value;
  const bool is_large = kind == Kind::kUnsigned || kind == Kind::kHuge;
  std::string cast;
  if (kind == Kind::kText) {
    value = TableValue::kText;
    cast = Cast(column, "VARCHAR");
  } else if (kind == Kind::kReal || (is_large && mode == WeightMode::kFloat)) {
    value = TableValue::kReal;
    cast = Cast(column, "DOUBLE");
  } else {
    value = TableValue::kSigned;
    // Beyond 2^53 all integers are refused alike: one beyond stands for those that an int64_t does
    // not hold.
    const std::string column_name = SqlName(column.name);
    cast = is_large ? StrCat("CAST(CASE WHEN ", column_name, " > 9007199254740992 THEN ",
                             "9007199254740993 WHEN ", column_name, " < -9007199254740992 THEN ",
                             "-9007199254740993 ELSE ", column_name, " END AS BIGINT)")
                    : Cast(column, "BIGINT");
  }
  layout->select += ", " + cast;
  return OkStatus();
}

bool IsTime(std::string_view type) { return type == "DATE" || type.starts_with("TIMESTAMP"); }

/// Adds the cast of an edge column. Sets how its values are read.
Status AddValues(const std::string& name, const TableColumn& column, const EdgeColumnChoice& choice,
                 TableLayout* layout, TableValues* values) {
  const Kind kind = KindOf(column.type);
  const bool is_time = IsTime(column.type);
  values->edge_column = true;
  values->kind = KindOfValues(choice.type, is_time               ? ValueKind::kTime
                                           : kind == Kind::kText ? ValueKind::kText
                                                                 : ValueKind::kNumber);
  if (values->kind == ValueKind::kNumber) {
    return AddNumbers(name, column, WeightModeOf(choice.type), layout, values);
  }
  if (values->kind == ValueKind::kTime && is_time) {
    values->value = TableValue::kSigned;
    // A time with a time zone is an instant, which a cast would make a local time.
    const bool instant = column.type == "TIMESTAMP WITH TIME ZONE";
    layout->select +=
        StrCat(", epoch_us(", instant ? SqlName(column.name) : Cast(column, "TIMESTAMP"), ")");
    return OkStatus();
  }
  if (values->kind == ValueKind::kTime && kind != Kind::kText) {
    return BadType(name, column, "time");
  }
  values->value = TableValue::kText;
  // A missing text is an empty one.
  layout->select += values->kind == ValueKind::kText
                        ? StrCat(", COALESCE(", Cast(column, "VARCHAR"), ", '')")
                        : StrCat(", ", Cast(column, "VARCHAR"));
  return OkStatus();
}

/// The columns of a table, and what is asked of them.
struct TableRequest {
  const std::string& name;
  const std::vector<TableColumn>& columns;
  const ReadOptions& options;
};

/// Adds the cast of the column of weights.
Status AddWeights(const TableRequest& request, size_t column, WeightMode mode, TableLayout* layout,
                  TableValues* values) {
  values->column = column;
  values->rule = RuleOfMode(mode, request.options.decimal_comma);
  return AddNumbers(request.name, request.columns[column], mode, layout, values);
}

/// Finds the edge columns of the options. The one that options.edge_column names, if any, is read
/// in the place of the weight. If bad rows are skipped, each pass checks the values of all passes,
/// `weight` too, so that all leave out the same rows.
Status AddEdgeColumns(const TableRequest& request, std::optional<size_t> weight,
                      TableLayout* layout, InputInfo* info, std::vector<size_t>* kept) {
  const auto& [name, columns, options] = request;
  const auto add = [&request, layout, kept](size_t i, TableValues* values) {
    const auto& [name, columns, options] = request;
    const EdgeColumnChoice& choice = options.edge_columns[i];
    values->column = (*kept)[i];
    values->rule = RuleOfMode(WeightModeOf(choice.type), options.decimal_comma);
    return AddValues(name, columns[values->column], choice, layout, values);
  };
  for (const EdgeColumnChoice& choice : options.edge_columns) {
    ASSIGN_OR_RETURN(const size_t column,
                     ColumnCalled(name, NamesOf(columns), choice.name, "--column"));
    if (column == layout->source || column == layout->target) {
      return UsageError(StrCat(name, ": --column ", choice.name,
                               " is the source or the target: ", "leave it out"));
    }
    kept->push_back(column);
  }
  if (options.edge_column.has_value()) {
    RETURN_IF_ERROR(add(*options.edge_column, &layout->weight));
    info->values = layout->weight.kind;
    info->value_name = columns[layout->weight.column].name;
    if (info->values == ValueKind::kText) layout->text_codes = options.text_codes;
  }
  if (options.max_bad_lines == 0) return OkStatus();
  for (size_t i = 0; i < options.edge_columns.size(); ++i) {
    if (options.edge_column != i) RETURN_IF_ERROR(add(i, &layout->checked.emplace_back()));
  }
  const WeightMode mode = options.weights_beside;
  if (!options.edge_column.has_value() || !weight.has_value() || mode == WeightMode::kNone) {
    return OkStatus();
  }
  return AddWeights(request, *weight, mode, layout, &layout->checked.emplace_back());
}

}  // namespace

StatusOr<TableLayout> ChooseTableColumns(const std::string& name, std::vector<TableColumn> columns,
                                         const ReadOptions& options, InputInfo* info) {
  bool guessed = false;
  ASSIGN_OR_RETURN(const Chosen chosen, options.csv_columns.empty()
                                            ? ChosenByNames(name, columns, &guessed)
                                            : ChosenByOption(name, columns, options));
  TableLayout layout;
  layout.source = chosen[0];
  layout.target = chosen[1];
  const TableColumn& source = columns[chosen[0]];
  const TableColumn& target = columns[chosen[1]];
  const bool source_text = KindOf(source.type) == Kind::kText;
  const bool has_text = source_text || KindOf(target.type) == Kind::kText;
  layout.named = options.ids == IdReading::kNames || (has_text && options.ids == IdReading::kAuto);
  if (layout.named && options.base > 0) {
    return UsageError(StrCat(name, ": --base is for ids that are numbers, these are names"));
  }
  RETURN_IF_ERROR(AddId(name, source, &layout, &layout.source_value));
  RETURN_IF_ERROR(AddId(name, target, &layout, &layout.target_value));
  const TableRequest request = {name, columns, options};
  std::optional<size_t> weight;
  if (chosen.size() == 3) weight = chosen[2];
  if (!options.edge_column.has_value() && weight.has_value() &&
      options.weights != WeightMode::kNone) {
    RETURN_IF_ERROR(AddWeights(request, *weight, options.weights, &layout, &layout.weight));
  }
  std::vector<size_t> kept;  // edge columns
  RETURN_IF_ERROR(AddEdgeColumns(request, weight, &layout, info, &kept));
  info->named = layout.named;
  if (layout.named && options.ids == IdReading::kAuto) {
    const TableColumn& text = source_text ? source : target;
    info->named_because =
        StrCat(name, ": ids are names (column ", QuotedText(text.name), " holds ", text.type, ")");
  }
  info->weighted = layout.weighted();
  info->integer_weights = layout.weight.value == TableValue::kSigned;
  info->min_id = options.base;
  info->body.line = 0;
  for (size_t i = 0; i < columns.size(); ++i) {
    const bool keeps = std::find(kept.begin(), kept.end(), i) != kept.end();
    info->columns.push_back(i == layout.source                               ? "source"
                            : i == layout.target                             ? "target"
                            : layout.weighted() && i == layout.weight.column ? "weight"
                            : keeps                                          ? "kept"
                                                                             : "ignored");
  }
  if (options.csv_columns.empty() && options.edge_columns.empty()) {
    std::vector<std::string> ignored;
    for (size_t i = 0; i < columns.size(); ++i) {
      if (info->columns[i] == "ignored") ignored.push_back(columns[i].name);
    }
    if (!ignored.empty()) {
      info->notes.push_back(StrCat(name, ignored.size() == 1 ? ": column " : ": columns ",
                                   ListedColumns(ignored),
                                   ignored.size() == 1 ? " is ignored" : " are ignored"));
    }
  }
  if (guessed && layout.weighted()) {
    info->notes.push_back(StrCat(name, ": column ", QuotedText(columns[layout.weight.column].name),
                                 " is taken as the weight: --weights none leaves it out"));
  }
  layout.columns = std::move(columns);
  return layout;
}

}  // namespace edgemill

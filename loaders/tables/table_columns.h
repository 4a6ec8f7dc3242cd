// Which columns of a table are source, target and weight, and how their values become edges.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/status.h"
#include "loaders/formats/lines/number_parser.h"
#include "loaders/options/read_options.h"
#include "loaders/source/input.h"

namespace edgemill {

/// A column as DuckDB describes it: its name and its type, such as "DECIMAL(18,2)".
struct TableColumn {
  std::string name;
  std::string type;
};

/// How a column's values are read.
enum class TableValue {
  kNone,      // there is no such column
  kSigned,    // int64_t
  kUnsigned,  // uint64_t
  kReal,      // double
  kText,      // DuckDbString
};

/// How the values of a column are read as weights, or as an edge column.
struct TableValues {
  size_t column = 0;
  TableValue value = TableValue::kNone;
  bool edge_column = false;
  ValueKind kind = ValueKind::kNumber;
  WeightRule rule;  // of numbers
};

/// The columns of an input, and the casts that make values of few types of them.
struct TableLayout {
  std::vector<TableColumn> columns;
  size_t source = 0;
  size_t target = 1;
  TableValue source_value = TableValue::kNone;
  TableValue target_value = TableValue::kNone;
  TableValues weight;  // or the values of an edge column
  std::shared_ptr<TextCodes> text_codes;
  /// Columns of other passes, in which a bad value makes a row bad.
  std::vector<TableValues> checked;
  bool named = false;
  /// "CAST(...), CAST(...)": source, target, perhaps weight, and the columns that are checked.
  std::string select;

  bool weighted() const { return weight.value != TableValue::kNone; }
};

/// Chooses the columns by --csv-columns, else by their names, else by their places, as in CSV with
/// a header. Sets what `info` says of the input. UsageError when --csv-columns is wrong, or is
/// needed but missing. BadDataError when a column has a type that is no id or weight.
StatusOr<TableLayout> ChooseTableColumns(const std::string& name, std::vector<TableColumn> columns,
                                         const ReadOptions& options, InputInfo* info);

}  // namespace edgemill

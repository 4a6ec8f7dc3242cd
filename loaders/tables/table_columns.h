// Which columns of a table are source, target and weight, and how their values become edges.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/status.h"
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

/// The columns of an input, and the casts that make values of few types of them.
struct TableLayout {
  std::vector<TableColumn> columns;
  size_t source = 0;
  size_t target = 1;
  size_t weight = 0;  // if weight_value is not kNone
  TableValue source_value = TableValue::kNone;
  TableValue target_value = TableValue::kNone;
  TableValue weight_value = TableValue::kNone;
  /// What the weights mean, which may stand for an edge column's values.
  bool edge_column = false;  // the weights are an edge column's values
  ValueKind values = ValueKind::kNumber;
  std::shared_ptr<TextCodes> text_codes;
  bool named = false;
  std::string select;  // "CAST(...), CAST(...)": source, target and perhaps weight

  bool weighted() const { return weight_value != TableValue::kNone; }
};

/// Chooses the columns by --csv-columns, else by their names, else by their places, as in CSV with
/// a header. Sets what `info` says of the input. UsageError when --csv-columns is wrong, or is
/// needed but missing. BadDataError when a column has a type that is no id or weight.
StatusOr<TableLayout> ChooseTableColumns(const std::string& name, std::vector<TableColumn> columns,
                                         const ReadOptions& options, InputInfo* info);

}  // namespace edgemill

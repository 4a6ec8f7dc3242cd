// The first lines of CSV, and the columns in them that options name: edge columns above all.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/status.h"
#include "loaders/formats/lines/header_words.h"
#include "loaders/formats/lines/line_format.h"
#include "loaders/formats/lines/line_parser.h"
#include "loaders/source/input.h"

namespace edgemill {

/// The fields of the first lines of data.
struct FirstLines {
  std::string name;           // of the input
  HeadLine line;              // the first line
  InputPosition begin, next;  // where the first line begins, and where the next one does
  LineFields first;
  std::vector<LineFields> rest;
  std::vector<uint64_t> numbers;   // of the lines in `rest`
  bool is_comment = false;         // `first` has column names from a comment; `rest` has all lines
  bool is_header = false;          // `first` names the columns
  bool has_header_before = false;  // in another input
  bool decimal_comma = false;

  /// Adds empty columns, so that all lines have as many as the longest. With tabs between columns,
  /// empty columns at the end of a line are blanks, which were cut off.
  void AddEmptyColumns();
  /// The first number in a column of numbers, of which some may be missing; empty if the column has
  /// no number or other values.
  std::string NumberIn(size_t column) const;
  /// Makes `first` a line of data with these names of columns.
  void TakeTitles(const LineFields& titles);
};

/// The column (from 0) that `wanted`, a name or a number from 1, means. `option` gave it.
StatusOr<int> FindCsvColumn(const std::string& wanted, const FirstLines& lines,
                            std::string_view option);

/// Finds the edge columns of the options. Puts the one that options.edge_column names, if any, in
/// the place of the weight, and says in `info` what its values are. If bad lines are skipped, each
/// pass checks the values of all passes, so that all leave out the same lines.
Status ChooseCsvValues(const ReadOptions& options, const FirstLines& lines, ColumnLayout* layout,
                       InputInfo* info);

}  // namespace edgemill

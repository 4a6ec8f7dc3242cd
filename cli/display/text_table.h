// Tables for people, with columns as wide as their cells.
#pragma once

#include <string>
#include <vector>

namespace edgemill::cli {

/// Rows of cells. The first `left_columns` columns are aligned left, the others right.
class TextTable {
 public:
  TextTable(std::vector<std::string> header, size_t left_columns)
      : left_columns_(left_columns), rows_{std::move(header)} {}
  /// Adds a row with at most as many cells as the header has.
  void Add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  /// The lines, with two spaces between columns and none at line ends.
  std::string Text() const;

 private:
  const size_t left_columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace edgemill::cli

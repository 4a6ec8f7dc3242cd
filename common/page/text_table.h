// Tables for people: as text with aligned columns, as Markdown, and for HTML pages.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace edgemill {

/// Rows of cells under a header. Columns before `left_columns` align left, the others right.
class TextTable {
 public:
  TextTable(std::vector<std::string> header, size_t left_columns)
      : left_columns_(left_columns), rows_{std::move(header)} {}
  /// Adds a row with at most as many cells as the header has.
  void Add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  /// The number of rows without the header.
  size_t size() const { return rows_.size() - 1; }
  /// The lines, with two spaces between columns and none at line ends.
  std::string Text() const;
  /// The table as GitHub writes it.
  std::string Markdown() const;
  /// A <table> element.
  std::string Html() const;

 private:
  const size_t left_columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// `text` for a line of Markdown: characters that would begin markup have a backslash.
std::string EscapeMarkdown(std::string_view text);

}  // namespace edgemill

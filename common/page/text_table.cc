#include "common/page/text_table.h"

#include <algorithm>

#include "common/page/markup.h"
#include "common/strings.h"

namespace edgemill {

std::string TextTable::Text() const {
  std::vector<size_t> widths(rows_[0].size());
  for (const std::vector<std::string>& row : rows_) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const std::vector<std::string>& row : rows_) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string space(widths[i] - row[i].size(), ' ');
      if (i > 0) line += "  ";
      line += i < left_columns_ ? row[i] + space : space + row[i];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string EscapeMarkdown(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (std::string_view("|\\`*_<>[]~#&").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c == '\n' ? ' ' : c;
  }
  return escaped;
}

std::string TextTable::Markdown() const {
  std::string text;
  for (size_t r = 0; r < rows_.size(); ++r) {
    text += "|";
    for (size_t i = 0; i < rows_[0].size(); ++i) {
      text += StrCat(" ", i < rows_[r].size() ? EscapeMarkdown(rows_[r][i]) : "", " |");
    }
    text += "\n";
    if (r > 0) continue;
    text += "|";
    for (size_t i = 0; i < rows_[0].size(); ++i) text += i < left_columns_ ? " --- |" : " ---: |";
    text += "\n";
  }
  return text;
}

std::string TextTable::Html() const {
  std::string text = "<table>\n";
  for (size_t r = 0; r < rows_.size(); ++r) {
    const std::string_view tag = r == 0 ? "th" : "td";
    text += "<tr>";
    for (size_t i = 0; i < rows_[0].size(); ++i) {
      text += StrCat("<", tag, i < left_columns_ ? " class=\"l\">" : ">",
                     i < rows_[r].size() ? EscapeMarkup(rows_[r][i]) : "", "</", tag, ">");
    }
    text += "</tr>\n";
  }
  return text + "</table>\n";
}

}  // namespace edgemill

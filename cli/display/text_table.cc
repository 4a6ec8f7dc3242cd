#include "cli/display/text_table.h"

#include <algorithm>

namespace edgemill::cli {

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

}  // namespace edgemill::cli

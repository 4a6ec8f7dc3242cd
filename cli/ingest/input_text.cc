#include "cli/ingest/input_text.h"

#include <algorithm>

#include "cli/display/text_table.h"
#include "common/number_text.h"
#include "common/strings.h"
#include "common/units.h"

namespace edgemill::cli {
namespace {

constexpr size_t kMaxShown = 3;

std::string IdsText(const InputPreview& look) {
  if (look.named) return "names";
  if (look.base > 0) return StrCat("from ", look.min_id, ", stored less ", look.base, " (--base)");
  return StrCat("from ", look.min_id, ", as they are");
}

std::string RowsText(const InputPreview& look) {
  if (look.rows.empty()) return "";
  const bool lines = look.rows[0].line.has_value();
  const bool weights = look.rows[0].weight.has_value();
  const auto cells = [&](const std::string& line, const std::string& source,
                         const std::string& target, const std::string& weight) {
    std::vector<std::string> row;
    if (lines) row.push_back(line);
    row.push_back(source);
    row.push_back(target);
    if (weights) row.push_back(weight);
    return row;
  };
  TextTable table(cells("line", "source", "target", "weight"), 0);
  for (const InputPreview::Row& row : look.rows) {
    table.Add(cells(StrCat(row.line.value_or(0)), row.source, row.target,
                    NumberText(row.weight.value_or(0))));
  }
  return table.Text();
}

std::string InputText(const InputPreview& look) {
  std::string columns;
  for (const std::string& column : look.columns) {
    columns += StrCat(columns.empty() ? "" : ", ", column);
  }
  std::string text = StrCat("input           ", look.name, "\nformat          ", look.format);
  if (!look.separator.empty()) text += StrCat(", columns separated by ", look.separator);
  text += StrCat("\ncolumns         ", columns, "\nids             ", IdsText(look), "\n");
  if (look.skipped_lines > 0) {
    text += StrCat("skipped         ", FormatCount(look.skipped_lines),
                   look.skipped_lines == 1 ? " line" : " lines", " of header or comments\n");
  }
  return text + RowsText(look);
}

}  // namespace

std::string InputsText(const std::vector<InputPreview>& looks) {
  std::string text;
  for (size_t i = 0; i < std::min(looks.size(), kMaxShown); ++i) text += InputText(looks[i]);
  if (looks.size() > kMaxShown) {
    text += "(--json says the same of more inputs)\n";
  }
  return text;
}

}  // namespace edgemill::cli

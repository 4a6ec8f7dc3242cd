#include "cli/ingest/input_text.h"

#include <algorithm>

#include "common/number_text.h"
#include "common/page/text_table.h"
#include "common/strings.h"
#include "common/units.h"

namespace edgemill::cli {
namespace {

constexpr size_t kMaxShown = 3;

std::string IdsText(const InputPreview& preview) {
  if (preview.named) return "names";
  if (preview.base > 0) {
    return StrCat("from ", preview.min_id, ", stored less ", preview.base, " (--base)");
  }
  return StrCat("from ", preview.min_id, ", as they are");
}

std::string RowsText(const InputPreview& preview) {
  if (preview.rows.empty()) return "";
  const bool lines = preview.rows[0].line.has_value();
  const bool weights = preview.rows[0].weight.has_value();
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
  for (const InputPreview::Row& row : preview.rows) {
    table.Add(cells(StrCat(row.line.value_or(0)), row.source, row.target,
                    NumberText(row.weight.value_or(0))));
  }
  return table.Text();
}

std::string InputText(const InputPreview& preview) {
  std::string columns;
  for (const std::string& column : preview.columns) {
    columns += StrCat(columns.empty() ? "" : ", ", column);
  }
  std::string text = StrCat("input           ", preview.name, "\nformat          ", preview.format);
  if (!preview.separator.empty()) text += StrCat(", columns separated by ", preview.separator);
  text += StrCat("\ncolumns         ", columns, "\nids             ", IdsText(preview), "\n");
  if (preview.skipped_lines > 0) {
    text += StrCat("skipped         ", FormatCount(preview.skipped_lines),
                   preview.skipped_lines == 1 ? " line" : " lines", " of header or comments\n");
  }
  return text + RowsText(preview);
}

}  // namespace

std::string InputsText(const std::vector<InputPreview>& previews) {
  std::string text;
  for (size_t i = 0; i < std::min(previews.size(), kMaxShown); ++i) text += InputText(previews[i]);
  if (previews.size() > kMaxShown) {
    text += "(--json says the same of more inputs)\n";
  }
  return text;
}

}  // namespace edgemill::cli

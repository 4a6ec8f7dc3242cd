#include "storage/catalog/segment_file.h"

#include "common/strings.h"

namespace edgemill {

bool ParseSegmentName(std::string_view name, ColumnKind* column, uint16_t* number) {
  for (int c = 0; c < kNumColumns; ++c) {
    const std::string_view column_name = ColumnName(static_cast<ColumnKind>(c));
    if (!name.starts_with(column_name)) continue;
    std::string_view digits = name.substr(column_name.size());
    if (!digits.starts_with('.') || !digits.ends_with(".seg") || digits.size() < 6) continue;
    digits = digits.substr(1, digits.size() - 5);
    const SegmentKey key{static_cast<ColumnKind>(c), 0, 0};
    SegmentKey parsed = key;
    if (!ParseNumber(digits, &parsed.number) || parsed.FileName() != name) return false;
    *column = parsed.column;
    *number = parsed.number;
    return true;
  }
  return false;
}

}  // namespace edgemill

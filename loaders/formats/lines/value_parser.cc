#include "loaders/formats/lines/value_parser.h"

#include "common/text/time_text.h"
#include "loaders/formats/lines/amount_parser.h"
#include "loaders/formats/lines/name_parser.h"

namespace edgemill {
namespace {

bool ParseTimeValue(std::string_view field, double* value, FieldError* error) {
  int64_t time = 0;
  if (ParseTime(field, &time)) {
    *value = static_cast<double>(time);
    return true;
  }
  *error = {"not a date or time of ISO 8601",
            "write it as 2026-01-31 or 2026-01-31T09:30:00, or say --column NAME:text"};
  error->missing = field.empty() || IsMissing(field);
  return false;
}

bool ParseTextValue(std::string_view field, TextCodes* codes, double* value, FieldError* error) {
  if (!field.empty() && !CheckName(field, error)) {
    error->advice = "a column of texts holds UTF-8 without line ends";
    return false;
  }
  uint32_t code = 0;
  if (!codes->Find(field, &code)) {
    *error = {"more than 1 MiB of different texts in the column",
              "a column of texts is for kinds, such as currencies: leave it out of --column"};
    return false;
  }
  *value = code;
  return true;
}

}  // namespace

bool ParseValue(std::string_view field, TextCodes* codes, double* value, FieldError* error) {
  return codes == nullptr ? ParseTimeValue(field, value, error)
                          : ParseTextValue(field, codes, value, error);
}

ValueKind KindOfColumn(const std::vector<LineFields>& rows, size_t column, bool decimal_comma) {
  bool numbers = false, times = false;
  for (const LineFields& row : rows) {
    if (column >= row.size() || row[column].empty() || IsMissing(row[column])) continue;
    int64_t time = 0;
    if (IsAmount(row[column], decimal_comma)) {
      numbers = true;
    } else if (ParseTime(row[column], &time)) {
      times = true;
    } else {
      return ValueKind::kText;
    }
  }
  return !times ? ValueKind::kNumber : numbers ? ValueKind::kText : ValueKind::kTime;
}

}  // namespace edgemill

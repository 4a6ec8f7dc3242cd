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

bool CheckText(std::string_view field, FieldError* error) {
  if (field.empty() || CheckName(field, error)) return true;
  error->advice = "a column of texts holds UTF-8 without line ends";
  return false;
}

bool ParseTextValue(std::string_view field, TextCodes* codes, double* value, FieldError* error) {
  if (!CheckText(field, error)) return false;
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

bool CheckValue(std::string_view field, ValueKind kind, FieldError* error) {
  double value = 0;
  if (kind == ValueKind::kTime) return ParseTimeValue(field, &value, error);
  return CheckText(field, error);
}

SeenValues SeenInColumn(const std::vector<LineFields>& rows, size_t column, bool decimal_comma,
                        bool only_first) {
  std::optional<ValueKind> seen;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (column >= rows[i].size()) continue;
    const std::string& field = rows[i][column];
    if (field.empty() || IsMissing(field)) continue;
    int64_t time = 0;
    const ValueKind kind = IsAmount(field, decimal_comma) ? ValueKind::kNumber
                           : ParseTime(field, &time)      ? ValueKind::kTime
                                                          : ValueKind::kText;
    if (only_first || kind == ValueKind::kText || kind != seen.value_or(kind)) {
      if (!seen.has_value() || only_first) return {.kind = kind};
      return {.kind = ValueKind::kText,
              .odd_row = i,
              .others = *seen == ValueKind::kTime ? "time" : "number"};
    }
    seen = kind;
  }
  return {.kind = seen.value_or(ValueKind::kNumber)};
}

}  // namespace edgemill

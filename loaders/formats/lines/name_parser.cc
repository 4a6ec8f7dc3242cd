#include "loaders/formats/lines/name_parser.h"

#include <charconv>

#include "storage/format/name_coding.h"

namespace edgemill {

bool CheckName(std::string_view field, FieldError* error) {
  if (field.empty()) {
    *error = {"a missing name", "correct the line, or skip it with --bad-lines", 0};
    return false;
  }
  if (const size_t at = field.find('\0'); at != std::string_view::npos) {
    *error = {"a NUL byte (UTF-16 text, a binary file or a hole in the file?)",
              "correct the line, or skip it with --bad-lines", at};
    return false;
  }
  if (const size_t at = field.find('\r'); at != std::string_view::npos) {
    *error = {"a carriage return inside a line", "use one kind of line end", at};
    return false;
  }
  if (field.size() > kMaxNameBytes) {
    *error = {"a name of more than 64 KiB", "shorten it (is a quote or a line end missing?)", 0};
    return false;
  }
  size_t bad = 0;
  if (IsUtf8(field, &bad)) return true;
  *error = {"a name that is no UTF-8",
            "convert the file first, such as by iconv -f LATIN1 -t UTF-8", bad};
  return false;
}

bool IsNumber(std::string_view field) {
  if (!field.empty() && (field[0] == '+' || field[0] == '-')) field.remove_prefix(1);
  if (field.empty() || (!IsDigit(field[0]) && field[0] != '.')) return false;
  double value = 0;
  const auto [end, code] = std::from_chars(field.data(), field.data() + field.size(), value);
  return end == field.data() + field.size();
}

bool LooksLikeName(std::string_view field) {
  if (field.find_first_not_of("0123456789 \t,;") == std::string_view::npos) return false;
  if (field.starts_with("0x") || field.starts_with("0X")) {
    return field.find_first_not_of("0123456789abcdefABCDEF", 2) != std::string_view::npos;
  }
  return !IsNumber(field);
}

}  // namespace edgemill

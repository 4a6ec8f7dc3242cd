#include "loaders/formats/name_parser.h"

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

bool LooksLikeName(std::string_view field) {
  if (field.find_first_not_of("0123456789 \t,;") == std::string_view::npos) return false;
  const std::string_view number = field.substr(field[0] == '+' || field[0] == '-' ? 1 : 0);
  const bool begins_as_one = !number.empty() && (IsDigit(number[0]) || number[0] == '.');
  if (!begins_as_one) return true;
  if (number.starts_with("0x") || number.starts_with("0X")) {
    return number.find_first_not_of("0123456789abcdefABCDEF", 2) != std::string_view::npos;
  }
  double value = 0;
  const auto [end, code] = std::from_chars(number.data(), number.data() + number.size(), value);
  return end != number.data() + number.size();
}

}  // namespace edgemill

#include "common/strings.h"

#include <charconv>
#include <cstdio>

namespace edgemill {

std::string FormatFixed(double value, int decimals) {
  char text[400];
  const int length = std::snprintf(text, sizeof(text), "%.*f", decimals, value);
  return std::string(text, static_cast<size_t>(length));
}

std::string FormatSignificant(double value) {
  char digits[32];
  const auto end =
      std::to_chars(digits, digits + sizeof(digits), value, std::chars_format::general, 7);
  return {digits, end.ptr};
}

std::string_view StripSpace(std::string_view text) {
  const std::string_view space = " \t\r\n\v\f";
  const size_t begin = text.find_first_not_of(space);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(space) - begin + 1);
}

}  // namespace edgemill

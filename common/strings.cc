#include "common/strings.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <string>

#include "common/number_text.h"

namespace edgemill {
namespace {

/// The length of the UTF-8 sequence at the front of `text`, which is not empty; 0: no sequence.
size_t SequenceBytes(std::string_view text) {
  const auto byte = [text](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t first = byte(0);
  if (first < 0x80) return 1;
  const size_t size = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (size == 0 || text.size() < size) return 0;
  for (size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  const uint8_t second = byte(1);
  const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool surrogate = first == 0xed && second >= 0xa0;
  const bool too_large = first == 0xf4 && second >= 0x90;
  return overlong || surrogate || too_large ? 0 : size;
}

/// How many bytes of a text a message shows.
constexpr size_t kShownBytes = 80;

/// ShownText, with a backslash before each character of `escaped`.
std::string Shown(std::string_view text, std::string_view escaped) {
  const auto hex = [](char c) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    const auto byte = static_cast<uint8_t>(c);
    return StrCat(kDigits[byte >> 4], kDigits[byte & 15]);
  };
  std::string shown;
  size_t at = 0;
  for (size_t size = 0; at < text.size(); at += size) {
    const std::string_view rest = text.substr(at);
    size = std::max<size_t>(SequenceBytes(rest), 1);
    if (at + size > kShownBytes) break;
    const char c = rest[0];
    const auto byte = static_cast<uint8_t>(c);
    if (c == '\n' || c == '\t') {
      shown += c == '\n' ? "\\n" : "\\t";
    } else if (byte < 0x20 || byte == 0x7f || (byte >= 0x80 && size == 1)) {
      shown += "\\x" + hex(c);
    } else if (c == '\xc2' && static_cast<uint8_t>(rest[1]) < 0xa0) {
      shown += "\\u00" + hex(rest[1]);  // the control characters above ASCII
    } else {
      if (escaped.find(c) != std::string_view::npos) shown += '\\';
      shown += rest.substr(0, size);
    }
  }
  return at < text.size() ? shown + "..." : shown;
}

}  // namespace

std::string FormatFixed(double value, int decimals) {
  char text[400];
  const int length = std::snprintf(text, sizeof(text), "%.*f", decimals, value);
  return std::string(text, static_cast<size_t>(length));
}

std::string FormatSignificant(double value) {
  if (value == std::trunc(value)) return NumberText(value);  // all digits of integers
  char digits[32];
  const auto end =
      std::to_chars(digits, digits + sizeof(digits), value, std::chars_format::general, 7);
  return {digits, end.ptr};
}

std::string_view StripSpace(std::string_view text) {
  const std::string_view space = " \t\r\n\v\f";
  text.remove_prefix(std::min(text.find_first_not_of(space), text.size()));
  return text.substr(0, text.find_last_not_of(space) + 1);
}

bool IsUtf8(std::string_view text, size_t* bad) {
  for (size_t at = 0; at < text.size();) {
    const size_t size = SequenceBytes(text.substr(at));
    if (size == 0) {
      *bad = at;
      return false;
    }
    at += size;
  }
  return true;
}

std::string ShownText(std::string_view text) { return Shown(text, ""); }

std::string QuotedText(std::string_view text) { return StrCat('"', Shown(text, "\"\\"), '"'); }

}  // namespace edgemill

#include "engine/graph/name_text.h"

#include <algorithm>
#include <cstdint>

namespace edgemill {
namespace {

/// Bytes of a name that a message shows.
constexpr size_t kShownBytes = 120;

bool IsControl(char c) { return static_cast<uint8_t>(c) < 0x20 || c == 0x7f; }

bool NeedsQuotes(std::string_view name) {
  for (const std::string_view start : {"#", "%", "//", "\xef\xbb\xbf"}) {
    if (name.starts_with(start)) return true;
  }
  return name == "inf" || std::any_of(name.begin(), name.end(), [](char c) {
           return c == ' ' || c == ',' || c == ';' || c == '"' || IsControl(c);
         });
}

/// The two hexadecimal digits of `c`, behind `prefix`.
void AppendHex(std::string_view prefix, char c, std::string* text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  *text += prefix;
  *text += kDigits[static_cast<uint8_t>(c) >> 4];
  *text += kDigits[c & 15];
}

}  // namespace

void AppendNameField(std::string_view name, std::string* text) {
  if (!NeedsQuotes(name)) {
    *text += name;
    return;
  }
  *text += '"';
  for (const char c : name) {
    if (c == '"') *text += c;
    *text += c;
  }
  *text += '"';
}

std::string ShownName(std::string_view name) {
  std::string text;
  size_t end = name.size();
  if (end > kShownBytes) {
    // Not inside a character.
    for (end = kShownBytes; end > 0 && (name[end] & 0xc0) == 0x80;) --end;
  }
  for (size_t i = 0; i < end; ++i) {
    const char c = name[i];
    if (c == '\n') {
      text += "\\n";
    } else if (c == '\t') {
      text += "\\t";
    } else if (IsControl(c)) {
      AppendHex("\\x", c, &text);
    } else if (c == '\xc2' && i + 1 < end && static_cast<uint8_t>(name[i + 1]) < 0xa0) {
      AppendHex("\\u00", name[++i], &text);  // the control characters above ASCII
    } else {
      text += c;
    }
  }
  if (end < name.size()) text += "...";
  return text;
}

std::string QuotedName(std::string_view name) { return '"' + ShownName(name) + '"'; }

}  // namespace edgemill

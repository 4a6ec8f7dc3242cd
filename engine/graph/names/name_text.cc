#include "engine/graph/names/name_text.h"

#include <algorithm>
#include <cstdint>

namespace edgemill {
namespace {

bool IsControl(char c) { return static_cast<uint8_t>(c) < 0x20 || c == 0x7f; }

bool NeedsQuotes(std::string_view name) {
  for (const std::string_view start : {"#", "%", "//", "\xef\xbb\xbf"}) {
    if (name.starts_with(start)) return true;
  }
  return name == "inf" || std::any_of(name.begin(), name.end(), [](char c) {
           return c == ' ' || c == ',' || c == ';' || c == '"' || IsControl(c);
         });
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

}  // namespace edgemill

#include "common/page/markup.h"

#include "common/strings.h"

namespace edgemill {

std::string EscapeMarkup(std::string_view text) {
  std::string escaped;
  while (!text.empty()) {
    size_t sound = text.size();
    IsUtf8(text, &sound);
    for (const char c : text.substr(0, sound)) {
      if (c == '<') {
        escaped += "&lt;";
      } else if (c == '>') {
        escaped += "&gt;";
      } else if (c == '&') {
        escaped += "&amp;";
      } else if (c == '"') {
        escaped += "&quot;";
      } else if (static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t') {
        escaped += "\xef\xbf\xbd";
      } else {
        escaped += c;
      }
    }
    if (sound == text.size()) break;
    escaped += "\xef\xbf\xbd";
    text.remove_prefix(sound + 1);
  }
  return escaped;
}

std::string LengthText(double length) {
  std::string text = FormatFixed(length, 1);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

std::string_view ColorStyle() {
  return ":root{color-scheme:light dark;--ground:#fff;--panel:#f5f6f8;--ink:#1c2126;"
         "--soft:#59636e;--line:#d5dae0;--c0:#0072b2;--c1:#d55e00;--c2:#009e73;--c3:#b5578c;"
         "--c4:#e69f00;--c5:#56b4e9;--c6:#b8a600;--c7:#7d858e}"
         "@media screen and (prefers-color-scheme:dark){:root{--ground:#14171a;--panel:#1d2226;"
         "--ink:#e8ebee;--soft:#a3adb7;--line:#39414a;--c0:#4aa8e0;--c1:#f0802b;--c2:#2cc298;"
         "--c3:#dc90bb;--c4:#f2b632;--c5:#8fd0f5;--c6:#f0e442;--c7:#98a1ab}}";
}

}  // namespace edgemill

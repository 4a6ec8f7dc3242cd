// Text from values and values from text, without locales.
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace edgemill {
namespace internal {

inline void AppendPart(std::string& text, std::string_view part) { text += part; }
inline void AppendPart(std::string& text, char part) { text += part; }
template <typename T>
requires(std::integral<T> || std::floating_point<T>) void AppendPart(std::string& text, T value) {
  if constexpr (std::same_as<T, bool>) {
    text += value ? "true" : "false";
  } else {
    char digits[64];
    text.append(digits, std::to_chars(digits, digits + sizeof(digits), value).ptr);
  }
}

}  // namespace internal

/// Joins the parts: strings, characters, and numbers in their shortest exact form.
template <typename... Parts>
std::string StrCat(const Parts&... parts) {
  std::string text;
  (internal::AppendPart(text, parts), ...);
  return text;
}

/// Reads all of `text` as a decimal number into `value`. Returns false, and leaves `value`
/// unchanged, when `text` is no number of this type, is out of range or has other characters.
template <typename T>
bool ParseNumber(std::string_view text, T* value) {
  T parsed{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parsed);
  if (error != std::errc() || end != text.data() + text.size()) return false;
  *value = parsed;
  return true;
}

/// `value` with `decimals` digits after the point, for people.
std::string FormatFixed(double value, int decimals);
/// The value with 7 significant digits, no trailing zeros: "0.025", "8.040802e-07".
std::string FormatSignificant(double value);

/// Whether `text` is well-formed UTF-8 (RFC 3629: no surrogates, no overlong forms); if not, `*bad`
/// is the index of the first byte that does not fit.
bool IsUtf8(std::string_view text, size_t* bad);

/// `text` for a terminal: control characters become \n, \t, \x1b or \u009b, and bytes that are no
/// UTF-8 become \xe4. A long text is cut and ends with "...".
std::string ShownText(std::string_view text);
/// The same in double quotes, for messages. Double quotes and backslashes get a backslash.
std::string QuotedText(std::string_view text);

/// `text` without the white space at its ends: a part of it, even if that part is empty.
std::string_view StripSpace(std::string_view text);

}  // namespace edgemill

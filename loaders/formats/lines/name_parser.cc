#include "loaders/formats/lines/name_parser.h"

#include <algorithm>
#include <charconv>

#include "common/strings.h"
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
  if (const size_t at = field.find('\n'); at != std::string_view::npos) {
    *error = {"a name with a line end in it", "names are one line: replace the line end", at};
    return false;
  }
  if (field.size() > kMaxNameBytes) {
    *error = {"a name of more than 64 KiB", "shorten it (is a quote or a line end missing?)", 0};
    return false;
  }
  size_t bad = 0;
  if (IsUtf8(field, &bad)) return true;
  *error = {"a name that is not UTF-8",
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

bool IsMissing(std::string_view field) {
  // The words that pandas reads as missing values, SQL's \N, and words of other languages.
  static constexpr std::array<std::string_view, 20> kWords = {
      "NULL", "null", "Null", "NaN", "nan", "-NaN", "-nan", "NAN", "NA",        "<NA>",
      "N/A",  "n/a",  "#N/A", "#NA", "\\N", "None", "nil",  "NIL", "undefined", "-"};
  return std::find(kWords.begin(), kWords.end(), field) != kWords.end();
}

bool LooksLikeName(std::string_view field) {
  if (field.find_first_not_of("0123456789 \t,;") == std::string_view::npos) return false;
  if (field.starts_with("0x") || field.starts_with("0X")) {
    return field.find_first_not_of("0123456789abcdefABCDEF", 2) != std::string_view::npos;
  }
  return !IsNumber(field);
}

bool FindWeight(std::string_view text, std::string_view* value, FieldError* error) {
  const char* const advice =
      "every line needs {'weight': NUMBER}, as an earlier one has, or give --empty-weight 1";
  const auto fail = [&](const char* reason, size_t at) {
    *error = {reason, advice, std::min(at, text.size()), error->missing};
    return false;
  };
  if (!text.starts_with('{')) return fail("no dictionary where a weight should be", 0);
  size_t key = 0, key_end = 0;  // the last text in quotes
  int depth = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\'' || c == '"') {
      key = at + 1;
      for (++at; at < text.size() && text[at] != c; ++at) at += text[at] == '\\';
      key_end = std::min(at, text.size());
      if (at >= text.size()) return fail("a quote that does not end on its line", key - 1);
    }
    if (c == '{' || c == '[' || c == '(') ++depth;
    if (c == '}' || c == ']' || c == ')') --depth;
    if (depth == 0) {
      error->missing = true;
      return fail("no weight in the dictionary", 0);
    }
    if (c != ':' || depth != 1 || text.substr(key, key_end - key) != "weight") continue;
    const size_t end = text.find_first_of(",}", at);
    if (end == std::string_view::npos) break;
    *value = StripSpace(text.substr(at + 1, end - at - 1));
    return true;
  }
  return fail("a dictionary that does not end on its line", 0);
}

}  // namespace edgemill

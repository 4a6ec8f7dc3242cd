#include "loaders/formats/lines/amount_parser.h"

#include <algorithm>
#include <array>
#include <string>

#include "common/strings.h"
#include "loaders/formats/lines/name_parser.h"

namespace edgemill {
namespace {

constexpr std::array<std::string_view, 22> kCurrencies = {
    "$",   "\u20ac", "\u00a3", "\u00a5", "\u20b9", "\u20bd", "\u20a9", "\u20ba",
    "USD", "EUR",    "GBP",    "JPY",    "CNY",    "INR",    "CHF",    "CAD",
    "AUD", "SEK",    "NOK",    "DKK",    "PLN",    "BRL"};
/// Blanks that stand between thousands: a no-break space, and a narrow one.
constexpr std::array<std::string_view, 2> kNoBreakSpaces = {"\u00a0", "\u202f"};

bool RemovePrefix(std::string_view prefix, std::string_view* text) {
  if (!text->starts_with(prefix)) return false;
  text->remove_prefix(prefix.size());
  return true;
}
bool RemoveSuffix(std::string_view suffix, std::string_view* text) {
  if (!text->ends_with(suffix)) return false;
  text->remove_suffix(suffix.size());
  return true;
}

/// Removes blanks, also those that do not break, from both ends.
void Strip(std::string_view* text) {
  for (bool more = true; more;) {
    *text = StripSpace(*text);
    more = false;
    for (const std::string_view space : kNoBreakSpaces) {
      more |= RemovePrefix(space, text) || RemoveSuffix(space, text);
    }
  }
}

/// Removes a currency and signs. Returns whether the amount is negative.
bool RemoveMarks(std::string_view* text) {
  bool negative = false;
  Strip(text);
  if (text->size() > 2 && text->front() == '(' && text->back() == ')') {
    *text = text->substr(1, text->size() - 2);
    negative = true;
  }
  const auto remove_sign = [&] {
    Strip(text);
    if (RemovePrefix("-", text)) {
      negative = !negative;
    } else {
      RemovePrefix("+", text);
    }
    Strip(text);
  };
  remove_sign();
  for (const std::string_view currency : kCurrencies) {
    if (!RemovePrefix(currency, text) && !RemoveSuffix(currency, text)) continue;
    remove_sign();
    break;
  }
  return negative;
}

/// The bytes of a separator of thousands at the start of `text`; 0 if there is none.
size_t SeparatorBytes(std::string_view text, char separator) {
  if (text[0] == separator || text[0] == ' ' || text[0] == '\'') return 1;
  for (const std::string_view space : kNoBreakSpaces) {
    if (text.starts_with(space)) return space.size();
  }
  return 0;
}

/// Copies a number without separators of thousands, with a decimal point. Returns false when it is
/// none: behind the first separator, three digits follow each.
bool Normalize(std::string_view text, bool decimal_comma, std::string* number) {
  const char separator = decimal_comma ? '.' : ',';
  size_t digits = 0;  // since the last separator
  bool separated = false;
  size_t at = 0;
  while (at < text.size()) {
    if (IsDigit(text[at])) {
      *number += text[at++];
      ++digits;
      continue;
    }
    const size_t bytes = SeparatorBytes(text.substr(at), separator);
    if (bytes == 0) break;
    if (digits == 0 || digits > 3 || (separated && digits != 3)) return false;
    separated = true;
    digits = 0;
    at += bytes;
  }
  if (separated && digits != 3) return false;
  if (at == text.size()) return digits > 0;
  if (text[at] == (decimal_comma ? ',' : '.')) {
    *number += '.';
    ++at;
  }
  *number += text.substr(at);  // decimals, and perhaps an exponent, which ParseWeight checks
  return true;
}

}  // namespace

WeightRule RuleOfMode(WeightMode mode, bool decimal_comma) {
  return {mode == WeightMode::kInt, mode == WeightMode::kFloat, decimal_comma};
}

WeightRule WeightRuleOf(const ReadOptions& options) {
  return RuleOfMode(options.weights, options.decimal_comma);
}

bool ParseAmount(std::string_view field, WeightRule rule, double* weight, bool* cleaned,
                 FieldError* error) {
  *cleaned = false;
  const bool has_marks = rule.decimal_comma && field.find_first_of(".,") != field.npos;
  if (!has_marks && ParseWeight(field, rule, weight, error)) return true;
  if (field.empty()) return false;
  std::string_view rest = field;
  std::string number = RemoveMarks(&rest) ? "-" : "";
  if (!Normalize(rest, rule.decimal_comma, &number)) {
    const bool plain = std::all_of(field.begin(), field.end(),
                                   [](char c) { return IsDigit(c) || c == ',' || c == '.'; });
    if (has_marks || plain) {
      *error = {"not a number where a weight should be",
                rule.decimal_comma
                    ? "with --decimal comma, points stand between thousands"
                    : "commas stand between thousands; give --decimal comma for decimal commas",
                0};
    }
    return false;
  }
  FieldError of_number;
  if (!ParseWeight(number, rule, weight, &of_number)) {
    // If nothing was left out, the error is that of the field, or there is none yet.
    if (number != field || error->reason == nullptr) *error = of_number;
    error->offset = 0;
    return false;
  }
  *cleaned = true;
  return true;
}

bool IsAmount(std::string_view field, bool decimal_comma) {
  double weight = 0;
  bool cleaned = false;
  FieldError error;
  const WeightRule rule{.rounded = true, .decimal_comma = decimal_comma};
  return IsNumber(field) || ParseAmount(field, rule, &weight, &cleaned, &error);
}

bool TakeEmptyWeight(EmptyWeight rule, double* weight, InputTotals* totals, FieldError* error) {
  switch (rule) {
    case EmptyWeight::kSkip:
      ++totals->skipped_weights;
      return true;
    case EmptyWeight::kOne:
      ++totals->filled_weights;
      *weight = 1;
      return true;
    case EmptyWeight::kError:
      *error = {"a missing weight",
                "give --empty-weight skip or 1, or skip such edges with --bad-lines", 0};
  }
  return false;
}

}  // namespace edgemill

#include "loaders/formats/lines/number_parser.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace edgemill {
namespace {

constexpr const char* kWeightAdvice =
    "weights are finite decimal numbers with a point, not a comma";
constexpr const char* kFixLine = "correct the line, or skip it with --bad-lines";

bool Fail(FieldError* error, const char* reason, const char* advice, size_t offset = 0) {
  *error = {reason, advice, offset};
  return false;
}

/// Sets the error of `field`, which is no id: its first character that is no digit is at `stop`.
bool ExplainId(std::string_view field, size_t stop, FieldError* error) {
  const unsigned char c = static_cast<unsigned char>(field[stop]);
  const char* const advice = "ids are decimal digits, 0 to 18446744073709551614";
  if (stop == 0 && c == '-') return Fail(error, "a negative id", advice);
  if (stop == 0 && c == '+') return Fail(error, "an id with a plus sign", advice);
  if (c == 0) {
    return Fail(error, "a NUL byte (UTF-16 text, a binary file or a hole in the file?)", kFixLine,
                stop);
  }
  if (c >= 0x80) return Fail(error, "a character that is not ASCII in an id", advice, stop);
  if (c == '\r')
    return Fail(error, "a carriage return inside a line", "use one kind of line end", stop);
  if (stop == 0) return Fail(error, "not a number where an id should be", advice);
  if (c == '.') return Fail(error, "an id with a decimal point", advice, stop);
  if (c == 'e' || c == 'E') return Fail(error, "an id with an exponent", advice, stop);
  if (c == 'x' || c == 'X') return Fail(error, "a hexadecimal id", advice, stop);
  if (c == ',' || c == ';') {
    return Fail(error, "a comma or semicolon where a blank should be", "use --format csv", stop);
  }
  return Fail(error, "not a number where an id should be", advice, stop);
}

}  // namespace

bool ParseId(std::string_view field, ExternalId* id, FieldError* error) {
  if (field.empty()) return Fail(error, "a missing id", kFixLine);
  uint64_t value = 0;
  bool overflow = false;
  for (size_t i = 0; i < field.size(); ++i) {
    if (!IsDigit(field[i])) return ExplainId(field, i, error);
    const uint64_t digit = static_cast<uint64_t>(field[i] - '0');
    overflow = overflow || __builtin_mul_overflow(value, uint64_t{10}, &value) ||
               __builtin_add_overflow(value, digit, &value);
  }
  if (overflow || value > kMaxExternalId) {
    return Fail(error, "an id above 18446744073709551614", "ids must be below 2^64 - 1");
  }
  *id = value;
  return true;
}

bool ParseWeight(std::string_view field, WeightRule rule, double* weight, FieldError* error) {
  if (field.empty()) return Fail(error, "a missing weight", kFixLine);
  const std::string_view digits = field.substr(field[0] == '-' ? 1 : 0);
  const bool is_whole = !digits.empty() && std::all_of(digits.begin(), digits.end(), IsDigit);
  if (is_whole && !rule.rounded) {
    uint64_t value = 0;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (code != std::errc() || value > kMaxExactInteger) {
      return Fail(error, "an integer weight beyond 2^53",
                  !rule.integer_only ? "give --weights float, which rounds it, or scale it down"
                                     : "it would not be exact: scale it down");
    }
    *weight = field[0] == '-' ? -static_cast<double>(value) : static_cast<double>(value);
    return true;
  }
  double value = 0;
  const auto [end, code] = std::from_chars(field.data(), field.data() + field.size(), value);
  const size_t parsed = static_cast<size_t>(end - field.data());
  if (code == std::errc::result_out_of_range && parsed == field.size()) {
    return Fail(error, "a weight out of range", "weights lie within 4.9e-324 to 1.8e308, or are 0");
  }
  if (code != std::errc() || parsed != field.size()) {
    return Fail(error, "not a number where a weight should be", kWeightAdvice,
                code == std::errc() ? parsed : 0);
  }
  if (!CheckWeight(value, rule, error)) return false;
  *weight = value;
  return true;
}

bool CheckWeight(double weight, WeightRule rule, FieldError* error) {
  if (std::isnan(weight)) {
    return Fail(error, "a weight that is not a number (NaN)", kWeightAdvice);
  }
  if (std::isinf(weight)) return Fail(error, "an infinite weight", kWeightAdvice);
  const bool too_large = std::fabs(weight) > kMaxExactInteger && !rule.rounded;
  if (rule.integer_only && (weight != std::floor(weight) || too_large)) {
    return Fail(error, "a weight that is no integer up to 2^53", "read it with --weights float");
  }
  return true;
}

bool MeansWeight(std::string_view field) {
  if (field.starts_with('+')) field.remove_prefix(1);
  double value = 0;
  const auto [end, code] = std::from_chars(field.data(), field.data() + field.size(), value);
  return !field.empty() && code != std::errc::invalid_argument &&
         end == field.data() + field.size();
}

}  // namespace edgemill

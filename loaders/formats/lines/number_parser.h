// Reads ids and weights from text. Fast for good fields, with an exact error for bad ones.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "common/types.h"

namespace edgemill {

/// The largest id an input may use: 2^64 - 1 stands for "none".
inline constexpr ExternalId kMaxExternalId = ~ExternalId{0} - 1;
/// Integers up to this are exact in the double that carries a weight.
inline constexpr uint64_t kMaxExactInteger = uint64_t{1} << 53;

/// The error of a field, and advice to correct it. Both are static text.
struct FieldError {
  const char* reason = nullptr;
  const char* advice = nullptr;
  size_t offset = 0;     // of the error in the field
  bool missing = false;  // the field has no value
};

inline bool IsBlank(char c) { return c == ' ' || c == '\t'; }
inline bool IsDigit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

/// Reads 0 to 19 digits at `*at`, and moves `*at` after them. The caller checks their number. A
/// character that is no digit must follow in readable memory.
inline uint64_t ScanDigits(const char** at) {
  const char* p = *at;
  uint64_t value = 0;
  while (IsDigit(*p) && p - *at < 19) value = value * 10 + static_cast<uint64_t>(*p++ - '0');
  *at = p;
  return value;
}

/// Reads a whole field as an id: only decimal digits, at most kMaxExternalId. For any other field,
/// sets `error` and returns false.
bool ParseId(std::string_view field, ExternalId* id, FieldError* error);

/// The rules for weights other than integers up to 2^53.
struct WeightRule {
  bool integer_only = false;   // its value must be an integer
  bool rounded = false;        // integers beyond 2^53 are rounded to the nearest double
  bool decimal_comma = false;  // of ParseAmount: decimals follow a comma
};

/// Reads a whole field as a finite weight in double's range, which includes denormals. A number
/// that would round to zero or infinity is an error. On errors, sets `error` and returns false.
bool ParseWeight(std::string_view field, WeightRule rule, double* weight, FieldError* error);

/// Whether a weight that was read as floating point is one by `rule`. If not, sets `error`.
bool CheckWeight(double weight, WeightRule rule, FieldError* error);

/// Whether all of `field` is meant as a weight, even a wrong one such as "inf", "nan" or 1e999.
bool MeansWeight(std::string_view field);

}  // namespace edgemill

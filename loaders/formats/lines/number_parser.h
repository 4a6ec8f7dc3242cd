// Ids and weights from text: fast on good fields, exact about what is wrong with bad ones.
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

/// What is wrong with a field, and what to do about it. Both are static text.
struct FieldError {
  const char* reason = nullptr;
  const char* advice = nullptr;
  size_t offset = 0;     // in the field, where the trouble starts
  bool missing = false;  // there is no value
};

inline bool IsBlank(char c) { return c == ' ' || c == '\t'; }
inline bool IsDigit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

/// Reads up to 19 digits at `*at` (none is fine) and moves it behind them; the caller looks at how
/// many there were. Some character that is no digit must follow in readable memory.
inline uint64_t ScanDigits(const char** at) {
  const char* p = *at;
  uint64_t value = 0;
  while (IsDigit(*p) && p - *at < 19) value = value * 10 + static_cast<uint64_t>(*p++ - '0');
  *at = p;
  return value;
}

/// Reads a whole field as an id: decimal digits only, at most kMaxExternalId. False with the error.
bool ParseId(std::string_view field, ExternalId* id, FieldError* error);

/// What a weight may be, besides an integer up to 2^53.
struct WeightRule {
  bool integer_only = false;  // its value must be an integer
  bool rounded = false;       // integers beyond 2^53 are rounded to the nearest double
};

/// Reads a whole field as a weight, finite and in double's range (denormals too; what would round
/// to zero or infinity is refused rather than changed). False with the error.
bool ParseWeight(std::string_view field, WeightRule rule, double* weight, FieldError* error);

/// Whether all of `field` is meant as a weight, be it a wrong one: also "inf", "nan" and 1e999.
bool MeansWeight(std::string_view field);

}  // namespace edgemill

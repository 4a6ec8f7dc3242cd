// Real numbers as text that programs read.
#pragma once

#include <concepts>
#include <cstddef>
#include <string>

namespace edgemill {

/// No number takes more as text.
inline constexpr size_t kMaxNumberBytes = 32;

/// Writes `value` in its shortest exact form to `at`, where kMaxNumberBytes are, and returns its
/// end. An integer up to 2^53 is digits alone (100000, not 1e+05): readers of integers stop at an
/// exponent.
char* WriteNumber(char* at, double value);
/// The same as a string.
std::string NumberText(double value);
std::string NumberText(std::integral auto value) { return std::to_string(value); }

}  // namespace edgemill

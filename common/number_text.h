// Real numbers as text that programs read.
#pragma once

#include <concepts>
#include <cstddef>
#include <string>

namespace edgemill {

/// The most bytes that a number takes as text.
inline constexpr size_t kMaxNumberBytes = 32;

/// Writes `value` in its shortest exact form to `at`, which has kMaxNumberBytes, and returns the
/// end. An integer up to 2^53 has only digits (100000, not 1e+05), since readers of integers stop
/// at an exponent.
char* WriteNumber(char* at, double value);
/// The same as a string.
std::string NumberText(double value);
std::string NumberText(std::integral auto value) { return std::to_string(value); }

}  // namespace edgemill

#include "common/number_text.h"

#include <charconv>
#include <cmath>
#include <cstdint>

namespace edgemill {

char* WriteNumber(char* at, double value) {
  char* const end = at + kMaxNumberBytes;
  // 0 is left out, since it may be -0.
  if (std::fabs(value) <= 0x1p53 && value != 0) {
    const auto integer = static_cast<int64_t>(value);
    if (static_cast<double>(integer) == value) return std::to_chars(at, end, integer).ptr;
  }
  return std::to_chars(at, end, value).ptr;
}

std::string NumberText(double value) {
  char digits[kMaxNumberBytes];
  return {digits, WriteNumber(digits, value)};
}

}  // namespace edgemill

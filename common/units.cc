#include "common/units.h"

#include <charconv>
#include <cmath>

namespace edgemill {

StatusOr<uint64_t> ParseBytes(std::string_view text) {
  const std::string_view trimmed = StripSpace(text);
  const auto bad = [&] {
    return UsageError(StrCat("'", text, "' is not a size: write it like 192MiB, 2GiB or 64K"));
  };
  double number = 0;
  const auto [end, error] = std::from_chars(trimmed.data(), trimmed.data() + trimmed.size(), number,
                                            std::chars_format::fixed);
  if (error != std::errc() || !std::isfinite(number) || number < 0) return bad();
  const std::string_view suffix =
      StripSpace(trimmed.substr(static_cast<size_t>(end - trimmed.data())));
  int shift = 0;
  if (suffix == "K" || suffix == "KiB")
    shift = 10;
  else if (suffix == "M" || suffix == "MiB")
    shift = 20;
  else if (suffix == "G" || suffix == "GiB")
    shift = 30;
  else if (suffix == "T" || suffix == "TiB")
    shift = 40;
  else if (suffix == "P" || suffix == "PiB")
    shift = 50;
  else if (!suffix.empty() && suffix != "B")
    return bad();
  const double bytes = std::ldexp(number, shift);
  if (bytes > std::ldexp(1.0, 62)) {
    return UsageError(StrCat("'", text, "' is more than any machine has: give a smaller size"));
  }
  return static_cast<uint64_t>(bytes);
}

std::string FormatBytes(uint64_t bytes) {
  const char* const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  double value = static_cast<double>(bytes);
  int unit = 0;
  while (value >= 1024 && unit < 5) {
    value /= 1024;
    ++unit;
  }
  return unit == 0 ? StrCat(bytes, " B")
                   : StrCat(FormatFixed(value, value < 10 ? 2 : 1), " ", units[unit]);
}

std::string FormatMebibytesUp(uint64_t bytes) {
  return StrCat((bytes + (uint64_t{1} << 20) - 1) >> 20, "MiB");
}

std::string FormatCount(uint64_t count) {
  std::string digits = StrCat(count);
  for (size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

}  // namespace edgemill

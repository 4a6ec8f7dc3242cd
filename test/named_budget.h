// Finds the least budget that an error message names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "common/strings.h"

namespace edgemill {

/// Returns N of "at least OPTION NMiB" in `message`, or 0 without such text.
inline uint64_t NamedMebibytes(std::string_view message, std::string_view option) {
  const std::string before = StrCat("at least ", option, " ");
  const size_t at = message.find(before);
  if (at == std::string_view::npos) return 0;
  const std::string_view number = message.substr(at + before.size());
  uint64_t named = 0;
  ParseNumber(number.substr(0, number.find_first_not_of("0123456789")), &named);
  return named;
}

}  // namespace edgemill

#include "bench/record/json_file.h"

#include <algorithm>

namespace edgemill::bench {

std::string PlaceAfter(std::string_view text, size_t num_bytes) {
  const std::string_view before = text.substr(0, num_bytes);
  const size_t line_begin = before.rfind('\n') + 1;  // 0 where there is none
  return StrCat("line ", 1 + std::count(before.begin(), before.end(), '\n'), ", byte ",
                1 + before.size() - line_begin);
}

}  // namespace edgemill::bench

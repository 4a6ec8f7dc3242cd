#include "common/check.h"

#include <cstdio>
#include <cstdlib>

namespace edgemill::internal {

void CheckFailed(const char* file, int line, const char* condition, const std::string& operands) {
  std::fprintf(stderr,
               "edgemill: %s:%d: check failed: %s%s%s: this is a defect, please report it\n", file,
               line, condition, operands.empty() ? "" : ": ", operands.c_str());
  std::abort();
}

void AuthorMistake(const std::string& text) {
  std::fprintf(stderr, "edgemill: a mistake in the algorithm: %s\n", text.c_str());
  std::abort();
}

}  // namespace edgemill::internal

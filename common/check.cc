#include "common/check.h"

#include <cstdio>
#include <cstdlib>

namespace edgemill::internal {
namespace {

std::string TextOf(const Operand& operand) {
  switch (operand.kind) {
    case Operand::Kind::kSigned:
      return std::to_string(static_cast<int64_t>(operand.bits));
    case Operand::Kind::kUnsigned:
      return std::to_string(operand.bits);
    case Operand::Kind::kReal:
      return std::to_string(std::bit_cast<double>(operand.bits));
    case Operand::Kind::kText:
      break;
  }
  return std::string(operand.text);
}

}  // namespace

void CheckFailed(const char* file, int line, const char* condition, std::string_view detail) {
  std::fprintf(
      stderr, "edgemill: %s:%d: check failed: %s%s%.*s: this is a defect, please report it\n", file,
      line, condition, detail.empty() ? "" : ": ", static_cast<int>(detail.size()), detail.data());
  std::abort();
}

void CheckFailed(const char* file, int line, const char* condition, const Operand& a,
                 const Operand& b) {
  CheckFailed(file, line, condition, TextOf(a) + " and " + TextOf(b));
}

void AuthorMistake(const std::string& text) {
  std::fprintf(stderr, "edgemill: a mistake in the algorithm: %s\n", text.c_str());
  std::abort();
}

}  // namespace edgemill::internal

// CHECK: assertions of programmer errors, always on. They print both operands and abort.
// DCHECK: the same in debug builds only, for loops over edges.
#pragma once

#include <sstream>
#include <string>

namespace edgemill::internal {

/// Prints the failed condition with its place to standard error, and aborts.
[[noreturn]] void CheckFailed(const char* file, int line, const char* condition,
                              const std::string& operands);

template <typename A, typename B>
std::string Operands(const A& a, const B& b) {
  std::ostringstream text;
  text << a << " and " << b;
  return text.str();
}

}  // namespace edgemill::internal

#define CHECK(condition)                                                                \
  do {                                                                                  \
    if (!(condition)) [[unlikely]]                                                      \
      ::edgemill::internal::CheckFailed(__FILE__, __LINE__, #condition, std::string()); \
  } while (false)

#define EM_CHECK_OP(a, op, b)                                                        \
  do {                                                                               \
    const auto& em_a = (a);                                                          \
    const auto& em_b = (b);                                                          \
    if (!(em_a op em_b)) [[unlikely]]                                                \
      ::edgemill::internal::CheckFailed(__FILE__, __LINE__, #a " " #op " " #b,       \
                                        ::edgemill::internal::Operands(em_a, em_b)); \
  } while (false)

#define CHECK_EQ(a, b) EM_CHECK_OP(a, ==, b)
#define CHECK_NE(a, b) EM_CHECK_OP(a, !=, b)
#define CHECK_LT(a, b) EM_CHECK_OP(a, <, b)
#define CHECK_LE(a, b) EM_CHECK_OP(a, <=, b)
#define CHECK_GT(a, b) EM_CHECK_OP(a, >, b)
#define CHECK_GE(a, b) EM_CHECK_OP(a, >=, b)

#ifdef NDEBUG
#define DCHECK(condition) \
  do {                    \
  } while (false && (condition))
#else
#define DCHECK(condition) CHECK(condition)
#endif

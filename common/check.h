// CHECK: assertions of programmer errors, always on. They print both operands and abort.
// DCHECK: the same in debug builds only, for loops over edges.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>

namespace edgemill::internal {

/// Prints the failed condition with its place to standard error, and aborts.
[[noreturn]] void CheckFailed(const char* file, int line, const char* condition,
                              const std::string& operands);

/// Prints in one line to standard error what the author of an algorithm did wrong, and what to
/// write instead, and aborts. For mistakes that are no defect of Edgemill.
[[noreturn]] void AuthorMistake(const std::string& text);

/// An operand as text. Not by streams: their header takes long to compile, and all include this.
template <typename T>
std::string OperandText(const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return std::to_string(static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (std::is_arithmetic_v<T>) {
    return std::to_string(value);
  } else if constexpr (std::is_null_pointer_v<T>) {
    return "null";
  } else if constexpr (std::convertible_to<const T&, std::string_view>) {
    return std::string(std::string_view(value));
  } else {
    return value == nullptr ? "null" : "an address";
  }
}

template <typename A, typename B>
std::string Operands(const A& a, const B& b) {
  return OperandText(a) + " and " + OperandText(b);
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

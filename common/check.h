// CHECK: assertions of programmer errors, always on. They print both operands and abort.
// DCHECK: the same in debug builds only, for loops over edges.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace edgemill::internal {

/// A number or a text that a failed check shows. The struct is plain, so that checks take few
/// instructions.
struct Operand {
  enum class Kind : uint8_t { kSigned, kUnsigned, kReal, kText };
  Kind kind = Kind::kText;
  uint64_t bits = 0;  // of a number, as 64 bits of its kind
  std::string_view text;
};

template <typename T>
Operand OperandOf(const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return OperandOf(static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (std::is_floating_point_v<T>) {
    return {Operand::Kind::kReal, std::bit_cast<uint64_t>(static_cast<double>(value)), {}};
  } else if constexpr (std::is_arithmetic_v<T>) {
    constexpr bool kIsSigned = std::is_signed_v<T>;
    return {kIsSigned ? Operand::Kind::kSigned : Operand::Kind::kUnsigned,
            static_cast<uint64_t>(value),
            {}};
  } else if constexpr (std::is_null_pointer_v<T>) {
    return {Operand::Kind::kText, 0, "null"};
  } else if constexpr (std::convertible_to<const T&, std::string_view>) {
    return {Operand::Kind::kText, 0, std::string_view(value)};
  } else {
    return {Operand::Kind::kText, 0, value == nullptr ? "null" : "an address"};
  }
}

/// Prints the failed condition with its place to standard error, then `detail` or the operands of a
/// comparison. Then aborts.
[[noreturn, gnu::cold]] void CheckFailed(const char* file, int line, const char* condition,
                                         std::string_view detail = {});
[[noreturn, gnu::cold]] void CheckFailed(const char* file, int line, const char* condition,
                                         const Operand& a, const Operand& b);

/// Prints `text` in one line to standard error and aborts. The text says what the author of an
/// algorithm did wrong and what to write instead. For mistakes that are no defect of Edgemill.
[[noreturn]] void AuthorMistake(const std::string& text);

}  // namespace edgemill::internal

#define CHECK(condition)                                                 \
  do {                                                                   \
    if (!(condition)) [[unlikely]]                                       \
      ::edgemill::internal::CheckFailed(__FILE__, __LINE__, #condition); \
  } while (false)

#define EM_CHECK_OP(a, op, b)                                                   \
  do {                                                                          \
    const auto& em_a = (a);                                                     \
    const auto& em_b = (b);                                                     \
    if (!(em_a op em_b)) [[unlikely]]                                           \
      ::edgemill::internal::CheckFailed(__FILE__, __LINE__, #a " " #op " " #b,  \
                                        ::edgemill::internal::OperandOf(em_a),  \
                                        ::edgemill::internal::OperandOf(em_b)); \
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

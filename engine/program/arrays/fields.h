// Reflection over the fields of a program: how the engine finds its views.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace edgemill {
namespace internal {

struct AnyField {
  template <typename T>
  constexpr operator T() const;
};
template <typename P, size_t... kIndex>
constexpr bool IsMadeOf(std::index_sequence<kIndex...>) {
  return requires { P{(static_cast<void>(kIndex), AnyField{})...}; };
}

/// Whether `{}` initializes one of kCount fields. In place of an array's first element, `{}`
/// initializes the whole array, so that too many values follow.
template <typename P, size_t... kBefore, size_t... kAfter>
constexpr bool IsOneValue(std::index_sequence<kBefore...>, std::index_sequence<kAfter...>) {
  return requires {
    P{(static_cast<void>(kBefore), AnyField{})..., {}, (static_cast<void>(kAfter), AnyField{})...};
  };
}

/// A function, because nvcc 13 fails on a lambda here. Always inline: copies of a program that are
/// made for one call should stay in registers.
template <typename Visit, typename... Fields>
[[gnu::always_inline]] inline constexpr void VisitEach(Visit& visit, Fields&... fields) {
  (visit(fields), ...);
}

}  // namespace internal

inline constexpr size_t kMaxFields = 12;

/// Whether P stands for a program that it holds, and has no field beside it (lanes.h).
template <typename P>
inline constexpr bool kHoldsProgram = requires {
  typename P::OfWords;
};

/// The number of fields of an aggregate.
template <typename P, size_t kMax = kMaxFields + 1>
constexpr size_t NumFields() {
  if constexpr (kMax == 0) {
    return 0;
  } else if constexpr (internal::IsMadeOf<P>(std::make_index_sequence<kMax>())) {
    return kMax;
  } else {
    return NumFields<P, kMax - 1>();
  }
}

/// Whether a field of an aggregate is an array of several elements. NumFields counts each element.
template <typename P>
constexpr bool HasArrayField() {
  constexpr size_t kCount = NumFields<P>();
  return []<size_t... kIndex>(std::index_sequence<kIndex...>) {
    return !(internal::IsOneValue<P>(std::make_index_sequence<kIndex>(),
                                     std::make_index_sequence<kCount - kIndex - 1>()) &&
             ...);
  }
  (std::make_index_sequence<kCount>());
}

namespace internal {

template <typename P, typename Visit>
[[gnu::always_inline]] inline constexpr void VisitOwnFields(P& program, Visit& visit) {
  constexpr size_t kCount = NumFields<std::remove_const_t<P>>();
  static_assert(kCount <= kMaxFields, "a program has at most 12 fields");
  if constexpr (kCount == 1) {
    auto& [a] = program;
    VisitEach(visit, a);
  } else if constexpr (kCount == 2) {
    auto& [a, b] = program;
    VisitEach(visit, a, b);
  } else if constexpr (kCount == 3) {
    auto& [a, b, c] = program;
    VisitEach(visit, a, b, c);
  } else if constexpr (kCount == 4) {
    auto& [a, b, c, d] = program;
    VisitEach(visit, a, b, c, d);
  } else if constexpr (kCount == 5) {
    auto& [a, b, c, d, e] = program;
    VisitEach(visit, a, b, c, d, e);
  } else if constexpr (kCount == 6) {
    auto& [a, b, c, d, e, f] = program;
    VisitEach(visit, a, b, c, d, e, f);
  } else if constexpr (kCount == 7) {
    auto& [a, b, c, d, e, f, g] = program;
    VisitEach(visit, a, b, c, d, e, f, g);
  } else if constexpr (kCount == 8) {
    auto& [a, b, c, d, e, f, g, h] = program;
    VisitEach(visit, a, b, c, d, e, f, g, h);
  } else if constexpr (kCount == 9) {
    auto& [a, b, c, d, e, f, g, h, i] = program;
    VisitEach(visit, a, b, c, d, e, f, g, h, i);
  } else if constexpr (kCount == 10) {
    auto& [a, b, c, d, e, f, g, h, i, j] = program;
    VisitEach(visit, a, b, c, d, e, f, g, h, i, j);
  } else if constexpr (kCount == 11) {
    auto& [a, b, c, d, e, f, g, h, i, j, k] = program;
    VisitEach(visit, a, b, c, d, e, f, g, h, i, j, k);
  } else if constexpr (kCount == 12) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l] = program;
    VisitEach(visit, a, b, c, d, e, f, g, h, i, j, k, l);
  }
}

}  // namespace internal

/// Calls `visit(field)` for each field of `program`, in order.
template <typename P, typename Visit>
constexpr void VisitFields(P& program, Visit&& visit) {
  if constexpr (kHoldsProgram<P>) {
    VisitFields(program.program, visit);
  } else {
    internal::VisitOwnFields(program, visit);
  }
}

}  // namespace edgemill

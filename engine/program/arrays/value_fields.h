// The fields of programs and functions: only views and numbers. So copies are cheap, and a GPU's
// copy has no pointers except those in its views.
#pragma once

#include <type_traits>

#include "engine/program/arrays/fields.h"
#include "engine/program/arrays/views.h"

namespace edgemill {

/// False. Depends on T, so that a static assertion fails only where its template is instantiated.
template <typename T>
inline constexpr bool kNever = false;

template <typename F>
concept ShowsArray = requires(const F& field) {
  field.array()->name;
};
template <typename F>
concept AddsToTally = requires(F& field) {
  field.total()->valid();
};
/// Whether a field is a view: of an array, of a tally or of degrees.
template <typename F>
inline constexpr bool kIsView = ShowsArray<F> || AddsToTally<F> || std::is_same_v<F, DegreeView>;

namespace internal {

/// Whether a field is a view or a number. If not, the compiler reports an error, which names the
/// field's type.
template <typename Field>
constexpr bool CheckField() {
  constexpr bool kIsSound = std::is_arithmetic_v<Field> || std::is_enum_v<Field> || kIsView<Field>;
  static_assert(kIsSound, "a field must be a view or a number: no pointer, array or class");
  return kIsSound;
}

template <typename P>
inline constexpr bool kHasSoundFields = [] {
  bool sound = true;
  P program{};
  VisitFields(program,
              [&](auto& field) { sound &= CheckField<std::remove_cvref_t<decltype(field)>>(); });
  return sound;
}();

}  // namespace internal

namespace internal {

/// Not a lambda: nvcc 13 fails on a lambda in a variable template.
struct FindTally {
  bool found = false;
  template <typename F>
  constexpr void operator()(F&) {
    found |= AddsToTally<F>;
  }
};
template <typename P>
constexpr bool HasTallies() {
  FindTally find;
  P program{};
  VisitFields(program, find);
  return find.found;
}

}  // namespace internal

/// Whether a program has any tally.
template <typename P>
inline constexpr bool kHasTallies = internal::HasTallies<P>();

/// Whether P, a program or a function, is an aggregate of views and numbers. If not, the compiler
/// reports one error.
template <typename P>
constexpr bool CheckFields() {
  if constexpr (kHoldsProgram<P>) {
    return CheckFields<typename P::OfWords>();
  } else if constexpr (!std::is_class_v<P> || !std::is_aggregate_v<P> ||
                       !std::is_trivially_copyable_v<P> || !std::is_copy_assignable_v<P> ||
                       !std::is_default_constructible_v<P>) {
    static_assert(kNever<P>,
                  "a program or function must be an aggregate of views and numbers: a struct "
                  "without constructors, whose fields are no containers, references or constants");
    return false;
  } else if constexpr (HasArrayField<P>()) {
    static_assert(kNever<P>,
                  "a field of a program or function is an array: hold a View of an array of the "
                  "State, or one field a number");
    return false;
  } else if constexpr (NumFields<P>() > kMaxFields) {
    static_assert(kNever<P>, "a program or function has at most 12 fields");
    return false;
  } else {
    return internal::kHasSoundFields<P>;
  }
}

}  // namespace edgemill

// Monoids say how messages combine: the type of messages, the type of sums, the identity and the
// operation.
//
// A monoid is a struct with `Value` (the type of sums), `identity()` and `Combine(Value, Value)`,
// which is commutative and associative (except for rounding). Optional: `Message` (the type of
// messages, if it is smaller), kIdempotent (Combine(a, a) is a), kFirstWins (any one of the
// messages is enough). Programs may define their own monoids.
#pragma once

#include <limits>
#include <type_traits>

#include "kernels/portable_atomics.h"

namespace edgemill {

template <typename T>
struct Min {
  using Value = T;
  static constexpr bool kIdempotent = true;
  EM_HOST_DEVICE static constexpr T identity() {
    return std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                                : std::numeric_limits<T>::max();
  }
  EM_HOST_DEVICE static constexpr T Combine(T a, T b) { return b < a ? b : a; }
};

template <typename T>
struct Max {
  using Value = T;
  static constexpr bool kIdempotent = true;
  EM_HOST_DEVICE static constexpr T identity() {
    return std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                                : std::numeric_limits<T>::lowest();
  }
  EM_HOST_DEVICE static constexpr T Combine(T a, T b) { return a < b ? b : a; }
};

/// Adds messages of type M in a T: Sum<double, float> sends 4 bytes and adds in double.
template <typename T, typename M = T>
struct Sum {
  using Value = T;
  using Message = M;
  EM_HOST_DEVICE static constexpr T identity() { return T{}; }
  EM_HOST_DEVICE static constexpr T Combine(T a, T b) { return a + b; }
};

template <typename T>
struct Or {
  using Value = T;
  static constexpr bool kIdempotent = true;
  EM_HOST_DEVICE static constexpr T identity() { return T{}; }
  EM_HOST_DEVICE static constexpr T Combine(T a, T b) { return static_cast<T>(a | b); }
};

/// Any one of the messages is enough: lists need not be read to their ends, and Apply is called at
/// most once for each vertex and pass.
template <typename T>
struct Any {
  using Value = T;
  static constexpr bool kIdempotent = true;
  static constexpr bool kFirstWins = true;
  EM_HOST_DEVICE static constexpr T identity() { return T{}; }
  EM_HOST_DEVICE static constexpr T Combine(T a, T) { return a; }
};

/// Two monoids side by side.
template <typename A, typename B>
struct Both {
  struct Value {
    typename A::Value first;
    typename B::Value second;
  };
  EM_HOST_DEVICE static constexpr Value identity() { return {A::identity(), B::identity()}; }
  EM_HOST_DEVICE static constexpr Value Combine(Value a, Value b) {
    return {A::Combine(a.first, b.first), B::Combine(a.second, b.second)};
  }
};

namespace internal {
template <typename M>
struct MessageOfMonoid {
  using Type = typename M::Value;
};
template <typename M>
requires requires { typename M::Message; }
struct MessageOfMonoid<M> {
  using Type = typename M::Message;
};
}  // namespace internal

/// The type of messages that a monoid combines.
template <typename M>
using MonoidMessage = typename internal::MessageOfMonoid<M>::Type;

/// The type in which a GPU adds up a few messages, before it adds them to a sum. Where the sum is
/// of a wider real type, this is the type of messages.
template <typename M>
struct GroupSum {
  using Type = typename M::Value;
  EM_HOST_DEVICE static Type Combine(Type a, Type b) { return M::Combine(a, b); }
};
template <typename T, typename S>
struct GroupSum<Sum<T, S>> {
  using Type = S;
  EM_HOST_DEVICE static Type Combine(Type a, Type b) { return a + b; }
};

template <typename M>
inline constexpr bool kIsIdempotent = [] {
  if constexpr (requires { M::kIdempotent; }) return bool{M::kIdempotent};
  return false;
}();
template <typename A, typename B>
inline constexpr bool kIsIdempotent<Both<A, B>> = kIsIdempotent<A>&& kIsIdempotent<B>;

template <typename M>
inline constexpr bool kIsFirstWins = [] {
  if constexpr (requires { M::kFirstWins; }) return bool{M::kFirstWins};
  return false;
}();

/// The address of this constant identifies the monoid.
template <typename M>
inline constexpr char kMonoidTag = 0;

/// Combines `value`, of at most 8 bytes, into `*place`. Other threads may do this at the same time.
/// Idempotent monoids read first, and write only a change.
template <typename M>
EM_HOST_DEVICE inline void CombineInto(typename M::Value* place, typename M::Value value) {
  using T = typename M::Value;
  static_assert(sizeof(T) <= 8, "values that threads combine at once have at most 8 bytes");
  if constexpr (std::is_same_v<M, Min<T>>) {
    AtomicMin(place, value);
  } else if constexpr (std::is_same_v<M, Max<T>>) {
    AtomicMax(place, value);
  } else if constexpr (std::is_arithmetic_v<T> && requires { typename M::Message; }) {
    AtomicAdd(place, value);  // Sum
  } else if constexpr (kIsIdempotent<M> && std::is_arithmetic_v<T>) {
    if (M::Combine(LoadRelaxed(place), value) != LoadRelaxed(place)) {
      AtomicCombine(place, value, M::Combine);
    }
  } else {
    AtomicCombine(place, value, M::Combine);
  }
}

}  // namespace edgemill

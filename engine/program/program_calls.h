// Calls of a program's functions. In debug builds, each call tells the AccessGuard which vertices
// the function may touch.
#pragma once

#include <cstring>
#include <string>

#include "engine/program/arrays/access_guard.h"
#include "engine/program/edge_program.h"

#if EDGEMILL_CHECK_VIEWS
#define EM_ACCESS(...) const AccessScope em_access(__VA_ARGS__)
#else
#define EM_ACCESS(...) static_cast<void>(0)
#endif

namespace edgemill {
inline namespace EM_VIEWS_NAMESPACE {

template <typename P>
EM_HOST_DEVICE inline MessageOfProgram<P> CallEmit(P& program, VertexId vertex) {
  if constexpr (EmitsRepeatedly<P>) {
    EM_ACCESS(vertex, /*pure=*/!HasRelax<P>);
    return std::as_const(program).Emit(vertex);
  } else {
    EM_ACCESS(vertex);
    return program.Emit(vertex);
  }
}

/// `weight` is a NoWeight unless Along takes one.
template <typename P, typename W>
EM_HOST_DEVICE inline MessageOfProgram<P> CallAlong(const P& program, MessageOfProgram<P> message,
                                                    VertexId from, VertexId to, W weight) {
  if constexpr (kIsWeighted<P>) {
    EM_ACCESS(to, from, to);
    return program.Along(message, WeightedEdge<WeightAsked<P>>{{from, to}, weight});
  } else if constexpr (HasAlong<P, Edge>) {
    EM_ACCESS(to, from, to);
    return program.Along(message, Edge{from, to});
  } else {
    return message;
  }
}

/// Returns true where the program has no Cond.
template <typename P>
EM_HOST_DEVICE inline bool CallCond(const P& program, VertexId vertex) {
  if constexpr (HasCond<P>) {
    EM_ACCESS(vertex);
    return program.Cond(vertex);
  }
  return true;
}

template <typename P>
EM_HOST_DEVICE inline bool CallApply(P& program, VertexId vertex, SumOfProgram<P> sum) {
  EM_ACCESS(vertex);
  return program.Apply(vertex, sum);
}

template <typename P>
EM_HOST_DEVICE inline bool CallRelax(P& program, VertexId vertex, SumOfProgram<P> sum) {
  EM_ACCESS(vertex);
  return program.Relax(vertex, sum);
}

/// Gives `vertex` the sum of its messages, by Apply or else by Relax. Returns whether the vertex is
/// in the result set. In programs that apply to all, a vertex whose Cond is false takes nothing.
template <typename P>
EM_HOST_DEVICE inline bool CallTake(P& program, VertexId vertex, SumOfProgram<P> sum) {
  if constexpr (kAppliesToAllOf<P>) {
    if (!CallCond(program, vertex)) return false;
  }
  if constexpr (HasApply<P>) {
    return CallApply(program, vertex, sum);
  } else {
    return CallRelax(program, vertex, sum);
  }
}

template <typename P>
EM_HOST_DEVICE inline bool CallEnough(const P& program, VertexId vertex, SumOfProgram<P> sum) {
  if constexpr (HasEnough<P>) {
    EM_ACCESS(vertex);
    return program.Enough(vertex, sum);
  }
  return false;
}

template <typename P>
EM_HOST_DEVICE inline double CallPriority(const P& program, VertexId vertex) {
  EM_ACCESS(vertex);
  return static_cast<double>(program.Priority(vertex));
}

// ---- The check that functions do not change the program itself.

#if EDGEMILL_CHECK_VIEWS
/// Reports a fault where functions have changed the numbers of `copy`, a copy of `program`. Each
/// thread has its own copy, so a change in one copy would be lost.
template <typename P>
void CheckNumbers(const P& program, const P& copy) {
  VisitFields(program, [&, place = 0](const auto& before) mutable {
    VisitFields(copy, [&, at = 0](const auto& after) mutable {
      using Field = std::remove_cvref_t<decltype(before)>;
      if constexpr (std::is_same_v<decltype(before), decltype(after)> &&
                    (std::is_arithmetic_v<Field> || std::is_enum_v<Field>)) {
        if (at == place && std::memcmp(&before, &after, sizeof(Field)) != 0) {
          AccessGuard::handler()("field " + std::to_string(place) + " of the program",
                                 "a function changed it");
        }
      }
      ++at;
    });
    ++place;
  });
}
#else
template <typename P>
void CheckNumbers(const P&, const P&) {}
#endif

// ---- A program's tallies.

/// Adds each tally of `part` to the same tally of `total`, and clears the tallies of `part`.
template <typename P>
void MergeTallies(P& total, P& part) {
  const auto merge = [](auto& to, auto& from) {
    if constexpr (requires { from.sum().Merge(from.sum()); }) {
      to.sum().Merge(from.sum());
      from.sum().Reset();
    }
  };
  VisitFields(total, [&, place = size_t{0}](auto& to) mutable {
    size_t at = 0;
    VisitFields(part, [&](auto& from) {
      if (at++ != place) return;
      if constexpr (std::is_same_v<decltype(to), decltype(from)>) merge(to, from);
    });
    ++place;
  });
}

/// Adds the sum in each TallyView of `program` to its Tally.
template <typename P>
void EndTallies(P& program) {
  VisitFields(program, [](auto& field) {
    if constexpr (requires { field.total()->Merge(field.sum()); }) {
      field.total()->Merge(field.sum());
      field.sum().Reset();
    }
  });
}

/// Prefetches the memory that `vertex` touches when it takes a message.
template <typename P>
inline void PrefetchOwn(P& program, VertexId vertex) {
  if constexpr (requires { Tuning<P>::Prefetch(program, vertex); }) {
    Tuning<P>::Prefetch(program, vertex);
  } else {
    VisitFields(program, [vertex](auto& field) {
      if constexpr (kIsOwnView<std::remove_cvref_t<decltype(field)>>) field.Prefetch(vertex);
    });
  }
}

/// Prefetches the memory that Emit of `vertex` reads.
template <typename P>
inline void PrefetchSent(P& program, VertexId vertex) {
  VisitFields(program, [vertex](auto& field) {
    using Field = std::remove_cvref_t<decltype(field)>;
    if constexpr (kIsReadView<Field> || (kIsOwnView<Field> && HasRelax<P>)) field.Prefetch(vertex);
  });
}

}  // namespace EM_VIEWS_NAMESPACE
}  // namespace edgemill

// Functions on vertices and on edges, which VertexMap, VertexFilter, Reduce and EdgeVisit call; of
// those on triangles (triangle.h), only the check.
// They are structs of views and numbers with an operator(). Reflection finds their fields, as for
// programs.
#pragma once

#include <concepts>
#include <type_traits>

#include "common/types.h"
#include "engine/program/arrays/value_fields.h"
#include "engine/program/edge.h"
#include "engine/program/edge_program.h"
#include "engine/program/functions/triangle.h"
#include "engine/program/program_ref.h"

namespace edgemill {

/// Names the kernels of a Reduce of F by the monoid M: one function may be reduced by several
/// monoids.
template <typename M, typename F>
struct ReduceOf {};

/// Whether VertexMap can call F. If not, the compiler reports one error.
template <typename F>
constexpr bool CheckVertexFunction() {
  if constexpr (!CheckFields<F>()) {
    return false;
  } else {
    constexpr bool kCalls = std::is_invocable_v<F&, VertexId>;
    static_assert(kCalls, "operator(): VertexMap needs `void operator()(VertexId)`");
    return kCalls;
  }
}

/// The same check for VertexFilter.
template <typename F>
constexpr bool CheckVertexTest() {
  if constexpr (!CheckFields<F>()) {
    return false;
  } else {
    constexpr bool kTests = requires(F & function) {
      { function(VertexId{}) } -> std::same_as<bool>;
    };
    static_assert(kTests, "operator(): VertexFilter needs `bool operator()(VertexId)`");
    return kTests;
  }
}

/// The same check for Reduce by the monoid M.
template <typename M, typename F>
constexpr bool CheckVertexValue() {
  if constexpr (!internal::CheckMonoid<M>() || !CheckFields<F>()) {
    return false;
  } else {
    constexpr bool kReturnsValue = requires(F & function) {
      { function(VertexId{}) } -> std::convertible_to<typename M::Value>;
    };
    static_assert(kReturnsValue,
                  "operator(): Reduce needs `Value operator()(VertexId)`, Value the "
                  "Monoid's");
    return kReturnsValue;
  }
}

/// The same check for EdgeVisit.
template <typename F>
constexpr bool CheckEdgeFunction() {
  if constexpr (!CheckFields<F>()) {
    return false;
  } else {
    constexpr bool kVisits = std::is_invocable_v<F&, Edge> ||
                             std::is_invocable_v<F&, WeightedEdge<int32_t>> ||
                             std::is_invocable_v<F&, WeightedEdge<float>> ||
                             std::is_invocable_v<F&, WeightedEdge<double>>;
    static_assert(kVisits,
                  "operator(): EdgeVisit needs `void operator()(const E&)`, E an Edge or a "
                  "WeightedEdge of int32_t, float or double");
    return kVisits;
  }
}

/// Calls the check for `kUse`. M is Reduce's monoid.
template <FunctionUse kUse, typename M, typename F>
constexpr bool CheckFunction() {
  if constexpr (kUse == FunctionUse::kMap) {
    return CheckVertexFunction<F>();
  } else if constexpr (kUse == FunctionUse::kFilter) {
    return CheckVertexTest<F>();
  } else if constexpr (kUse == FunctionUse::kReduce) {
    return CheckVertexValue<M, F>();
  } else if constexpr (kUse == FunctionUse::kIntersect) {
    return CheckTriangleFunction<F>();
  } else {
    return CheckEdgeFunction<F>();
  }
}

}  // namespace edgemill

// Triangles, and functions on them, which Engine::Intersect calls.
//
//   struct CountAtCorners {
//     using Monoid = Sum<uint64_t>;
//     Into<Monoid> triangles;
//     Corners<uint64_t> operator()(const Triangle&) const { return {1, 1, 1}; }
//     void Take(VertexId v, uint64_t sum) { triangles.Add(v, sum); }
//   };
#pragma once

#include <cstdint>
#include <type_traits>

#include "common/types.h"
#include "engine/program/arrays/value_fields.h"
#include "engine/program/monoids/monoids.h"

namespace edgemill {

/// Three vertices, each joined with the other two. Loops, duplicates and directions do not count.
struct Triangle {
  VertexId u, v, w;
};

/// A triangle with the number of edges between its corners, each direction once: 1 or 2 in a
/// directed graph. An edge of an undirected graph goes both ways, so there the number is 2.
struct ArcTriangle : Triangle {
  uint8_t uv, uw, vw;
};

/// Two vertices that are joined, with the number of edges between them, as above.
struct ArcPair {
  VertexId u, v;
  uint8_t arcs;
};

/// What a triangle tells its corners.
template <typename T>
struct Corners {
  T u, v, w;
};
/// What a pair tells its ends.
template <typename T>
struct Ends {
  T u, v;
};

/// Whether F has a function for pairs: `Ends<Value> Pair(const ArcPair&) const`, for each two
/// vertices that are joined.
template <typename F>
inline constexpr bool kTakesPairs = requires(const F& f) {
  f.Pair(ArcPair{});
};
/// Whether F asks for numbers of edges: its function takes an ArcTriangle, or it has one for pairs.
template <typename F>
inline constexpr bool kAsksForArcs =
    !std::is_invocable_v<const F&, const Triangle&> || kTakesPairs<F>;

/// Whether Intersect can call F. If not, the compiler reports one error.
template <typename F>
constexpr bool CheckTriangleFunction() {
  if constexpr (!CheckFields<F>()) {
    return false;
  } else if constexpr (!requires { typename F::Monoid; }) {
    static_assert(
        requires { typename F::Monoid; }, "Monoid: Intersect combines messages by it");
    return false;
  } else if constexpr (!internal::CheckMonoid<typename F::Monoid>()) {
    return false;
  } else {
    using Value = typename F::Monoid::Value;
    constexpr bool kFinds = std::is_invocable_r_v<Corners<Value>, const F&, const Triangle&> ||
                            std::is_invocable_r_v<Corners<Value>, const F&, const ArcTriangle&>;
    static_assert(kFinds,
                  "operator(): Intersect needs `Corners<Value> operator()(const T&) const`, T a "
                  "Triangle or an ArcTriangle, Value the Monoid's");
    constexpr bool kTakes = requires(F & f, Value value) { f.Take(VertexId{}, value); };
    static_assert(kTakes, "Take: Intersect needs `void Take(VertexId, Value)`");
    static_assert(sizeof(Value) <= 16, "values that corners get have at most 16 bytes");
    return kFinds && kTakes && sizeof(Value) <= 16;
  }
}

}  // namespace edgemill

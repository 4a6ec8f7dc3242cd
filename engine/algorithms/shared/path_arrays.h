// Numbers of shortest paths from a source, and the dependencies that follow from them: what
// searches over levels and over weights share (Brandes: A faster algorithm for betweenness
// centrality, 2001).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "engine/api/algorithm.h"
#include "engine/api/levels.h"
#include "engine/program/monoids/monoids.h"

namespace edgemill {

/// From the first level with a number of paths above this, numbers of paths have exponents. Up to
/// this, a sum over all vertices still fits a double.
inline constexpr double kMaxPaths = 0x1p960;

/// `number` times 2^-`power`; 0 where the product is too small to change a sum.
EM_HOST_DEVICE inline double Lessened(double number, uint32_t power) {
  return power > 1000 ? 0 : std::ldexp(number, -static_cast<int>(power));
}

inline namespace EM_VIEWS_NAMESPACE {

/// Gives a vertex's number of paths an exponent of its own, where there are exponents, and a
/// mantissa from 0.5 to 1.
EM_HOST_DEVICE inline void Normalize(View<double> paths, View<uint32_t> exponent, VertexId v) {
  if (!exponent) return;
  const double before = paths[v];
  int more = 0;
  paths[v] = std::frexp(before, &more);
  exponent[v] += static_cast<uint32_t>(more);
}

/// Fields of the state of betweenness. A dependency of a vertex is the sum, over targets, of its
/// share of the shortest paths from the source.
struct PathArrays {
  explicit PathArrays(State& state)
      : level(state, "level"),
        paths(state, "paths"),
        share(state, "share"),
        next_share(state, "next"),
        exponent(state, "exponent"),
        score(state, "betweenness", ArrayUse::kResult),
        levels(state, "levels") {}

  /// Before a search.
  void Clear() {
    level.Fill(~0u);
    paths.Fill(0);
    levels.Clear();
    wide = false;
  }
  /// Calls `begin(exponents, most)`, which calls Normalize for the members of a level, and adds
  /// their numbers of paths to the tally. Calls it again where these need exponents from this level
  /// on. `exponents` is empty while they need none.
  template <typename BeginLevel>
  Status Begin(BeginLevel begin) {
    Tally<Max<double>> most("numbers of paths");
    if (wide) return begin(exponent.view(), most.view());
    RETURN_IF_ERROR(begin(View<uint32_t>(), most.view()));
    ASSIGN_OR_RETURN(const double paths, most.Take());
    if (paths <= kMaxPaths) return OkStatus();
    wide = true;
    exponent.Fill(0);
    return begin(exponent.view(), most.view());
  }
  /// The exponents; an empty view where numbers of paths have none.
  View<const uint32_t> exponents() const { return wide ? exponent.read() : View<const uint32_t>(); }

  VertexArray<uint32_t> level;
  VertexArray<double> paths;  // times 2^exponent
  VertexArray<double> share, next_share;
  VertexArray<uint32_t> exponent;
  VertexArray<double> score;
  Levels levels;
  bool wide = false;  // numbers of paths have exponents
};

}  // namespace EM_VIEWS_NAMESPACE
}  // namespace edgemill

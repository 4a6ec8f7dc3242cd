// Products of the matrix of edges with a value of each vertex, as power iterations take them.
#pragma once

#include <cmath>

#include "engine/algorithms/shared/strengths.h"
#include "engine/api/algorithm.h"
#include "engine/program/monoids/monoids.h"

namespace edgemill {

/// The option of iterations that end by the mean change of a value, as NetworkX's do.
constexpr Option<double> MeanChange(double tolerance) {
  return {"-t,--tolerance",
          "stop when values change by less than X on average; 0: never",
          {.least = 0},
          tolerance};
}

inline namespace EM_VIEWS_NAMESPACE {

/// to[v] = the sum of scale * from[u] * w(u, v) over the edges that bring messages to v, plus
/// own * from[v] + base. E: Edge, where w is 1, or WeightedEdge<double>.
template <typename E>
struct Gather {
  using Monoid = Sum<double>;
  static constexpr bool kAppliesToAll = true;
  View<const double> from;
  View<double> to;
  double scale, own, base;
  double Emit(VertexId u) const { return scale * from[u]; }
  double Along(double value, const E& edge) const { return value * WeightOf(edge); }
  bool Apply(VertexId v, double sum) {
    to[v] = sum + own * from[v] + base;
    return false;
  }
};

/// Declares both forms of Gather, of which a run uses one.
struct Gathers {
  Gathers(RunState& state, Directions directions, bool weighted)
      : weighted(weighted),
        plain(state, directions, !weighted, PassesOf::kOne),
        by_weight(state, directions, weighted, PassesOf::kOne) {}

  /// Gathers into all vertices.
  Status Run(Engine& engine, Directions directions, const Gather<Edge>& gather) const {
    const VertexSet all = engine.sets().All();
    if (!weighted) return engine.EdgeMap(directions, all, gather).status();
    const Gather<WeightedEdge<double>> same{gather.from, gather.to, gather.scale, gather.own,
                                            gather.base};
    return engine.EdgeMap(directions, all, same).status();
  }

  const bool weighted;
  Programs<Gather<Edge>> plain;
  Programs<Gather<WeightedEdge<double>>> by_weight;
};

struct SquareOf {
  View<const double> value;
  double operator()(VertexId v) const { return value[v] * value[v]; }
};
struct ValueOf {
  View<const double> value;
  double operator()(VertexId v) const { return value[v]; }
};
/// |a[v] * a_scale - b[v] * b_scale|.
struct DistanceOf {
  View<const double> a, b;
  double a_scale, b_scale;
  double operator()(VertexId v) const { return std::abs(a[v] * a_scale - b[v] * b_scale); }
};

/// The Euclidean length of the values. BadDataError where it is no finite number above 0.
inline StatusOr<double> NormOf(Engine& engine, View<const double> value) {
  ASSIGN_OR_RETURN(const double squares,
                   engine.Reduce<Sum<double>>(engine.sets().All(), SquareOf{value}));
  if (squares > 0 && std::isfinite(squares)) return std::sqrt(squares);
  return BadDataError(squares > 0 ? "sums of weights are above all numbers: scale the weights"
                                  : "sums of weights vanish: scale the weights");
}

}  // namespace EM_VIEWS_NAMESPACE
}  // namespace edgemill

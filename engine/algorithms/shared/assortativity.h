// How degrees at the two ends of edges go together.
// Paper: Newman: Mixing Patterns in Networks, Physical Review E 2003.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/api/algorithm.h"

namespace edgemill {
inline namespace EM_VIEWS_NAMESPACE {

/// Sums over edges of what a vertex gives at either end: its degree, and the square of its
/// degree's distance from `mean`. An edge begins at one of `from`'s and ends at one of `to`'s.
struct DegreesOfEnds {
  using Monoid = Both<Both<Sum<double>, Max<uint64_t>>, Both<Sum<double>, Max<uint64_t>>>;
  DegreeView from, to;
  Monoid::Value operator()(VertexId v) const {
    const uint64_t out = from[v], in = to[v];
    return {{static_cast<double>(out) * static_cast<double>(out), out},
            {static_cast<double>(in) * static_cast<double>(in), in}};
  }
};
struct SpreadOfEnds {
  using Monoid = Both<Sum<double>, Sum<double>>;
  DegreeView from, to;
  double mean_from, mean_to;
  Monoid::Value operator()(VertexId v) const {
    const double out = static_cast<double>(from[v]), in = static_cast<double>(to[v]);
    return {out * (out - mean_from) * (out - mean_from), in * (in - mean_to) * (in - mean_to)};
  }
};
struct SpreadTogether {
  DegreeView from, to;
  double mean_from, mean_to;
  TallyView<Sum<double>> sum;
  void operator()(const Edge& edge) {
    sum.Add((static_cast<double>(from[edge.from]) - mean_from) *
            (static_cast<double>(to[edge.to]) - mean_to));
  }
};

/// The correlation, over all edges (u, v), of from[u] and to[v]: the degrees in the direction in
/// which edges go, and in the other. Nullopt where all of either are equal. One pass over the
/// out-lists, which the State declares.
template <typename E>
StatusOr<std::optional<double>> Assortativity(E& engine, DegreeView from, DegreeView to) {
  const VertexSet all = engine.sets().All();
  const double edges = static_cast<double>(engine.graph().num_edges());
  if (edges == 0) return std::optional<double>();
  ASSIGN_OR_RETURN(const auto ends,
                   engine.template Reduce<DegreesOfEnds::Monoid>(all, DegreesOfEnds{from, to}));
  const double mean_from = ends.first.first / edges, mean_to = ends.second.first / edges;
  ASSIGN_OR_RETURN(const auto spread, engine.template Reduce<SpreadOfEnds::Monoid>(
                                          all, SpreadOfEnds{from, to, mean_from, mean_to}));
  const double most = std::max(static_cast<double>(ends.first.second), 1.0) *
                      std::max(static_cast<double>(ends.second.second), 1.0) * edges;
  Tally<Sum<double>> together("products of degrees", most);
  RETURN_IF_ERROR(
      engine.EdgeVisit(kOut, all, SpreadTogether{from, to, mean_from, mean_to, together.view()}));
  ASSIGN_OR_RETURN(const double sum, together.Take());
  // Rounding leaves a little where nothing differs.
  const auto differs = [&](double squares, double mean) {
    return squares > 1e-12 * edges * mean * mean;
  };
  if (!differs(spread.first, mean_from) || !differs(spread.second, mean_to)) {
    return std::optional<double>();
  }
  return std::optional<double>(sum / std::sqrt(spread.first * spread.second));
}

}  // namespace EM_VIEWS_NAMESPACE
}  // namespace edgemill

// How degrees at the two ends of edges go together.
// Paper: Newman: Mixing Patterns in Networks, Physical Review E 2003.
#pragma once

#include <cmath>
#include <optional>

#include "engine/api/algorithm.h"

namespace edgemill {
inline namespace EM_VIEWS_NAMESPACE {

/// Of each end of edges: the sum of degrees over edges, and whether all degrees are equal. An edge
/// begins at one of `from`'s and ends at one of `to`'s.
struct DegreesOfEnds {
  using Range = Both<Max<uint64_t>, Max<uint64_t>>;  // the greatest degree, and ~ the least
  using Monoid = Both<Both<Sum<double>, Sum<double>>, Both<Range, Range>>;
  DegreeView from, to;
  Monoid::Value operator()(VertexId v) const {
    const uint64_t out = from[v], in = to[v];
    const double x = static_cast<double>(out), y = static_cast<double>(in);
    return {{x * x, y * y},
            {{out, out == 0 ? uint64_t{0} : ~out}, {in, in == 0 ? uint64_t{0} : ~in}}};
  }
};
/// Sums over edges of the squares of distances from the means.
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
  const auto [out, in] = ends.second;
  if (out.first == ~out.second || in.first == ~in.second) return std::optional<double>();
  const double mean_from = ends.first.first / edges, mean_to = ends.first.second / edges;
  ASSIGN_OR_RETURN(const auto spread, engine.template Reduce<SpreadOfEnds::Monoid>(
                                          all, SpreadOfEnds{from, to, mean_from, mean_to}));
  // No sum of products has a greater size, by the inequality of Cauchy and Schwarz.
  const double most = std::sqrt(spread.first) * std::sqrt(spread.second);
  Tally<Sum<double>> together("products of degrees", most * (1 + 1e-9));
  RETURN_IF_ERROR(
      engine.EdgeVisit(kOut, all, SpreadTogether{from, to, mean_from, mean_to, together.view()}));
  ASSIGN_OR_RETURN(const double sum, together.Take());
  return std::optional<double>(sum / most);
}

}  // namespace EM_VIEWS_NAMESPACE
}  // namespace edgemill

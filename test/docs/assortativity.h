// Degree assortativity of a symmetric graph: whether vertices with many edges have neighbours with
// many edges.
//
// Result   mean[v]: the mean degree of the neighbours of v. Of the graph: the correlation of the
//          degrees at both ends of an edge, and the number of vertices by the bits of the degree.
// Method   One pass collects, for each vertex, the degrees of its neighbours. Loops and duplicates
//          count.
// Paper    Newman: Assortative Mixing in Networks, Physical Review Letters 2002.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

#include "engine/api/engine.h"
#include "engine/verify/plain_visit.h"

namespace edgemill::docs {

struct CountDegrees {
  DegreeView degree;
  Into<Sum<uint64_t>> histogram;
  void operator()(VertexId v) {
    histogram.Add(static_cast<uint64_t>(std::bit_width(degree[v])), 1);
  }
};
struct DegreePowers {  // the sums of degrees, of their squares and of their cubes
  using Monoid = Both<Sum<double>, Both<Sum<double>, Sum<double>>>;
  DegreeView degree;
  Monoid::Value operator()(VertexId v) const {
    const auto d = static_cast<double>(degree[v]);
    return {d, {d * d, d * d * d}};
  }
};
struct AddDegrees {
  using Monoid = Sum<uint64_t>;
  DegreeView degree;
  View<double> mean;
  TallyView<Sum<double>> products;
  uint64_t Emit(VertexId u) const { return degree[u]; }
  bool Apply(VertexId v, uint64_t sum) {
    const auto d = static_cast<double>(degree[v]);
    mean[v] = static_cast<double>(sum) / d;
    products.Add(static_cast<double>(sum) * d);
    return false;
  }
};

struct AssortativityState : State {
  using State::State;
  VertexArray<double> mean{*this, "mean degree of neighbours", ArrayUse::kResult};
  Counters<Sum<uint64_t>> histogram{*this, "degrees by bits", 65};
  Degrees degrees{*this, kOut};
  Programs<AddDegrees> programs{*this, kOut};
};

/// The correlation; 0 where all degrees are alike.
template <typename E>
StatusOr<double> FindAssortativity(E& engine, AssortativityState& state) {
  const VertexSet all = engine.sets().All();
  const DegreeView degree = engine.Degrees(kOut);
  state.histogram.Reset();
  RETURN_IF_ERROR(engine.VertexMap(all, CountDegrees{degree, state.histogram.view()}));
  ASSIGN_OR_RETURN(const auto powers,
                   (engine.template Reduce<DegreePowers::Monoid>(all, DegreePowers{degree})));
  const double edges = powers.first, squares = powers.second.first, cubes = powers.second.second;
  // Products of degrees sum to no more than cubes do, since 2 a b <= a a + b b.
  Tally<Sum<double>> products("products of degrees", std::max(1.0, cubes));
  const AddDegrees add{degree, state.mean.view(), products.view()};
  RETURN_IF_ERROR(engine.EdgeMap(kOut, all, add).status());
  ASSIGN_OR_RETURN(const double sum, products.Take());
  const double variance = edges * cubes - squares * squares;
  return variance == 0 ? 0 : (edges * sum - squares * squares) / variance;
}

struct AssortativityCheck : State {
  using State::State;
  VertexArray<uint64_t> sums{*this, "the verifier's sums"};
};

/// Adds up edge by edge what the engine collected.
inline Status VerifyMeans(LoadedGraph& graph, const AssortativityState& state,
                          AssortativityCheck& check) {
  const VertexIndexView index = graph.index(Direction::kOut);
  const std::span<uint64_t> sums = check.sums.mutable_span();
  RETURN_IF_ERROR(PlainVisit(
      graph, [&](const Edge& edge) { AtomicAdd(&sums[edge.to], index.degree(edge.from)); }));
  ASSIGN_OR_RETURN(const VertexId wrong, FirstVertexWhere(graph, [&](VertexId v) {
                     const auto degree = static_cast<double>(index.degree(v));
                     const double mean = degree == 0 ? 0 : static_cast<double>(sums[v]) / degree;
                     return state.mean.Get(v) != mean;
                   }));
  return WrongVertex(graph, wrong, "has neighbours of another mean degree");
}

}  // namespace edgemill::docs

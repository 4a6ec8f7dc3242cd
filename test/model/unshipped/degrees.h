// Degrees, their histogram by powers of two, and the sum for degree assortativity.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "test/model/unshipped/vertex_functions.h"

namespace edgemill::model {

struct WriteDegree {
  DegreeView degrees;
  View<uint32_t> degree;
  Into<Sum<uint64_t>> histogram;
  void operator()(VertexId v) {
    degree[v] = static_cast<uint32_t>(degrees[v]);
    histogram.Add(static_cast<uint64_t>(std::bit_width(degrees[v])), 1);
  }
};
struct PairDegrees {  // sums the degrees of the senders to each vertex
  using Monoid = Both<Sum<uint32_t>, Sum<uint32_t>>;
  View<const uint32_t> degree;
  TallyView<Sum<double>> products;
  Into<Sum<uint64_t>> num_edges;
  Monoid::Value Emit(VertexId u) const { return {degree[u], 1}; }
  bool Apply(VertexId v, Monoid::Value sum) {
    products.Add(double(sum.first) * degree[v]);
    num_edges.Add(0, sum.second);
    return false;
  }
};

struct DegreesState : State {
  static constexpr uint64_t kBins = 65;
  using State::State;
  VertexArray<uint32_t> degree{*this, "degree", ArrayUse::kResult};
  Counters<Sum<uint64_t>> histogram{*this, "histogram", kBins};
  Counters<Sum<uint64_t>> num_edges{*this, "edges", 1};
  Tally<Sum<double>> products{"products", 0x1p40};
  Degrees degrees{*this, kOut};
  Programs<PairDegrees> programs{*this, kOut};
};

struct DegreeResult {
  std::vector<uint32_t> degree;
  std::vector<uint64_t> histogram;  // by the number of bits of the degree
  double products = 0;
  uint64_t num_edges = 0;
};

template <typename E>
StatusOr<DegreeResult> DegreeStatistics(E& engine) {
  DegreesState state(engine.num_vertices(), engine.threads());
  RETURN_IF_ERROR(state.Allocate(engine.budget()));
  state.histogram.Reset();
  state.num_edges.Reset();
  const VertexSet all = engine.sets().All();
  const WriteDegree write{engine.Degrees(kOut), state.degree.view(), state.histogram.view()};
  RETURN_IF_ERROR(engine.VertexMap(all, write));
  const PairDegrees pair{state.degree.read(), state.products.view(), state.num_edges.view()};
  RETURN_IF_ERROR(engine.EdgeMap(kOut, all, pair).status());
  ASSIGN_OR_RETURN(const double products, state.products.Take());
  return DegreeResult{CopyOf(state.degree), CopyOf(state.histogram), products,
                      state.num_edges.Get(0)};
}

}  // namespace edgemill::model

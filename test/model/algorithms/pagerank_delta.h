// PageRank by deltas: a vertex sends what it has received and not passed on. Rank of vertices
// without out-edges is dropped, and the sum is scaled to 1. Personalised: starts at seeds.
#pragma once

#include <utility>
#include <vector>

#include "test/model/algorithms/vertex_functions.h"

namespace edgemill::model {

struct PassOn {
  using Monoid = Sum<double>;
  View<double> rank;
  View<double> residual;
  DegreeView degree;
  double damping;
  double threshold;
  double Emit(VertexId u) {  // not const: consumes
    const double taken = AtomicExchange(residual[u], 0.0);
    rank[u] += taken;
    return degree[u] == 0 ? 0 : damping * taken / static_cast<double>(degree[u]);
  }
  bool Relax(VertexId v, double more) { return AtomicAdd(residual[v], more) + more > threshold; }
};

struct PageRankDeltaState : State {
  PageRankDeltaState(uint64_t num_vertices, int threads) : State(num_vertices, threads) {
    HoldSets(2);
  }
  VertexArray<double> rank{*this, "rank", ArrayUse::kResult};
  VertexArray<double> residual{*this, "residual"};
  Degrees degrees{*this, kOut};
  Programs<PassOn> programs{*this, kOut};
};

/// Ranks of walks that start at `seeds`, each of them as likely.
template <typename E>
StatusOr<std::vector<double>> PageRankByDeltas(E& engine, VertexSet seeds, double damping,
                                               double threshold) {
  PageRankDeltaState state(engine.num_vertices(), engine.threads());
  RETURN_IF_ERROR(state.Allocate(engine.budget()));
  const double start = (1 - damping) / static_cast<double>(std::max<uint64_t>(1, seeds.size()));
  RETURN_IF_ERROR(engine.VertexMap(seeds, Put<double>{state.residual.view(), start}));
  const PassOn pass_on{state.rank.view(), state.residual.view(), engine.Degrees(kOut), damping,
                       threshold};
  RETURN_IF_ERROR(engine.Fixpoint(kOut, std::move(seeds), pass_on).status());
  const VertexSet all = engine.sets().All();
  ASSIGN_OR_RETURN(const double sum,
                   engine.template Reduce<Sum<double>>(all, Read<double>{state.rank.read()}));
  RETURN_IF_ERROR(engine.VertexMap(all, Divide{state.rank.view(), sum}));
  return CopyOf(state.rank);
}

}  // namespace edgemill::model

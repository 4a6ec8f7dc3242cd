// Sets that edges join in the order of their weights, for verifiers of spanning forests.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <utility>

#include "engine/state/state.h"

namespace edgemill {
inline namespace EM_VIEWS_NAMESPACE {

/// Joins sets by edges of rising weight, and then tells the heaviest edge on the way between two
/// vertices: 17 bytes a vertex. Sets are linked by rank and ways are never shortened, so that a way
/// has at most 32 links, with rising weights.
class KruskalForest {
 public:
  explicit KruskalForest(State& state)
      : above_(state, "the verifier's links"),
        least_(state, "the verifier's least vertices"),
        weight_(state, "the verifier's weights of links"),
        rank_(state, "the verifier's ranks") {}

  /// Puts each vertex in a set of its own. Must be called first.
  void Start() {
    const std::span<VertexId> above = above_.mutable_span(), least = least_.mutable_span();
    for (size_t v = 0; v < above.size(); ++v) above[v] = least[v] = static_cast<VertexId>(v);
    weight_.Fill(kNoLink);
    rank_.Fill(0);
  }
  /// Joins the sets of `a` and `b`. False where they are one already. `weight` is at least that of
  /// the call before. Not thread-safe.
  bool Join(VertexId a, VertexId b, double weight) {
    const std::span<VertexId> above = above_.mutable_span(), least = least_.mutable_span();
    const std::span<uint8_t> rank = rank_.mutable_span();
    a = RootOf(a), b = RootOf(b);
    if (a == b) return false;
    if (rank[a] > rank[b]) std::swap(a, b);
    if (rank[a] == rank[b]) ++rank[b];
    above[a] = b;
    weight_.mutable_span()[a] = weight;
    least[b] = std::min(least[a], least[b]);
    return true;
  }
  /// The weight of the heaviest edge on the way from `a` to `b`; infinity where there is no way.
  double Heaviest(VertexId a, VertexId b) const {
    const std::span<const VertexId> above = above_.span();
    const std::span<const double> weight = weight_.span();
    double heaviest = -std::numeric_limits<double>::infinity();
    while (a != b && heaviest != kNoLink) {
      VertexId& lower = weight[a] < weight[b] ? a : b;
      heaviest = weight[lower];
      lower = above[lower];
    }
    return heaviest;
  }
  /// The least vertex in the set of `vertex`.
  VertexId LeastOf(VertexId vertex) const { return least_.span()[RootOf(vertex)]; }

 private:
  static constexpr double kNoLink = std::numeric_limits<double>::infinity();

  VertexId RootOf(VertexId vertex) const {
    const std::span<const VertexId> above = above_.span();
    while (above[vertex] != vertex) vertex = above[vertex];
    return vertex;
  }

  VertexArray<VertexId> above_, least_;
  VertexArray<double> weight_;  // of the edge that linked a vertex below another one
  VertexArray<uint8_t> rank_;
};

}  // namespace EM_VIEWS_NAMESPACE
}  // namespace edgemill

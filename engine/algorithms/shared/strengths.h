// Strengths: sums of the weights of each vertex's edges.
#pragma once

#include <limits>
#include <span>
#include <string>

#include "common/strings.h"
#include "engine/api/algorithm.h"
#include "engine/program/monoids/monoids.h"
#include "engine/verify/plain_visit.h"

namespace edgemill {

inline constexpr Option<bool> kWeighted{"--weighted", "count each edge by its weight"};

/// UsageError where kWeighted was given, and the graph has no weights.
inline Status CheckWeighted(const RunSetup& setup) {
  if (!setup.Get(kWeighted) || setup.info.weights != WeightType::kNone) return OkStatus();
  return UsageError(
      "--weighted: the graph has no weights: ingest it with weights, or leave the option out");
}
/// The same, also where a weight is negative.
inline Status CheckPositiveWeights(const RunSetup& setup) {
  RETURN_IF_ERROR(CheckWeighted(setup));
  if (!setup.Get(kWeighted) || !setup.info.has_negative_weight) return OkStatus();
  return UsageError(
      "--weighted: the graph has negative weights: shift or drop them and ingest "
      "again, or leave the option out");
}

/// What an edge counts: 1, or its weight.
constexpr double WeightOf(const Edge&) { return 1; }
constexpr double WeightOf(const WeightedEdge<double>& edge) { return edge.weight; }

inline namespace EM_VIEWS_NAMESPACE {

/// Adds up the weights of the edges that bring messages to each vertex: those of its out-edges if
/// messages go along kIn.
struct AddStrengths {
  using Monoid = Sum<double>;
  static constexpr bool kAppliesToAll = true;
  View<double> strength;
  double Emit(VertexId) const { return 0; }
  double Along(double, const WeightedEdge<double>& edge) const { return edge.weight; }
  bool Apply(VertexId v, double sum) {
    strength[v] = sum;
    return false;
  }
};

}  // namespace EM_VIEWS_NAMESPACE

/// BadDataError for a vertex whose strength is so great or small that a rank divided by it may be
/// lost.
inline Status CheckStrengths(LoadedGraph& graph, std::span<const double> strength) {
  constexpr double kLeast = 1e-280, kMost = 1e280;
  ASSIGN_OR_RETURN(const VertexId extreme, FirstVertexWhere(graph, [&](VertexId v) {
                     return strength[v] > kMost || (strength[v] != 0 && strength[v] < kLeast);
                   }));
  if (extreme == kInvalidVertex) return OkStatus();
  ASSIGN_OR_RETURN(const std::string text, VertexText(graph, extreme));
  return BadDataError(StrCat("the weights of the out-edges of vertex ", text, " sum to ",
                             strength[extreme], ": scale the weights"));
}

}  // namespace edgemill

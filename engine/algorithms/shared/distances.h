// Distances over weights that are not negative: least sums of weights on paths from a source.
#pragma once

#include <limits>
#include <span>
#include <string>

#include "common/strings.h"
#include "engine/api/algorithm.h"
#include "engine/program/monoids/monoids.h"
#include "engine/verify/plain_visit.h"

namespace edgemill {

inline namespace EM_VIEWS_NAMESPACE {

/// The distance of a vertex to which no path leads.
template <typename D>
inline constexpr D kNoDistance = Min<D>::identity();

/// W: of weights; D: of distances. For Engine::Bucketed, along kOut.
template <typename W, typename D>
struct Shorten {
  using Monoid = Min<D>;
  View<D> distance;
  D Emit(VertexId u) const { return distance[u]; }
  D Along(D length, const WeightedEdge<W>& edge) const {
    const D sum = length + static_cast<D>(edge.weight);
    return sum < length ? kNoDistance<D> : sum;  // does not fit: too far for this type
  }
  bool Relax(VertexId v, D length) { return AtomicMin(distance[v], length); }
  double Priority(VertexId v) const { return static_cast<double>(distance[v]); }
  struct Tuning {
    static bool WouldRelax(const Shorten& program, VertexId v, D length) {
      return length < program.distance[v];
    }
  };
};

template <typename D>
struct IsReached {
  View<const D> distance;
  bool operator()(VertexId v) const { return distance[v] != kNoDistance<D>; }
};

}  // namespace EM_VIEWS_NAMESPACE

/// Whether a distance may be above all doubles, where `farthest` is the greatest that is not.
constexpr bool MayPassDoubles(double farthest) { return farthest >= 0x1p969; }

/// BadDataError for a vertex to which all paths have lengths above all doubles. Such a vertex must
/// not count as unreached. Reads all edges: call it where MayPassDoubles.
inline Status CheckLengths(LoadedGraph& graph, std::span<const double> distance) {
  constexpr double kNone = kNoDistance<double>;
  VertexId beyond = kInvalidVertex;
  RETURN_IF_ERROR(PlainVisit(graph, [&](const WeightedEdge<double>& edge) {
    const double length = distance[edge.from];
    if (length == kNone || length + edge.weight != kNone) return;
    if (distance[edge.to] == kNone) AtomicMin(&beyond, edge.to);
  }));
  if (beyond == kInvalidVertex) return OkStatus();
  ASSIGN_OR_RETURN(const std::string text, VertexText(graph, beyond));
  return BadDataError(StrCat("the distance of vertex ", text, " is above ",
                             std::numeric_limits<double>::max(),
                             ", the greatest floating-point number: scale the weights"));
}

}  // namespace edgemill

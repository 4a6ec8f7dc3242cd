// Reads the in-edges of some vertices plainly, for verifiers.
#pragma once

#include <functional>
#include <span>

#include "engine/verify/plain_visit.h"

namespace edgemill {
namespace internal {

/// VisitPlainLists of either direction.
Status VisitPlainListsOf(
    LoadedGraph& graph, Direction direction, bool with_weights, std::span<const VertexId> from,
    const std::function<bool(const PlainBlock& block, std::span<const VertexId> lists)>& visit);

}  // namespace internal

/// PlainVisitFrom for the in-edges of the members of `into`, which rise. `visit` takes an Edge. A
/// PlainVisit of in-edges must have checked their index before. Where a graph lacks the in-lists,
/// all edges are visited: `visit` tells which ones end in `into`.
template <typename Visit>
Status PlainVisitInto(LoadedGraph& graph, std::span<const VertexId> into, Visit visit) {
  if (!graph.has_lists(Direction::kIn)) return PlainVisit(graph, visit);
  const VertexIndexView index = graph.index(Direction::kIn);
  return internal::VisitPlainListsOf(
      graph, Direction::kIn, /*with_weights=*/false, into,
      [&](const internal::PlainBlock& block, std::span<const VertexId> lists) {
        Visit own_visit = visit;
        return internal::VisitListsOf(block, index, lists,
                                      [&](uint32_t, VertexId owner, VertexId id) {
                                        own_visit(Edge{id, owner});
                                      });
      });
}

}  // namespace edgemill

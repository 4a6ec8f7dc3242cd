// Verifies the values of best paths from a source: least lengths, largest widths.
#pragma once

#include <span>
#include <type_traits>

#include "common/check.h"
#include "engine/api/algorithm.h"
#include "engine/verify/found_vertices.h"
#include "engine/verify/plain_visit.h"

namespace edgemill {

/// A type that holds any sum of two Ds: double, or a whole number.
template <typename D>
using WideLength = std::conditional_t<std::is_floating_point_v<D>, double, uint64_t>;

inline namespace EM_VIEWS_NAMESPACE {

/// The state of CheckPaths.
struct PathCheck : RunState {
  using RunState::RunState;
  VertexBits confirmed{*this, "the verifier's marks"};
  FoundVertices next{*this, "the verifier's list"};
};

/// Checks the values of best paths along out-edges. `Rule` says what a path is worth:
///   Value, kStart, kNone     a vertex's value, that of the source, that of a vertex without a path
///   Through(value, weight)   of a path with one edge more, which is not better than the path
///   Better(a, b)
///   kWrong                   the error text of a wrong vertex
///
/// In a right answer the source has kStart, and no edge makes a path better. Every other reached
/// vertex is confirmed: it gets exactly its value by an edge from a better vertex. An edge may cost
/// nothing, so the other vertex may also be equally good, if it is confirmed itself. Marks of
/// confirmed vertices spread from the source: after the first pass only edges from newly confirmed
/// vertices are read. In a search that was stopped (not `final`), edges may still make paths
/// better, and the value by an edge may be better than the vertex's. InternalError; the errors of
/// PlainVisit.
template <typename Rule>
Status CheckPaths(LoadedGraph& graph, std::span<const typename Rule::Value> value, VertexId source,
                  PathCheck& check, bool final) {
  using Wide = WideLength<typename Rule::Value>;
  CHECK_EQ(value.size(), graph.num_vertices());
  CHECK_LT(source, value.size());
  if (value[source] != Rule::kStart) return WrongVertex(graph, source, Rule::kWrong);
  check.confirmed.Add(source);
  VertexId too_far = kInvalidVertex;
  const auto visit =
      [&, next = FoundVertices::Adder(check.next)](const WeightedEdge<Wide>& edge) mutable {
        if (value[edge.from] == Rule::kNone) return;
        const Wide from = value[edge.from], to = value[edge.to];
        const Wide through = Rule::Through(from, edge.weight);
        const bool reached = value[edge.to] != Rule::kNone;
        const bool improves = !reached || Rule::Better(through, to);
        if (improves && final) {
          AtomicMin(&too_far, edge.to);
        } else if (reached && (through == to || (improves && !final)) &&
                   (Rule::Better(from, to) || check.confirmed.has(edge.from)) &&
                   check.confirmed.Add(edge.to)) {
          next.Add(edge.to);
        }
      };
  RETURN_IF_ERROR(PlainVisit(graph, visit));
  RETURN_IF_ERROR(WrongVertex(graph, too_far, Rule::kWrong));
  while (true) {
    const std::span<const VertexId> fresh = check.next.NextLevel(graph.threads());
    if (fresh.empty()) break;
    RETURN_IF_ERROR(PlainVisitFrom(graph, fresh, visit));
  }
  return NoVertexWhere(graph, Rule::kWrong, [&](VertexId v) {
    return value[v] != Rule::kNone && !check.confirmed.has(v);
  });
}

}  // namespace EM_VIEWS_NAMESPACE
}  // namespace edgemill

// Verifies trees of best paths from a source by the five checks of Graph500.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>

#include "common/check.h"
#include "engine/api/algorithm.h"
#include "engine/verify/path_check.h"
#include "engine/verify/plain_visit.h"

namespace edgemill {
inline namespace EM_VIEWS_NAMESPACE {

/// What CheckTree marks: three bits a vertex.
struct TreeMarks {
  TreeMarks(State& state, ArrayUse use)
      : rooted(state, "the verifier's marks of rooted vertices", use),
        joined(state, "the verifier's marks of parents' neighbours", use),
        tight(state, "the verifier's marks of tight edges", use) {}
  VertexBits rooted;  // parents lead to the source
  VertexBits joined;  // an edge leads here from the parent
  VertexBits tight;   // such an edge gives exactly the vertex's length
};

/// Levels or distances, and the tree that goes with them. An unreached vertex has the greatest D,
/// or infinity, and no parent (kInvalidVertex). The source is its own parent.
template <typename D>
struct PathTree {
  std::span<const D> length;
  std::span<const VertexId> parent;
  VertexId source;

  static constexpr D kNone = std::numeric_limits<D>::has_infinity
                                 ? std::numeric_limits<D>::infinity()
                                 : std::numeric_limits<D>::max();
};

namespace tree_checks {

inline constexpr std::string_view kIsTree = "fails check 1 of Graph500, the tree is a tree: ";

/// Whether the parents from `vertex` on lead to the source.
template <typename D>
bool LeadsToSource(const PathTree<D>& tree, VertexId vertex, VertexBits& rooted) {
  uint64_t steps = 0;
  for (VertexId at = vertex; at != tree.source && !rooted.has(at); at = tree.parent[at]) {
    if (tree.parent[at] == kInvalidVertex || ++steps > tree.parent.size()) return false;
  }
  for (VertexId at = vertex; at != tree.source && rooted.Add(at);) at = tree.parent[at];
  return true;
}

/// Check 1: the tree is a tree with the source as its root.
template <typename D>
Status CheckIsTree(LoadedGraph& graph, const PathTree<D>& tree, VertexBits& rooted) {
  const std::span<const D> length = tree.length;
  const std::span<const VertexId> parent = tree.parent;
  const VertexId source = tree.source;
  const auto wrong = [&](std::string_view what, auto test) {
    return NoVertexWhere(graph, StrCat(kIsTree, what), test);
  };
  RETURN_IF_ERROR(
      wrong("it is the source, and does not have length 0 and itself as parent",
            [&](VertexId v) { return v == source && (length[v] != 0 || parent[v] != source); }));
  RETURN_IF_ERROR(wrong("its parent is not a vertex", [&](VertexId v) {
    return parent[v] != kInvalidVertex && parent[v] >= parent.size();
  }));
  RETURN_IF_ERROR(wrong(
      "it has a length without a parent, or a parent without a length",
      [&](VertexId v) { return (length[v] == tree.kNone) != (parent[v] == kInvalidVertex); }));
  return wrong("its parents do not lead to the source", [&](VertexId v) {
    return parent[v] != kInvalidVertex && !LeadsToSource(tree, v, rooted);
  });
}

/// The length of an edge: 1, or its weight.
inline uint32_t LengthOf(const Edge&) { return 1; }
template <typename W>
W LengthOf(const WeightedEdge<W>& edge) {
  return edge.weight;
}

}  // namespace tree_checks

/// Checks a tree of best paths by the five checks of Graph500's specification, in this order:
///   1. the tree is a tree: parents lead from every reached vertex to the source, without a cycle;
///   2. a tree edge joins vertices whose lengths differ by exactly the length of the edge;
///   3. no edge joins reached vertices whose lengths differ by more than the length of the edge;
///   4. the tree spans the component: no edge leads from a reached vertex to an unreached one;
///   5. an edge of the graph leads from the parent of each vertex to the vertex.
/// Of parallel edges, one is enough for checks 2 and 5. Checks 3 and 4 follow the direction of
/// edges; an undirected graph stores both. A vertex that fails check 5 has no edge for check 2.
/// `E` is Edge where each edge has length 1, else a WeightedEdge. All five checks together hold
/// only for the right answer. Reads every edge once. InternalError that says the number of the
/// check, and what failed; the errors of PlainVisit.
template <typename E, typename D>
Status CheckTree(LoadedGraph& graph, const PathTree<D>& tree, TreeMarks& marks) {
  using Wide = WideLength<D>;
  const std::span<const D> length = tree.length;
  const std::span<const VertexId> parent = tree.parent;
  const VertexId source = tree.source;
  CHECK_EQ(length.size(), graph.num_vertices());
  CHECK_EQ(parent.size(), graph.num_vertices());
  CHECK_LT(source, graph.num_vertices());
  RETURN_IF_ERROR(tree_checks::CheckIsTree(graph, tree, marks.rooted));
  VertexId too_far = kInvalidVertex, beyond = kInvalidVertex;
  RETURN_IF_ERROR(PlainVisit(graph, [&](const E& edge) {
    if (parent[edge.from] == kInvalidVertex) return;
    if (parent[edge.to] == kInvalidVertex) return AtomicMin(&beyond, edge.to), void();
    const Wide through = Wide{length[edge.from]} + static_cast<Wide>(tree_checks::LengthOf(edge));
    if (length[edge.to] > through) AtomicMin(&too_far, edge.to);
    if (parent[edge.to] != edge.from) return;
    marks.joined.Add(edge.to);
    if (length[edge.to] == through) marks.tight.Add(edge.to);
  }));
  const auto is_child = [&](VertexId v) { return parent[v] != kInvalidVertex && v != source; };
  RETURN_IF_ERROR(NoVertexWhere(
      graph, "fails check 2 of Graph500, lengths along a tree edge differ by the edge's length",
      [&](VertexId v) { return is_child(v) && marks.joined.has(v) && !marks.tight.has(v); }));
  RETURN_IF_ERROR(WrongVertex(
      graph, too_far,
      "fails check 3 of Graph500, lengths along an edge differ by at most the edge's length"));
  RETURN_IF_ERROR(
      WrongVertex(graph, beyond,
                  "fails check 4 of Graph500, the tree spans the component: it is unreached and "
                  "has an edge from a reached vertex"));
  return NoVertexWhere(graph, "fails check 5 of Graph500, an edge joins a vertex and its parent",
                       [&](VertexId v) { return is_child(v) && !marks.joined.has(v); });
}

}  // namespace EM_VIEWS_NAMESPACE
}  // namespace edgemill

#include "engine/verify/triangle_check.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <span>
#include <vector>

#include "common/random.h"
#include "engine/verify/plain_visit_into.h"

namespace edgemill {
namespace {

constexpr size_t kAtOnce = 64;            // a bit each
constexpr uint64_t kMostVertices = 4096;  // of a graph that is checked at all of them
/// Vertices, and edges in their lists, whose pairs are held together: the most, and the least.
constexpr uint64_t kMostAtOnce = uint64_t{1} << 20;
constexpr uint64_t kLeastAtOnce = uint64_t{1} << 12;

std::vector<Direction> DirectionsOf(const LoadedGraph& graph) {
  if (!graph.info().directed) return {Direction::kOut};
  return {Direction::kOut, Direction::kIn};
}

EdgeIndex DegreeOf(const LoadedGraph& graph, VertexId vertex) {
  const EdgeIndex in = graph.info().directed ? graph.index(Direction::kIn).degree(vertex) : 0;
  return graph.index(Direction::kOut).degree(vertex) + in;
}

/// Vertices in rising order, each once.
std::vector<VertexId> SampleVertices(const LoadedGraph& graph) {
  Random random(graph.num_edges());
  std::vector<VertexId> sample;
  const VertexIndexView index = graph.index(Direction::kOut);
  while (sample.size() < kAtOnce) {
    const bool by_degree = sample.size() % 2 == 0 && graph.num_edges() > 0;
    sample.push_back(by_degree ? index.LowerBound(random.Below(graph.num_edges()) + 1) - 1
                               : static_cast<VertexId>(random.Below(graph.num_vertices())));
  }
  std::sort(sample.begin(), sample.end());
  sample.erase(std::unique(sample.begin(), sample.end()), sample.end());
  return sample;
}

/// Calls `visit(vertex, neighbor)` for the lists of the vertices `from`, which rise.
template <typename Visit>
Status VisitLists(LoadedGraph& graph, Direction direction, std::span<const VertexId> from,
                  Visit visit) {
  if (direction == Direction::kOut) {
    return PlainVisitFrom(graph, from, [&](const Edge& edge) { visit(edge.from, edge.to); });
  }
  return PlainVisitInto(graph, from, [&](const Edge& edge) { visit(edge.to, edge.from); });
}

/// Adds a joined pair, with `arcs` edges between the two, to the vertices near both.
void AddPair(std::span<const uint64_t> near, VertexId a, VertexId b, uint64_t arcs,
             std::vector<CountedCorner>& corners) {
  for (uint64_t bits = near[a] & near[b]; bits != 0; bits &= bits - 1) {
    CountedCorner& at = corners[static_cast<size_t>(std::countr_zero(bits))];
    AtomicAdd(&at.triangles, uint64_t{1});
    AtomicAdd(&at.arcs, arcs);
  }
}

/// Counts the pairs whose larger vertex is `vertex`. Reads its lists twice, so that no memory grows
/// with them.
Status CountPairsOf(LoadedGraph& graph, VertexId vertex, TriangleCheck& check,
                    std::vector<CountedCorner>& corners) {
  const std::span<const uint64_t> near = check.near.span();
  const std::span<uint8_t> in_lists = check.in_lists.mutable_span();
  for (const bool counts : {false, true}) {
    for (const Direction direction : DirectionsOf(graph)) {
      const uint8_t mark = direction == Direction::kOut ? 1 : 2;
      RETURN_IF_ERROR(
          VisitLists(graph, direction, std::span(&vertex, 1), [&](VertexId, VertexId neighbor) {
            if (neighbor >= vertex || (near[vertex] & near[neighbor]) == 0) return;
            uint8_t* const place = &in_lists[neighbor];
            if (!counts) {  // other threads can only write the same
              return StoreRelaxed(place, static_cast<uint8_t>(LoadRelaxed(place) | mark));
            }
            const uint8_t found = AtomicExchange(place, uint8_t{0});
            if (found == 0) return;  // it was counted
            const uint64_t arcs = graph.info().directed && found != 3 ? 1 : 2;
            AddPair(near, vertex, neighbor, arcs, corners);
          }));
    }
  }
  return OkStatus();
}

/// A joined pair in one direction, by the place of its larger vertex among `from`.
uint64_t PairOf(uint64_t place, VertexId smaller, bool is_in) {
  return place << 33 | uint64_t{smaller} << 1 | (is_in ? 1 : 0);
}

/// Vertices, and the edges in their lists.
struct ListedVertices {
  VertexId begin, end;
  EdgeIndex edges;
};

/// Counts the pairs whose larger vertex is in `range`.
Status CountPairs(LoadedGraph& graph, const ListedVertices& range, std::span<const uint64_t> near,
                  std::vector<CountedCorner>& corners) {
  ASSIGN_OR_RETURN(
      const MemoryReservation reservation,
      graph.budget().Reserve((range.edges + range.end - range.begin) * sizeof(uint64_t),
                             "the verifier's pairs"));
  std::vector<VertexId> from(range.end - range.begin);
  std::iota(from.begin(), from.end(), range.begin);
  std::vector<uint64_t> pairs(range.edges);
  uint64_t num_pairs = 0;
  for (const Direction direction : DirectionsOf(graph)) {
    RETURN_IF_ERROR(VisitLists(graph, direction, from, [&](VertexId vertex, VertexId neighbor) {
      if (neighbor >= vertex || (near[vertex] & near[neighbor]) == 0) return;
      pairs[AtomicAdd(&num_pairs, uint64_t{1})] =
          PairOf(vertex - range.begin, neighbor, direction == Direction::kIn);
    }));
  }
  pairs.resize(num_pairs);
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (i > 0 && pairs[i] >> 1 == pairs[i - 1] >> 1) continue;  // the other direction
    const bool twice = i + 1 < pairs.size() && pairs[i] >> 1 == pairs[i + 1] >> 1;
    const auto larger = range.begin + static_cast<VertexId>(pairs[i] >> 33);
    const auto smaller = static_cast<VertexId>(pairs[i] >> 1);
    AddPair(near, larger, smaller, twice || !graph.info().directed ? 2 : 1, corners);
  }
  return OkStatus();
}

/// Counts at `vertices`, at most kAtOnce of them, which rise.
StatusOr<std::vector<CountedCorner>> CountAt(LoadedGraph& graph, TriangleCheck& check,
                                             std::span<const VertexId> vertices) {
  std::vector<CountedCorner> corners;
  for (const VertexId vertex : vertices) corners.push_back({.vertex = vertex});
  check.near.Fill(0);
  check.in_lists.Fill(0);
  const std::span<uint64_t> near = check.near.mutable_span();
  for (const Direction direction : DirectionsOf(graph)) {
    RETURN_IF_ERROR(VisitLists(graph, direction, vertices, [&](VertexId vertex, VertexId neighbor) {
      const auto i = std::lower_bound(vertices.begin(), vertices.end(), vertex) - vertices.begin();
      if (neighbor != vertex) AtomicOr(&near[neighbor], uint64_t{1} << i);
    }));
  }
  for (const uint64_t bits : near) {
    for (uint64_t left = bits; left != 0; left &= left - 1) {
      ++corners[static_cast<size_t>(std::countr_zero(left))].neighbors;
    }
  }
  const uint64_t at_once =
      std::clamp(graph.budget().available_bytes() / 32, kLeastAtOnce, kMostAtOnce);
  const auto num_vertices = static_cast<VertexId>(graph.num_vertices());
  for (VertexId begin = 0, end = 0; begin < num_vertices; begin = end) {
    EdgeIndex edges = DegreeOf(graph, end++);
    for (; end < num_vertices && end - begin < at_once; ++end) {
      const EdgeIndex more = DegreeOf(graph, end);
      if (edges + more > at_once) break;
      edges += more;
    }
    RETURN_IF_ERROR(edges > at_once ? CountPairsOf(graph, begin, check, corners)
                                    : CountPairs(graph, {begin, end, edges}, near, corners));
  }
  return corners;
}

}  // namespace

Status CheckCorners(LoadedGraph& graph, TriangleCheck& check,
                    const std::function<Status(const CountedCorner& corner)>& compare) {
  for (const Direction direction : DirectionsOf(graph)) {
    RETURN_IF_ERROR(PlainVisit(
        graph, [](const Edge&) {}, direction));  // checks the index
  }
  std::vector<VertexId> vertices;
  if (graph.num_vertices() <= kMostVertices) {
    vertices.resize(graph.num_vertices());
    std::iota(vertices.begin(), vertices.end(), VertexId{0});
  } else {
    vertices = SampleVertices(graph);
  }
  for (size_t first = 0; first < vertices.size(); first += kAtOnce) {
    const size_t count = std::min(kAtOnce, vertices.size() - first);
    ASSIGN_OR_RETURN(const auto corners,
                     CountAt(graph, check, std::span(vertices).subspan(first, count)));
    for (const CountedCorner& corner : corners) RETURN_IF_ERROR(compare(corner));
  }
  return OkStatus();
}

}  // namespace edgemill

#include "engine/verify/truss_check.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/random.h"
#include "common/strings.h"
#include "engine/verify/plain_visit_into.h"

namespace edgemill {
namespace {

/// The share of the memory that is left for the verifier: numbers are read with the rest.
constexpr uint64_t kShareOfMemory = 16;
constexpr uint64_t kPeeledEdgeBytes = 512;  // in sets, maps and lists
constexpr uint64_t kMostSquares = uint64_t{1} << 24;
constexpr size_t kTrussSamples = 64;

std::vector<Direction> StoredLists(const LoadedGraph& graph) {
  if (!graph.info().directed) return {Direction::kOut};
  return {Direction::kOut, Direction::kIn};
}

uint64_t EdgesAt(const LoadedGraph& graph, VertexId vertex) {
  uint64_t edges = 0;
  for (const Direction direction : StoredLists(graph)) {
    edges += graph.index(direction).degree(vertex);
  }
  return edges;
}

StatusOr<std::string> EdgeText(LoadedGraph& graph, VertexId one, VertexId other) {
  ASSIGN_OR_RETURN(const std::string name, VertexText(graph, one));
  ASSIGN_OR_RETURN(const std::string other_name, VertexText(graph, other));
  return StrCat("the edge of vertices ", name, " and ", other_name);
}

Status WrongEdge(LoadedGraph& graph, VertexId one, VertexId other, std::string_view what) {
  ASSIGN_OR_RETURN(const std::string edge, EdgeText(graph, one, other));
  return InternalError(StrCat(edge, " ", what));
}

using EdgeKey = std::pair<VertexId, VertexId>;  // the lesser vertex is first

EdgeKey KeyOf(VertexId one, VertexId other) { return std::minmax(one, other); }

/// The edges of a graph that is peeled by the definition.
class PlainPeeling {
 public:
  void Add(const EdgeKey& edge) {
    near_[edge.first].insert(edge.second);
    near_[edge.second].insert(edge.first);
    left_.insert(edge);
  }
  const std::set<EdgeKey>& left() const { return left_; }
  /// Removes edges in fewer than k - 2 triangles until none is left.
  void PeelTo(uint32_t k) {
    for (bool again = true; std::exchange(again, false);) {
      for (auto edge = left_.begin(); edge != left_.end();) {
        if (Triangles(*edge) + 2 >= k) {
          ++edge;
          continue;
        }
        near_[edge->first].erase(edge->second);
        near_[edge->second].erase(edge->first);
        edge = left_.erase(edge);
        again = true;
      }
    }
  }

 private:
  uint64_t Triangles(const EdgeKey& edge) const {
    const std::set<VertexId>* few = &near_.at(edge.first);
    const std::set<VertexId>* many = &near_.at(edge.second);
    if (few->size() > many->size()) std::swap(few, many);
    return static_cast<uint64_t>(
        std::count_if(few->begin(), few->end(), [&](VertexId v) { return many->contains(v); }));
  }

  std::map<VertexId, std::set<VertexId>> near_;
  std::set<EdgeKey> left_;
};

/// The edges of the simple undirected graph.
StatusOr<std::vector<EdgeKey>> SimpleEdgesOf(LoadedGraph& graph) {
  std::vector<EdgeKey> edges(graph.num_edges());
  uint64_t num_edges = 0;
  RETURN_IF_ERROR(PlainVisit(graph, [&](const Edge& edge) {
    if (edge.from != edge.to) edges[AtomicAdd(&num_edges, uint64_t{1})] = KeyOf(edge.from, edge.to);
  }));
  edges.resize(num_edges);
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

StatusOr<uint64_t> CheckAll(LoadedGraph& graph, const GivenTrusses& given) {
  ASSIGN_OR_RETURN(const std::vector<EdgeKey> edges, SimpleEdgesOf(graph));
  std::map<EdgeKey, uint32_t> trusses;
  uint64_t visited = 0;
  RETURN_IF_ERROR(given.for_each([&](VertexId one, VertexId other, uint32_t truss) {
    trusses[KeyOf(one, other)] = truss;
    ++visited;
  }));
  if (visited != edges.size() || trusses.size() != edges.size()) {
    return InternalError(StrCat("there are truss numbers of ", visited, " edges, and ",
                                edges.size(), " edges without duplicates and loops"));
  }
  PlainPeeling peeling;
  for (const EdgeKey& edge : edges) {
    if (!trusses.contains(edge)) {
      return WrongEdge(graph, edge.first, edge.second, "has no truss number");
    }
    peeling.Add(edge);
  }
  for (uint32_t k = given.least; !peeling.left().empty(); ++k) {
    const std::set<EdgeKey> before = peeling.left();
    peeling.PeelTo(k);
    for (const EdgeKey& edge : before) {
      if (peeling.left().contains(edge)) continue;
      const uint32_t truss = std::exchange(trusses[edge], 0);
      if (truss == k - 1) continue;
      return WrongEdge(graph, edge.first, edge.second,
                       StrCat("has the truss number ", k - 1, ", not ", truss));
    }
  }
  return edges.size();
}

/// A chosen edge, and the neighbours of the chosen edges' ends.
struct ChosenEdge {
  VertexId one, other;
  uint32_t truss;
};
struct ChosenEnd {
  VertexId vertex = 0;
  std::vector<VertexId> neighbors;                   // in the graph
  uint64_t num_neighbors = 0;                        // of them, while these are read
  std::vector<std::pair<VertexId, uint32_t>> given;  // neighbours, with truss numbers
};

class SampledEdges {
 public:
  SampledEdges(LoadedGraph& graph, const GivenTrusses& given) : graph_(graph), given_(given) {}

  StatusOr<uint64_t> Check() {
    for (const Direction direction : StoredLists(graph_)) {
      RETURN_IF_ERROR(PlainVisit(
          graph_, [](const Edge&) {}, direction));  // checks the index
    }
    RETURN_IF_ERROR(Choose());
    RETURN_IF_ERROR(ReadNeighbors());
    RETURN_IF_ERROR(given_.for_each([&](VertexId one, VertexId other, uint32_t truss) {
      if (ChosenEnd* const end = EndAt(one)) end->given.emplace_back(other, truss);
      if (ChosenEnd* const end = EndAt(other)) end->given.emplace_back(one, truss);
    }));
    for (ChosenEnd& end : ends_) RETURN_IF_ERROR(CompareNeighbors(end));
    for (const ChosenEdge& edge : edges_) RETURN_IF_ERROR(CheckEdge(edge));
    return edges_.size();
  }

 private:
  ChosenEnd* EndAt(VertexId vertex) {
    const auto end = std::lower_bound(ends_.begin(), ends_.end(), vertex,
                                      [](const ChosenEnd& e, VertexId v) { return e.vertex < v; });
    return end != ends_.end() && end->vertex == vertex ? &*end : nullptr;
  }

  Status Choose() {
    Random random(given_.num_edges);
    std::set<uint64_t> numbers;
    for (size_t i = 0; i < kTrussSamples; ++i) numbers.insert(random.Below(given_.num_edges));
    uint64_t number = 0, left = graph_.budget().available_bytes() / kShareOfMemory;
    uint64_t taken = 0;
    std::set<VertexId> vertices;
    RETURN_IF_ERROR(given_.for_each([&](VertexId one, VertexId other, uint32_t truss) {
      if (!numbers.contains(number++)) return;
      const uint64_t bytes = kBytesAnEdge * (EdgesAt(graph_, one) + EdgesAt(graph_, other));
      if (bytes > left) return;
      left -= bytes;
      taken += bytes;
      edges_.push_back({one, other, truss});
      vertices.insert({one, other});
    }));
    if (number != given_.num_edges) {
      return InternalError(StrCat("there are ", number, " truss numbers, not ", given_.num_edges));
    }
    ASSIGN_OR_RETURN(reservation_, graph_.budget().Reserve(taken, "the verifier's lists"));
    for (const VertexId vertex : vertices) {
      ChosenEnd& end = ends_.emplace_back();
      end.vertex = vertex;
      end.neighbors.resize(EdgesAt(graph_, vertex));
      end.given.reserve(end.neighbors.size());
    }
    return OkStatus();
  }

  Status ReadNeighbors() {
    std::vector<VertexId> vertices;
    for (const ChosenEnd& end : ends_) vertices.push_back(end.vertex);
    const auto visit = [&](VertexId vertex, VertexId neighbor) {
      ChosenEnd* const end = EndAt(vertex);
      if (end == nullptr) return;
      const uint64_t place = AtomicAdd(&end->num_neighbors, uint64_t{1});
      if (place < end->neighbors.size()) end->neighbors[place] = neighbor;
    };
    RETURN_IF_ERROR(
        PlainVisitFrom(graph_, vertices, [&](const Edge& edge) { visit(edge.from, edge.to); }));
    if (!graph_.info().directed) return OkStatus();
    return PlainVisitInto(graph_, vertices, [&](const Edge& edge) { visit(edge.to, edge.from); });
  }

  Status CompareNeighbors(ChosenEnd& end) {
    std::vector<VertexId>& neighbors = end.neighbors;
    neighbors.resize(std::min<uint64_t>(end.num_neighbors, neighbors.size()));
    std::erase(neighbors, end.vertex);
    std::sort(neighbors.begin(), neighbors.end());
    neighbors.erase(std::unique(neighbors.begin(), neighbors.end()), neighbors.end());
    std::sort(end.given.begin(), end.given.end());
    const bool are_equal =
        std::equal(neighbors.begin(), neighbors.end(), end.given.begin(), end.given.end(),
                   [](VertexId neighbor, const auto& given) { return neighbor == given.first; });
    return WrongVertex(graph_, are_equal ? kInvalidVertex : end.vertex,
                       StrCat("has ", neighbors.size(), " neighbours, and truss numbers of ",
                              end.given.size(), " edges: these are not the same"));
  }

  Status CheckEdge(const ChosenEdge& edge) {
    const auto &of_one = EndAt(edge.one)->given, &of_other = EndAt(edge.other)->given;
    uint64_t within = 0, above = 0;  // triangles of edges with numbers from, and above, its own
    for (auto a = of_one.begin(), b = of_other.begin(); a != of_one.end() && b != of_other.end();) {
      if (a->first < b->first) {
        ++a;
      } else if (b->first < a->first) {
        ++b;
      } else {
        const uint32_t least = std::min(a++->second, b++->second);
        within += least >= edge.truss ? 1 : 0;
        above += least > edge.truss ? 1 : 0;
      }
    }
    if (edge.truss >= given_.least && within + 2 < edge.truss) {
      return WrongEdge(graph_, edge.one, edge.other,
                       StrCat("is in ", within, " triangles of the ", edge.truss,
                              "-truss, too few for the truss number ", edge.truss));
    }
    if (above + 1 >= edge.truss) {
      return WrongEdge(graph_, edge.one, edge.other,
                       StrCat("is in ", above, " triangles of the ", edge.truss + 1,
                              "-truss, too many for the truss number ", edge.truss));
    }
    return OkStatus();
  }

  static constexpr uint64_t kBytesAnEdge = sizeof(VertexId) + sizeof(std::pair<VertexId, uint32_t>);

  LoadedGraph& graph_;
  const GivenTrusses& given_;
  MemoryReservation reservation_;
  std::vector<ChosenEdge> edges_;
  std::vector<ChosenEnd> ends_;  // by vertex
};

}  // namespace

StatusOr<uint64_t> CheckTrusses(LoadedGraph& graph, const GivenTrusses& given) {
  uint64_t squares = 0;
  for (VertexId vertex = 0; vertex < graph.num_vertices() && squares <= kMostSquares; ++vertex) {
    const uint64_t edges = EdgesAt(graph, vertex);
    squares += std::min(edges, kMostSquares) * std::min(edges, kMostSquares);
  }
  const uint64_t bytes = kPeeledEdgeBytes * graph.num_edges();
  if (squares <= kMostSquares && bytes <= graph.budget().available_bytes() / kShareOfMemory) {
    ASSIGN_OR_RETURN(const MemoryReservation reservation,
                     graph.budget().Reserve(bytes, "the verifier's edges"));
    return CheckAll(graph, given);
  }
  if (given.num_edges == 0) return 0;
  return SampledEdges(graph, given).Check();
}

}  // namespace edgemill

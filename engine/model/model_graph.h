// A small graph for the model of the engine: plain sorted lists.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "common/check.h"
#include "common/types.h"
#include "engine/program/directions.h"

namespace edgemill::model {

/// An edge of a graph's input.
struct InputEdge {
  VertexId from = kInvalidVertex;
  VertexId to = kInvalidVertex;
  double weight = 1;
};

/// The lists of one direction, sorted by neighbour. Duplicates and loops are kept.
struct Lists {
  std::vector<uint32_t> offsets;
  std::vector<InputEdge> edges;  // `from` is the vertex whose list the entry is in
  std::span<const InputEdge> of(VertexId vertex) const {
    return std::span(edges).subspan(offsets[vertex], offsets[vertex + 1] - offsets[vertex]);
  }
};

/// A graph with at most some hundred vertices. If the graph is undirected, each edge is stored both
/// ways, but loops once.
class Graph {
 public:
  Graph(uint64_t num_vertices, std::vector<InputEdge> input, bool directed)
      : num_vertices_(num_vertices), directed_(directed), input_(std::move(input)) {
    std::vector<InputEdge> out;
    std::vector<InputEdge> in;
    for (const InputEdge& edge : input_) {
      CHECK_LT(edge.from, num_vertices);
      CHECK_LT(edge.to, num_vertices);
      out.push_back(edge);
      const InputEdge back{edge.to, edge.from, edge.weight};
      if (directed) {
        in.push_back(back);
      } else if (edge.from != edge.to) {
        out.push_back(back);
      }
    }
    out_ = Sorted(std::move(out));
    in_ = directed ? Sorted(std::move(in)) : out_;
  }
  /// Makes a graph from edges with the members `source`, `target` and `weight`.
  template <typename E>
  static Graph Of(uint64_t num_vertices, const std::vector<E>& edges, bool directed) {
    std::vector<InputEdge> input;
    for (const E& edge : edges) {
      input.push_back({static_cast<VertexId>(edge.source), static_cast<VertexId>(edge.target),
                       static_cast<double>(edge.weight)});
    }
    return Graph(num_vertices, std::move(input), directed);
  }

  uint64_t num_vertices() const { return num_vertices_; }
  bool directed() const { return directed_; }
  const std::vector<InputEdge>& input() const { return input_; }
  /// The lists that hold the edges of `directions`: two for kBoth of directed graphs.
  std::vector<const Lists*> lists(Directions directions) const {
    if (directions == Directions::kBoth && directed_) return {&out_, &in_};
    return {directions == Directions::kIn ? &in_ : &out_};
  }
  /// Whether an edge goes from `from` to `to`.
  bool HasEdge(VertexId from, VertexId to) const {
    for (const InputEdge& edge : out_.of(from)) {
      if (edge.to == to) return true;
    }
    return false;
  }

 private:
  Lists Sorted(std::vector<InputEdge> edges) const {
    std::stable_sort(edges.begin(), edges.end(), [](const InputEdge& a, const InputEdge& b) {
      return std::tie(a.from, a.to) < std::tie(b.from, b.to);
    });
    Lists lists{std::vector<uint32_t>(num_vertices_ + 1, 0), std::move(edges)};
    for (const InputEdge& edge : lists.edges) ++lists.offsets[edge.from + 1];
    for (uint64_t v = 0; v < num_vertices_; ++v) lists.offsets[v + 1] += lists.offsets[v];
    return lists;
  }

  uint64_t num_vertices_;
  bool directed_;
  std::vector<InputEdge> input_;
  Lists out_;
  Lists in_;
};

}  // namespace edgemill::model

#include "engine/plan/vertex_shares.h"

#include <algorithm>
#include <bit>

#include "common/check.h"
#include "common/random.h"

namespace edgemill {
namespace {

constexpr uint64_t kWordVertices = 64;
/// The edges whose visit takes as long as a vertex's own work in a pass.
constexpr uint64_t kEdgesAVertex = 5;

/// The cost of the vertices before `vertex`, in edges.
uint64_t CostBefore(const LoadedGraph& graph, uint64_t vertex) {
  uint64_t cost = kEdgesAVertex * vertex;
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    if (graph.has_index(direction)) {
      cost += graph.index(direction).first_edge(static_cast<VertexId>(vertex));
    }
  }
  return cost;
}

}  // namespace

PassBlocks BlocksOfLists(const LoadedGraph& graph, const VertexRange& range) {
  PassBlocks blocks;
  const int shift = std::countr_zero(graph.info().block_edges);
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    if (!graph.has_index(direction)) continue;
    const VertexIndexView index = graph.index(direction);
    const EdgeIndex first = index.first_edge(static_cast<VertexId>(range.begin));
    const EdgeIndex end = index.first_edge(static_cast<VertexId>(range.end));
    if (first == end) continue;
    blocks.ranges[static_cast<size_t>(direction)] = {first >> shift, ((end - 1) >> shift) + 1};
  }
  return blocks;
}

EdgeIndex EdgesOfLists(const LoadedGraph& graph, Direction lists, const VertexRange& range) {
  const VertexIndexView index = graph.index(lists);
  return index.first_edge(static_cast<VertexId>(range.end)) -
         index.first_edge(static_cast<VertexId>(range.begin));
}

std::vector<VertexRange> ShareVertices(const LoadedGraph& graph, uint32_t count,
                                       std::optional<uint64_t> seed) {
  CHECK_GT(count, 0u);
  const uint64_t num_vertices = graph.num_vertices();
  const uint64_t num_words = (num_vertices + kWordVertices - 1) / kWordVertices;
  const auto vertex_of = [&](uint64_t word) {
    return std::min(word * kWordVertices, num_vertices);
  };
  std::vector<uint64_t> borders = {0};
  const uint64_t all = CostBefore(graph, num_vertices);
  Random random(seed.value_or(0));
  for (uint32_t gpu = 1; gpu < count; ++gpu) {
    if (seed.has_value()) {
      borders.push_back(random.Below(num_words + 1));
      continue;
    }
    const uint64_t due = all / count * gpu;
    uint64_t begin = 0;  // the first word before which the vertices cost at least `due`
    for (uint64_t end = num_words; begin < end;) {
      const uint64_t middle = begin + (end - begin) / 2;
      if (CostBefore(graph, vertex_of(middle)) < due) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    borders.push_back(begin);
  }
  borders.push_back(num_words);
  std::sort(borders.begin(), borders.end());
  std::vector<VertexRange> ranges;
  for (uint32_t gpu = 0; gpu < count; ++gpu) {
    ranges.push_back({vertex_of(borders[gpu]), vertex_of(borders[gpu + 1])});
  }
  return ranges;
}

}  // namespace edgemill

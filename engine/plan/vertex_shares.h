// How several GPUs share the vertices of a graph: each has a range, and the lists of its vertices.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/graph/loaded_graph.h"
#include "engine/plan/block_plan.h"
#include "engine/program/sets/vertex_range.h"

namespace edgemill {

/// The blocks that a pass visits, by direction. In undirected graphs both are the same.
struct PassBlocks {
  std::array<BlockRange, 2> ranges;

  /// The same range of both directions.
  static PassBlocks Of(const BlockRange& blocks) { return {{blocks, blocks}}; }
  const BlockRange& of(Direction direction) const { return ranges[static_cast<size_t>(direction)]; }
};

/// The blocks with the lists of the vertices in `range`. The first and the last may also have lists
/// of other vertices.
PassBlocks BlocksOfLists(const LoadedGraph& graph, const VertexRange& range);

/// How many edges these lists have.
EdgeIndex EdgesOfLists(const LoadedGraph& graph, Direction lists, const VertexRange& range);

/// Shares the vertices among `count` GPUs so that each has about as many edges. Ranges begin at
/// multiples of 64, so that sets are shared in whole words. `seed`: borders are random, for tests.
std::vector<VertexRange> ShareVertices(const LoadedGraph& graph, uint32_t count,
                                       std::optional<uint64_t> seed = {});

}  // namespace edgemill

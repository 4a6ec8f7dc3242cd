// The host's work for raw engines: it cuts raw edges into ranges, and gathers active lists.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bench/plain/plain_csr.h"
#include "bench/plain/thread_team.h"

namespace edgemill::bench {

/// Returns two vertices for each range of `range_edges` edges of `lists`. They are the first vertex
/// whose list has an edge in the range, and the first vertex after all such vertices.
std::vector<VertexId> RangeVertices(const PlainLists& lists, uint64_t range_edges);

/// Some active lists of a graph, one after the other without gaps.
struct SubLists {
  /// The vertex of each item.
  std::span<const VertexId> vertices;
  /// Where the edges of each item begin among the active edges, and one more for the end.
  std::span<const uint64_t> offsets;
};

/// The active edges [begin, end) of some lists.
struct ActiveEdges {
  const SubLists& lists;
  uint64_t begin = 0;
  uint64_t end = 0;
};

/// Where raw edges are, or where they are copied.
struct EdgeArrays {
  VertexId* neighbors = nullptr;
  int32_t* weights = nullptr;  // null when weights are not used
};

/// Copies the edges of `part` from `lists` to `to` (Subway's step 6). Threads take chunks with
/// equal numbers of edges.
void GatherSubCsr(const PlainLists& lists, const ActiveEdges& part, ThreadTeam& team,
                  const EdgeArrays& to);

}  // namespace edgemill::bench

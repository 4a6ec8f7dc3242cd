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
  /// The vertex of each item. Empty: the lists follow each other in the graph, and need no
  /// gathering.
  std::span<const VertexId> vertices;
  /// Where the edges of each item begin among the active edges, and one more for the end.
  std::span<const uint64_t> offsets;
};

/// Part of some lists, which goes to the GPU at one time: the items [first, last), with those of
/// their edges that lie in [begin, end).
struct ListPart {
  uint64_t first = 0;
  uint64_t last = 0;
  uint64_t begin = 0;
  uint64_t end = 0;
  bool starts_list = true;  // it has the first edge of its first item
  bool ends_list = true;    // it has the last edge of its last item
};

/// Returns the part after `part`, or the first one after {}. It has no items if there is no more.
/// A part has whole lists, as many as fit into `most` edges. A longer list has parts of its own.
/// `offsets` has the start of each list, and then the end of the last one.
ListPart NextPart(std::span<const uint64_t> offsets, const ListPart& part, uint64_t most);

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

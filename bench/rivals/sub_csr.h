// Cutting raw edges into ranges, and gathering active lists: what the raw engines do on the host.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bench/plain/plain_csr.h"
#include "bench/plain/thread_team.h"

namespace edgemill::bench {

/// For each range of `range_edges` edges of `lists`: the first vertex whose list has an edge in it,
/// and the first vertex behind all of those. Two numbers a range.
std::vector<VertexId> RangeVertices(const PlainLists& lists, uint64_t range_edges);

/// Some active lists of a graph, one after the other without gaps.
struct SubLists {
  /// By item: vertices (empty: first_vertex and those behind it), and where their edges begin among
  /// the active ones; one more for the end.
  std::span<const VertexId> vertices;
  VertexId first_vertex = 0;
  std::span<const uint64_t> offsets;
};

/// The active edges [begin, end) of some lists.
struct ActiveEdges {
  const SubLists& lists;
  uint64_t begin = 0;
  uint64_t end = 0;
};

/// Where raw edges are, or go.
struct EdgeArrays {
  VertexId* neighbors = nullptr;
  int32_t* weights = nullptr;  // null: of a graph without weights
};

/// Copies the edges of `part` from `lists` to `to` (Subway's step 6). Threads share edges out
/// evenly.
void GatherSubCsr(const PlainLists& lists, const ActiveEdges& part, ThreadTeam& team,
                  const EdgeArrays& to);

}  // namespace edgemill::bench

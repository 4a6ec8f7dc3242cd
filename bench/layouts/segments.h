// MultiGraph's lists for sparse frontiers (Hong et al., PACT 2017, section 5). In each list, edges
// to targets of low in-degree come first. Those to others follow by segment: consecutive numbers of
// such targets, as many as fit shared memory.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bench/layouts/kernel_tuning.h"
#include "bench/plain/plain_csr.h"
#include "common/buffer.h"
#include "common/os/memory_budget.h"
#include "common/status.h"
#include "common/types.h"

namespace edgemill::bench {

/// The targets that have segments: those of in-degree `least` and more, in ascending order. Their
/// places in the result are their numbers. `least` 0: none.
std::vector<VertexId> SegmentTargets(std::span<const uint64_t> in_offsets, uint32_t least);

/// The number of segments of that many targets.
constexpr uint64_t NumSegments(uint64_t num_targets) {
  return (num_targets + kSegmentTargets - 1) / kSegmentTargets;
}

/// Lists with the offsets of those that they were made of.
struct SegmentedLists {
  /// A list's targets of low in-degree by id, then the others by number, ascending.
  Array<VertexId> neighbors;
  Array<int32_t> weights;  // empty: none
  /// For each segment, for each vertex: how many edges its list has before the segment. The first
  /// segment's are the edges to targets of low in-degree.
  Array<uint32_t> splits;
  MemoryReservation reservation;
};

/// Makes such lists of `lists`, for `targets` by SegmentTargets. Takes 4 bytes an edge of `budget`,
/// 8 with weights, 4 for each vertex and segment, and 4 a vertex for a while; BudgetError when
/// there is too little. UsageError for a list of 2^32 edges or more.
StatusOr<SegmentedLists> LayOutSegments(const PlainLists& lists, std::span<const VertexId> targets,
                                        bool weighted, int threads, MemoryBudget& budget);

}  // namespace edgemill::bench

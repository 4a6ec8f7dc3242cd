#include "bench/layouts/segments.h"

#include <algorithm>
#include <atomic>
#include <limits>

#include "bench/plain/thread_team.h"
#include "common/strings.h"

namespace edgemill::bench {
namespace {

constexpr uint32_t kLowDegree = std::numeric_limits<uint32_t>::max();

/// What all lists are made with.
struct Making {
  const PlainLists& from;
  const Array<uint32_t>& number_of;  // by target; kLowDegree: none
  uint64_t num_segments;
  SegmentedLists* to;
};

void MakeList(const Making& making, VertexId vertex) {
  const PlainLists& from = making.from;
  const uint64_t num_vertices = from.offsets.size() - 1;
  const uint64_t begin = from.offsets[vertex], end = from.offsets[vertex + 1];
  uint64_t place = begin;
  uint64_t segment = 0;  // the next whose split is not set
  const auto put = [&](uint64_t edge, VertexId neighbor) {
    making.to->neighbors[place] = neighbor;
    if (!making.to->weights.empty()) making.to->weights[place] = from.weights[edge];
    ++place;
  };
  const auto split_before = [&](uint64_t next) {
    for (; segment < next; ++segment) {
      making.to->splits[segment * num_vertices + vertex] = static_cast<uint32_t>(place - begin);
    }
  };
  for (uint64_t e = begin; e < end; ++e) {
    if (making.number_of[from.neighbors[e]] == kLowDegree) put(e, from.neighbors[e]);
  }
  for (uint64_t e = begin; e < end; ++e) {
    const uint32_t number = making.number_of[from.neighbors[e]];
    if (number == kLowDegree) continue;
    split_before(number / kSegmentTargets + 1);
    put(e, number);
  }
  split_before(making.num_segments);
}

}  // namespace

std::vector<VertexId> SegmentTargets(std::span<const uint64_t> in_offsets, uint32_t least) {
  std::vector<VertexId> targets;
  for (size_t vertex = 0; least > 0 && vertex + 1 < in_offsets.size(); ++vertex) {
    if (in_offsets[vertex + 1] - in_offsets[vertex] < least) continue;
    targets.push_back(static_cast<VertexId>(vertex));
  }
  return targets;
}

StatusOr<SegmentedLists> LayOutSegments(const PlainLists& lists, std::span<const VertexId> targets,
                                        bool weighted, int threads, MemoryBudget& budget) {
  const uint64_t num_vertices = lists.offsets.size() - 1, num_edges = lists.neighbors.size();
  const uint64_t num_splits = NumSegments(targets.size()) * num_vertices;
  SegmentedLists made;
  ASSIGN_OR_RETURN(made.reservation,
                   budget.Reserve(num_edges * (weighted ? 8 : 4) + num_splits * sizeof(uint32_t),
                                  "edges by segment"));
  ASSIGN_OR_RETURN(const MemoryReservation numbers,
                   budget.Reserve(num_vertices * sizeof(uint32_t), "numbers of targets"));
  ASSIGN_OR_RETURN(made.neighbors, Array<VertexId>::Allocate(num_edges));
  if (weighted) {
    ASSIGN_OR_RETURN(made.weights, Array<int32_t>::Allocate(num_edges));
  }
  ASSIGN_OR_RETURN(made.splits, Array<uint32_t>::Allocate(num_splits));
  ASSIGN_OR_RETURN(Array<uint32_t> number_of, Array<uint32_t>::Allocate(num_vertices));
  std::fill(number_of.begin(), number_of.end(), kLowDegree);
  for (size_t i = 0; i < targets.size(); ++i) number_of[targets[i]] = static_cast<uint32_t>(i);
  const Making making{lists, number_of, NumSegments(targets.size()), &made};
  std::atomic<uint64_t> too_long{num_vertices};
  ThreadTeam team(threads);
  team.Chunks(num_vertices, kVertexGrain, [&](int, uint64_t begin, uint64_t end) {
    for (uint64_t vertex = begin; vertex < end; ++vertex) {
      if (lists.degree(static_cast<VertexId>(vertex)) > std::numeric_limits<uint32_t>::max()) {
        too_long = vertex;
      } else {
        MakeList(making, static_cast<VertexId>(vertex));
      }
    }
  });
  if (too_long < num_vertices) {
    return UsageError(StrCat("MultiGraph sparse: vertex ", too_long.load(),
                             " inside the graph has 2^32 or more edges in a list"));
  }
  return made;
}

}  // namespace edgemill::bench

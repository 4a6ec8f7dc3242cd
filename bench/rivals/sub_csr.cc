#include "bench/rivals/sub_csr.h"

#include <algorithm>
#include <cstring>

namespace edgemill::bench {
namespace {

constexpr uint64_t kGatherGrain = uint64_t{1} << 16;

/// The number of the list that holds `edge`. `offsets` has the start of each list, and then the end
/// of the last one.
uint64_t ListOf(std::span<const uint64_t> offsets, uint64_t edge) {
  return static_cast<uint64_t>(std::upper_bound(offsets.begin(), offsets.end(), edge) -
                               offsets.begin()) -
         1;
}

}  // namespace

std::vector<VertexId> RangeVertices(const PlainLists& lists, uint64_t range_edges) {
  std::vector<VertexId> vertices;
  const std::span<const uint64_t> offsets = lists.offsets.span();
  const uint64_t num_edges = lists.neighbors.size();
  for (uint64_t begin = 0; begin < num_edges; begin += range_edges) {
    const uint64_t last = std::min(begin + range_edges, num_edges) - 1;
    vertices.push_back(static_cast<VertexId>(ListOf(offsets, begin)));
    vertices.push_back(static_cast<VertexId>(ListOf(offsets, last) + 1));
  }
  return vertices;
}

ListPart NextPart(std::span<const uint64_t> offsets, const ListPart& part, uint64_t most) {
  ListPart next = part;
  if (part.ends_list) {
    const auto rest = offsets.subspan(part.last);
    const auto fitting = std::upper_bound(rest.begin(), rest.end(), rest.front() + most) - 1;
    next.first = part.last;
    next.last = next.first + static_cast<uint64_t>(fitting - rest.begin());
    next.begin = rest.front();
    next.end = *fitting;
    next.starts_list = true;
    if (next.last > next.first || rest.size() == 1) return next;
    next.last = next.first + 1;
  } else {
    next.begin = part.end;
    next.starts_list = false;
  }
  next.end = std::min(next.begin + most, offsets[next.last]);
  next.ends_list = next.end == offsets[next.last];
  return next;
}

void GatherSubCsr(const PlainLists& lists, const ActiveEdges& part, ThreadTeam& team,
                  const EdgeArrays& to) {
  const SubLists& sub = part.lists;
  const uint64_t begin = part.begin;
  team.Chunks(part.end - begin, kGatherGrain, [&](int, uint64_t chunk_begin, uint64_t chunk_end) {
    uint64_t edge = begin + chunk_begin;
    const uint64_t last = begin + chunk_end;
    for (uint64_t item = ListOf(sub.offsets, edge); edge < last; ++item) {
      const uint64_t stop = std::min(sub.offsets[item + 1], last);
      if (stop <= edge) continue;
      const uint64_t from = lists.offsets[sub.vertices[item]] + (edge - sub.offsets[item]);
      std::memcpy(to.neighbors + (edge - begin), lists.neighbors.data() + from,
                  (stop - edge) * sizeof(VertexId));
      if (to.weights != nullptr) {
        std::memcpy(to.weights + (edge - begin), lists.weights.data() + from,
                    (stop - edge) * sizeof(int32_t));
      }
      edge = stop;
    }
  });
}

}  // namespace edgemill::bench

#include "bench/rivals/wide_neighbors.h"

#include <algorithm>
#include <span>

#include "bench/plain/thread_team.h"

namespace edgemill::bench {

StatusOr<WideNeighbors> WideNeighbors::Create(const PlainCsr& graph, int threads,
                                              MemoryBudget& budget, MemoryRegistrar* registrar) {
  constexpr uint64_t kGrain = uint64_t{1} << 20;
  WideNeighbors wide;
  wide.graph_ = &graph;
  const int num_directions = graph.directed() ? 2 : 1;
  const uint64_t bytes = graph.num_edges() * sizeof(uint64_t) * num_directions;
  ASSIGN_OR_RETURN(wide.reservation_, budget.Reserve(bytes, "edges of 8 bytes"));
  ThreadTeam team(threads);
  for (int i = 0; i < num_directions; ++i) {
    const Array<VertexId>& from = (i == 0 ? graph.out() : graph.in()).neighbors;
    Array<uint64_t>& to = wide.directions_[i].neighbors;
    ASSIGN_OR_RETURN(to, Array<uint64_t>::Allocate(from.size()));
    team.Chunks(from.size(), kGrain, [&](int, uint64_t begin, uint64_t end) {
      std::copy(from.begin() + begin, from.begin() + end, to.begin() + begin);
    });
    ASSIGN_OR_RETURN(wide.directions_[i].registered,
                     RegisteredMemory::Register(registrar, std::as_writable_bytes(to.span())));
  }
  return wide;
}

}  // namespace edgemill::bench

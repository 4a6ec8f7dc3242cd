#include "engine/graph/sampled_neighbors.h"

#include "common/threads/parallel.h"

namespace edgemill {

StatusOr<SampledNeighbors> SampledNeighbors::Create(uint64_t num_vertices, SampledNeighbor which,
                                                    int threads, MemoryBudget& budget) {
  SampledNeighbors neighbors;
  neighbors.which_ = which;
  ASSIGN_OR_RETURN(neighbors.reservation_,
                   budget.Reserve(SizeBytes(num_vertices), "sampled neighbours"));
  ASSIGN_OR_RETURN(neighbors.neighbors_, Array<VertexId>::Allocate(Rounded(num_vertices)));
  Array<VertexId>& all = neighbors.neighbors_;
  const size_t grain = FirstTouchGrain(all.size(), threads);
  RETURN_IF_ERROR(ParallelFor(all.size(), grain, threads, [&](size_t begin, size_t end) {
    // Entries beyond the last vertex may be any vertex.
    for (size_t i = begin; i < end; ++i) {
      all[i] = static_cast<VertexId>(i < num_vertices ? i : 0);
    }
    return OkStatus();
  }));
  if (which == SampledNeighbor::kHighest) {
    ASSIGN_OR_RETURN(neighbors.only_, Array<uint64_t>::Allocate(Rounded(num_vertices) / 64));
    std::fill_n(neighbors.only_.data(), neighbors.only_.size(), 0);
  }
  return neighbors;
}

}  // namespace edgemill

#include "engine/graph/kept_neighbors.h"

#include "common/threads/parallel.h"

namespace edgemill {

StatusOr<KeptNeighbors> KeptNeighbors::Create(uint64_t num_vertices, KeptNeighbor which,
                                              int threads, MemoryBudget& budget) {
  KeptNeighbors neighbors;
  neighbors.which_ = which;
  ASSIGN_OR_RETURN(neighbors.reservation_,
                   budget.Reserve(SizeBytes(num_vertices), "kept neighbours"));
  ASSIGN_OR_RETURN(neighbors.kept_, Array<VertexId>::Allocate(Rounded(num_vertices)));
  Array<VertexId>& kept = neighbors.kept_;
  const size_t grain = FirstTouchGrain(kept.size(), threads);
  RETURN_IF_ERROR(ParallelFor(kept.size(), grain, threads, [&](size_t begin, size_t end) {
    // Beyond the last vertex: any.
    for (size_t i = begin; i < end; ++i) {
      kept[i] = static_cast<VertexId>(i < num_vertices ? i : 0);
    }
    return OkStatus();
  }));
  if (which == KeptNeighbor::kHighest) {
    ASSIGN_OR_RETURN(neighbors.only_, Array<uint64_t>::Allocate(Rounded(num_vertices) / 64));
    std::fill_n(neighbors.only_.data(), neighbors.only_.size(), 0);
  }
  return neighbors;
}

}  // namespace edgemill

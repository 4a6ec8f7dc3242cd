#include "engine/graph/first_neighbors.h"

#include "common/parallel.h"

namespace edgemill {

StatusOr<FirstNeighbors> FirstNeighbors::Create(uint64_t num_vertices, int threads,
                                                MemoryBudget& budget) {
  FirstNeighbors firsts;
  ASSIGN_OR_RETURN(firsts.reservation_,
                   budget.Reserve(SizeBytes(num_vertices), "first neighbours"));
  ASSIGN_OR_RETURN(firsts.firsts_, Array<VertexId>::Allocate(Rounded(num_vertices)));
  const size_t grain = FirstTouchGrain(firsts.firsts_.size(), threads);
  RETURN_IF_ERROR(ParallelFor(firsts.firsts_.size(), grain, threads, [&](size_t begin, size_t end) {
    // Beyond the last vertex: any.
    for (size_t i = begin; i < end; ++i) {
      firsts.firsts_[i] = static_cast<VertexId>(i < num_vertices ? i : 0);
    }
    return OkStatus();
  }));
  return firsts;
}

}  // namespace edgemill

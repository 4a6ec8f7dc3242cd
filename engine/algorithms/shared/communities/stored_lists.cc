#include "engine/algorithms/shared/communities/stored_lists.h"

#include <algorithm>

namespace edgemill {

StatusOr<StoredLists> StoredLists::Read(LoadedGraph& graph, double units, ArrayPool& pool) {
  const bool weighted = graph.info().weights != WeightType::kNone;
  StoredLists lists;
  lists.index_ = graph.index(Direction::kOut);
  ASSIGN_OR_RETURN(lists.to_, CountedArray<VertexId>::Unset(graph.num_edges(), pool));
  if (weighted) {
    ASSIGN_OR_RETURN(lists.weight_, CountedArray<uint64_t>::Unset(graph.num_edges(), pool));
  }
  RETURN_IF_ERROR(graph.decode_scratch().Reserve(weighted));
  RETURN_IF_ERROR(graph.blocks().VisitAll(
      Direction::kOut, weighted, [&](int thread, const BlockEdges& edges) -> StatusOr<bool> {
        BlockIds& ids = graph.decode_scratch().ids(thread);
        if (!ids.Decode(edges.neighbors, edges.lists(lists.index_), graph.num_vertices())) {
          return false;
        }
        const std::span<const VertexId> all = ids.ids();
        std::copy(all.begin(), all.end(), &lists.to_[edges.begin]);
        if (!weighted) return true;
        const double* const weights =
            DecodeWeights<double>(edges, graph.decode_scratch().weights(thread));
        for (size_t i = 0; i < all.size(); ++i) {
          lists.weight_[edges.begin + i] = static_cast<uint64_t>(weights[i] * units);
        }
        return true;
      }));
  return lists;
}

}  // namespace edgemill

#include "engine/graph/graph_indexes.h"

#include <algorithm>

#include "common/cancel.h"

namespace edgemill {

Status GraphIndexes::Load(const GraphContext& context, const GraphNeeds& needs) {
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    const bool is_out = direction == Direction::kOut;
    const bool needed = is_out ? needs.out_index || (!info_.directed && needs.in_index)
                               : info_.directed && needs.in_index;
    if (!needed) continue;
    CHECK(!has(direction));  // an index is loaded once, and views of it stay good
    if (!context.store.has(is_out ? ColumnKind::kOutOffsets : ColumnKind::kInOffsets)) {
      return UsageError(StrCat(context.store.path(), " has no ", is_out ? "out" : "in",
                               "-columns: ingest it with --columns both"));
    }
    ASSIGN_OR_RETURN(sides_[static_cast<size_t>(direction)], VertexIndex::Load(context, direction));
    RETURN_IF_ERROR(CheckCancelled());
  }
  return OkStatus();
}

BlockEdges GraphIndexes::Extent(Direction direction, uint64_t block) const {
  CHECK(has(direction));
  CHECK_LT(block, info_.num_blocks());
  const VertexIndex& index = side(direction);
  BlockEdges edges;
  edges.block = block;
  edges.begin = block * info_.block_edges;
  edges.end = std::min<EdgeIndex>(edges.begin + info_.block_edges, info_.num_edges);
  edges.owned_begin = index.FirstOfBlock(block);
  edges.owned_end = index.FirstOfBlock(block + 1);
  edges.continues =
      edges.owned_begin > 0 && index.view().first_edge(edges.owned_begin) > edges.begin;
  return edges;
}

void GraphIndexes::ReleaseAllBut(bool out, bool in) {
  if (!(out || (in && !info_.directed))) sides_[0].reset();
  if (!in) sides_[1].reset();
}

}  // namespace edgemill

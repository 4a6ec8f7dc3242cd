#include "engine/output/pairs/holder_counts.h"

#include <span>
#include <utility>
#include <vector>

#include "engine/graph/block_edges.h"
#include "kernels/portable_atomics.h"

namespace edgemill {
namespace {

/// The neighbours next to the borders of blocks, by block. A list may have the same neighbour on
/// both sides.
struct Borders {
  std::vector<VertexId> first;  // where a list goes on in the block
  std::vector<VertexId> last;
};

bool CountBlock(const BlockEdges& block, const PairLists& source, std::span<uint32_t> counts,
                Borders* borders) {
  ListCursor<NoWeight> cursor(block, source.info.num_vertices);
  VertexId before = kInvalidVertex;
  bool is_first = block.continues;
  const bool is_sound =
      VisitVertices(block, source.index, [&](VertexId vertex, EdgeIndex first, EdgeIndex last) {
        before = kInvalidVertex;
        return cursor.VisitList(vertex, first, last, [&](const ListChunk<NoWeight>& chunk) {
          for (uint32_t i = 0; i < chunk.size; ++i) {
            const VertexId neighbor = chunk.target(i);
            if (is_first && neighbor != vertex) borders->first[block.block] = neighbor;
            is_first = false;
            if (neighbor != before && neighbor != vertex) {
              AtomicAdd(&counts[neighbor], uint32_t{1});
            }
            before = neighbor;
          }
          return true;
        });
      });
  borders->last[block.block] = before;
  return is_sound;
}

}  // namespace

StatusOr<HolderCounts> HolderCounts::Count(const GraphContext& context, const PairLists& source) {
  HolderCounts holders;
  holders.index_ = source.index;
  const GraphInfo& info = source.info;
  if (AreInIndex(info)) return holders;
  context.progress.StartStage("counting neighbours", "blocks", info.num_blocks());
  ASSIGN_OR_RETURN(holders.reservation_,
                   context.budget.Reserve(SizeBytes(info), "numbers of neighbours"));
  ASSIGN_OR_RETURN(holders.counts_, Array<uint32_t>::Allocate(info.num_vertices));
  Borders borders{std::vector<VertexId>(info.num_blocks(), kInvalidVertex),
                  std::vector<VertexId>(info.num_blocks(), kInvalidVertex)};
  RETURN_IF_ERROR(source.blocks.VisitAll(source.direction, /*with_weights=*/false,
                                         [&](int, const BlockEdges& block) -> StatusOr<bool> {
                                           context.progress.Advance(1);
                                           return CountBlock(block, source, holders.counts_.span(),
                                                             &borders);
                                         }));
  for (size_t block = 1; block < borders.first.size(); ++block) {
    const VertexId first = borders.first[block];
    if (first != kInvalidVertex && first == borders.last[block - 1]) --holders.counts_[first];
  }
  return holders;
}

}  // namespace edgemill

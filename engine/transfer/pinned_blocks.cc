#include "engine/transfer/pinned_blocks.h"

#include <algorithm>
#include <utility>

#include "common/check.h"

namespace edgemill {

void PinnedBlocks::Plan(const std::array<uint64_t, kNumSides>& num_blocks, MemoryBudget& budget) {
  CHECK(!keeps(0) && !keeps(1));         // Plan must not drop kept leases
  constexpr uint64_t kLeaseBytes = 160;  // with the memory that a lease refers to
  auto reservation =
      budget.Reserve((num_blocks[0] + num_blocks[1]) * kLeaseBytes, "leases of cached blocks");
  if (!reservation.ok()) return;
  reservation_ = std::move(*reservation);
  for (size_t side = 0; side < kNumSides; ++side) {
    sides_[side].leases.resize(num_blocks[side]);
    sides_[side].is_pinned.resize(num_blocks[side]);
  }
}

Status PinnedBlocks::KeepCached(LoadedGraph& graph, Direction direction, bool with_weights,
                                size_t side) {
  if (!keeps(side)) return OkStatus();
  std::vector<ColumnKind> columns = {graph.neighbors(direction)};
  if (with_weights) columns.push_back(graph.weights(direction));
  std::vector<uint64_t> blocks = graph.reader().CachedBlocks(columns);
  if (blocks.empty()) return OkStatus();
  return graph.blocks().Visit(direction, with_weights, std::move(blocks),
                              [&](int, const BlockEdges& edges) -> StatusOr<bool> {
                                Offer(side, edges);
                                return true;
                              });
}

void PinnedBlocks::Offer(size_t side, const BlockEdges& edges) {
  if (!keeps(side) || !edges.lease->registered() || !edges.lease->cached()) return;
  sides_[side].leases[edges.block] = std::move(*edges.lease);
  sides_[side].is_pinned[edges.block] = 1;
}

bool PinnedBlocks::HoldsAll(size_t side) const {
  const std::vector<uint8_t>& is_pinned = sides_[side].is_pinned;
  return !is_pinned.empty() && std::all_of(is_pinned.begin(), is_pinned.end(),
                                           [](uint8_t pinned) { return pinned != 0; });
}

}  // namespace edgemill

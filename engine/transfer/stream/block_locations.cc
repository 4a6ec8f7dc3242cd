#include "engine/transfer/stream/block_locations.h"

#include "common/check.h"

namespace edgemill {

void BlockLocations::Add(Direction direction, const TransferSide& side, uint64_t num_own,
                         bool counts_costs) {
  const size_t number = SideOf(direction);
  CHECK(side.edges != nullptr);
  CHECK(sides_[number].edges == nullptr);  // a side is added once
  CHECK_EQ(side.blocks.num_blocks, graph_.num_blocks());
  sides_[number] = side;
  num_own_[number] = num_own;
  resident_.AddSide(number, side.blocks.num_blocks, counts_costs);
}

PassInputs BlockLocations::InputsOf(const PassRequest& pass,
                                    std::span<const uint32_t> wanted_groups) const {
  return {pass,
          wanted_groups,
          sides_[pass.side].blocks,
          resident_.View(pass.side),
          pinned_.is_pinned(pass.side),
          {}};
}

bool BlockLocations::InMemory(Direction direction) {
  if (all_resident(direction) || AllPinned(direction)) return true;
  const ColumnKind column = graph_.neighbors(direction);
  return graph_.reader().CachedBlocks({&column, 1}).size() == graph_.num_blocks();
}

}  // namespace edgemill

// Where the blocks of a run are: on the GPU, in pinned memory, in the block cache or on disk.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/graph/loaded_graph.h"
#include "engine/transfer/pinned_blocks.h"
#include "engine/transfer/resident_set.h"
#include "engine/transfer/stream/device_direction.h"
#include "engine/transfer/transfer_plan.h"

namespace edgemill {

/// What passes over one direction use.
struct TransferSide {
  DeviceDirection* edges = nullptr;  // null: no pass reads this direction
  bool with_weights = false;
  DirectionBlocks blocks;
  std::vector<float> list_lengths;  // priorities by block, with BlockPriority::kHub
};

/// Belongs to one run. One thread uses it. Both directions of an undirected graph are one side.
class BlockLocations {
 public:
  explicit BlockLocations(LoadedGraph& graph) : graph_(graph) {}

  /// Notes that passes will read `direction`, of which `num_own` blocks may come to the GPU. None
  /// of them is there yet. With `counts_costs`, keeps for each block the seconds that bringing it
  /// has cost.
  void Add(Direction direction, const TransferSide& side, uint64_t num_own, bool counts_costs);

  size_t SideOf(Direction direction) const { return edgemill::SideOf(graph_.info(), direction); }
  /// Returns a side by its number in ResidentSet and PinnedBlocks.
  const TransferSide& side(size_t number) const { return sides_[number]; }
  const TransferSide& of(Direction direction) const { return sides_[SideOf(direction)]; }
  ResidentSet& resident() { return resident_; }
  const ResidentSet& resident() const { return resident_; }
  PinnedBlocks& pinned() { return pinned_; }
  /// Returns what planning needs for a pass. `wanted_groups`: how many groups of each block it
  /// wants.
  PassInputs InputsOf(const PassRequest& pass, std::span<const uint32_t> wanted_groups) const;

  /// Whether every block of `direction` that may come to the GPU is there.
  bool all_resident(Direction direction) const { return NumMissing(direction) == 0; }
  /// How many of these blocks are not on the GPU.
  uint64_t NumMissing(Direction direction) const {
    return num_own_[SideOf(direction)] - resident_.num_resident(SideOf(direction));
  }
  /// Whether every block of `direction` is kept in pinned memory.
  bool AllPinned(Direction direction) const { return pinned_.HoldsAll(SideOf(direction)); }
  /// Whether no block of `direction` must be read from disk: all are on the GPU, in pinned memory
  /// or in the block cache.
  bool InMemory(Direction direction);

 private:
  LoadedGraph& graph_;
  std::array<TransferSide, ResidentSet::kNumSides> sides_;
  std::array<uint64_t, ResidentSet::kNumSides> num_own_{};
  ResidentSet resident_;
  PinnedBlocks pinned_;
};

}  // namespace edgemill

// The blocks that stay on the GPU, the resident capacity that they take, and the time that bringing
// other blocks has cost (ski rental).
//
// Does not call CUDA. A block's memory is an offset into the resident capacity, which the caller
// allocates.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/thread_annotations.h"

namespace edgemill {

/// Seconds that passes have lost so far because blocks were not on the GPU.
struct SkiRental {
  double parts_seconds = 0;  // bringing parts of blocks that do not stay
  double idle_seconds = 0;   // seconds that other resident blocks would have saved
};

/// The costs of a pass, without launches.
struct PassCharges {
  std::span<const uint64_t> blocks;  // brought blocks that might have stayed
  std::vector<double> seconds;       // by block number, for `blocks`
  SkiRental rental;                  // the total, with this pass
};

/// The resident blocks of one direction when a pass begins. Capacity and rental are for both
/// directions.
struct ResidentView {
  std::span<const uint8_t> is_resident;  // by block
  uint32_t num_resident = 0;
  std::span<const float> spent_seconds;  // by block: for bringing it; empty: not counted
  uint64_t capacity_bytes = 0;
  uint64_t used_bytes = 0;
  SkiRental rental;
};

/// Belongs to one run. Reserve and Allocate are thread-safe; one thread calls the others.
///
/// Blocks get memory in two steps. When a block is staged, Reserve takes the most that it may need.
/// When its copy is queued, Allocate takes what it needs: blocks that are adjacent in the host's
/// memory are copied together. Only Evict gives memory back.
class ResidentSet {
 public:
  static constexpr size_t kNumSides = 2;

  /// Call this before any block is resident.
  void SetCapacity(uint64_t bytes) { capacity_bytes_ = bytes; }
  /// Adds side `side` with `num_blocks` blocks. With `counts_costs`, keeps for each block the
  /// seconds that bringing it has cost.
  void AddSide(size_t side, uint64_t num_blocks, bool counts_costs);

  uint64_t capacity_bytes() const { return capacity_bytes_; }
  uint32_t num_resident(size_t side) const { return sides_[side].num_resident; }
  bool Contains(size_t side, uint64_t block) const { return sides_[side].is_resident[block] != 0; }
  bool HoldsAll(size_t side) const {
    return sides_[side].num_resident == sides_[side].is_resident.size();
  }
  ResidentView View(size_t side) const;

  /// Takes `bytes` of the capacity for a block that is to stay. Returns false when less is left.
  bool Reserve(uint64_t bytes);
  /// Returns the place of the next `bytes` of what was reserved: an offset into the capacity.
  uint64_t Allocate(uint64_t bytes);
  /// Notes that `block` is resident from now on: its copy to the allocated memory is queued.
  void Admit(size_t side, uint64_t block);

  /// Adds the costs of a pass over `side`.
  void Charge(size_t side, const PassCharges& charges);
  /// Adds the seconds of bringing parts of blocks outside passes.
  void ChargeParts(double seconds) { rental_.parts_seconds += seconds; }
  /// Whether other blocks have been wanted more for long enough. Filling the whole capacity with
  /// blocks takes `filling_seconds`.
  bool ShouldEvict(double filling_seconds) const;
  /// Makes all blocks non-resident. Sides that had resident blocks count costs from 0 again.
  void Evict();

 private:
  struct Side {
    std::vector<uint8_t> is_resident;
    uint32_t num_resident = 0;
    std::vector<float> spent_seconds;
  };

  uint64_t capacity_bytes_ = 0;
  std::array<Side, kNumSides> sides_;
  SkiRental rental_;
  mutable Mutex mutex_;
  uint64_t reserved_bytes_ GUARDED_BY(mutex_) = 0;
  uint64_t used_bytes_ GUARDED_BY(mutex_) = 0;
};

}  // namespace edgemill

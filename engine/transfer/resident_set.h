// The blocks that stay on the GPU: which these are, how much of the resident capacity they take,
// and what bringing the other blocks has cost (ski rental).
//
// No call of CUDA: memory is an offset into the resident capacity, which others allocate.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/thread_annotations.h"

namespace edgemill {

/// What passes have cost so far because blocks were not on the GPU, in seconds.
struct SkiRental {
  double parts_seconds = 0;  // bringing parts of blocks that do not stay
  double idle_seconds = 0;   // that other resident blocks would have saved
};

/// What a pass costs, beside launches.
struct PassCharges {
  std::span<const uint64_t> blocks;  // that are brought, and might have stayed
  std::vector<double> seconds;       // by block, of those
  SkiRental rental;                  // as it was, and this pass
};

/// The resident blocks as a pass begins, of one direction; capacity and costs are of both.
struct ResidentView {
  std::span<const uint8_t> is_resident;  // by block
  uint32_t num_resident = 0;
  std::span<const float> spent_seconds;  // by block, bringing it so far; empty: not counted
  uint64_t capacity_bytes = 0;
  uint64_t used_bytes = 0;
  SkiRental rental;
};

/// Belongs to one run. Reserve and Allocate are thread-safe; one thread calls the others.
///
/// Blocks get memory in two steps. Reserve takes what a block needs at most, when it is staged.
/// Allocate takes what it needs, when its copy is queued: neighbours in the host's memory are
/// copied together. Only Evict gives memory back.
class ResidentSet {
 public:
  static constexpr size_t kNumSides = 2;

  /// Before anything is resident.
  void SetCapacity(uint64_t bytes) { capacity_bytes_ = bytes; }
  /// Side `side` has so many blocks. With `counts_costs` it is kept what bringing each has cost.
  void AddSide(size_t side, uint64_t num_blocks, bool counts_costs);

  uint64_t capacity_bytes() const { return capacity_bytes_; }
  uint32_t num_resident(size_t side) const { return sides_[side].num_resident; }
  bool Contains(size_t side, uint64_t block) const { return sides_[side].is_resident[block] != 0; }
  bool HoldsAll(size_t side) const {
    return sides_[side].num_resident == sides_[side].is_resident.size();
  }
  ResidentView View(size_t side) const;

  /// Takes `bytes` of the capacity for a block that is to stay; false when less is left.
  bool Reserve(uint64_t bytes);
  /// Where the next `bytes` of what was reserved are: an offset into the capacity.
  uint64_t Allocate(uint64_t bytes);
  /// `block`, which was not resident, is on its way to what was allocated for it.
  void Admit(size_t side, uint64_t block);

  /// A pass over `side` costs so much.
  void Charge(size_t side, const PassCharges& charges);
  /// Bringing parts of blocks cost so much, beside passes.
  void ChargeParts(double seconds) { rental_.parts_seconds += seconds; }
  /// Whether other blocks have been wanted more for long enough, where bringing blocks for the
  /// whole capacity takes `filling_seconds`.
  bool ShouldEvict(double filling_seconds) const;
  /// Nothing is resident any more. Sides that had resident blocks count costs from 0 again.
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

// Computes how long each transfer engine takes to bring blocks to a GPU, and which engine to use.
// The model uses only counts and the measured rates of the link.
//
// Seven terms decide (docs/PERFORMANCE.md says how much each one matters):
// - whole: a block's bytes over the rate of long copies.
// - alone: the start of a copy, for a block that is not copied together with its neighbour.
// - zero-copy: the wanted bytes over the rate of kernels that read all of them.
// - rental of a block: it stays on the GPU once its parts have cost as much as the whole would.
// - rental of the capacity: the more all parts have cost, the sooner blocks stay (Patience).
// - spread: if a pass wants about as much of each block, blocks do not wait (Spread).
// - eviction: whether other blocks are worth more than resident ones (WeighResidents, ResidentSet).
//
// The other model, for comparison, has HyTGraph's formulas (section V) with the published
// constants. Only the HyTGraph model chooses compaction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "engine/cost/block_prices.h"
#include "engine/cost/calibration.h"
#include "engine/device/transfer.h"

namespace edgemill {

/// The models that choose transfer engines.
enum class CostModelKind : uint8_t {
  kCalibrated,
  kHytgraph,
};
/// Returns "calibrated" or "hytgraph".
std::string_view CostModelName(CostModelKind kind);

/// Chooses for one run. Thread-safe.
class CostModel {
 public:
  /// `calibration` must outlive it.
  CostModel(CostModelKind kind, const Calibration& calibration)
      : kind_(kind), calibration_(calibration) {}

  BlockPrices PricesOf(const BlockShape& block) const;
  /// The engine for a block, and the seconds that the block adds to a long pass. kFilter means that
  /// the block is sent whole, whether it stays on the GPU or not.
  struct Choice {
    Transfer transfer = Transfer::kFilter;
    // Used inside Choose: whether the block before is sent whole if this one is sent whole, or in
    // part.
    bool after_whole = false;
    bool after_part = false;
    double seconds = 0;
    double whole_seconds = 0;  // if sent whole with others
  };
  /// Chooses engines that together take the least time for the blocks of an edge pass, or of a part
  /// of it. Blocks must be in the order of their numbers; `wanted_groups` is by block number. Where
  /// a block is sent whole, sending the next one whole costs less: both are one copy.
  void Choose(std::span<const uint64_t> blocks, std::span<const uint32_t> wanted_groups,
              const BlockPrices& prices, std::span<Choice> choices) const;
  /// Whether a block should stay on the GPU, where there is capacity. It should when sending it
  /// whole is the cheapest anyway. It also should once bringing parts of it, `spent_seconds` so
  /// far, has taken `patience` times as long as bringing it whole. This is ski rental: with a
  /// patience of 1 it never takes more than twice the least possible cost.
  bool Stays(const Choice& choice, double spent_seconds, double patience) const;
  /// Returns the patience for Stays: 1 at first. It falls to 0 when bringing parts of blocks has
  /// taken as long as filling the free resident capacity would (`filling_seconds`). Parts have
  /// taken `spent_seconds` in all passes before. This is ski rental of the capacity as a whole. A
  /// `spread` below 1 shortens the wait. A pass then wants about as much of each block, so waiting
  /// does not show which blocks should stay.
  static double Patience(double spent_seconds, double filling_seconds, double spread);
  /// Returns how differently a pass wants the `num_blocks` blocks that are not on the GPU. This is
  /// the variance of their seconds over the square of the mean. `seconds` is the sum of the blocks'
  /// seconds, `squares` the sum of the squares. Unwanted blocks add 0.
  static double Spread(double seconds, double squares, uint64_t num_blocks);
  /// Returns the seconds of `bytes` in a copy so large that its start does not matter.
  double BulkSeconds(double bytes) const;

  CostModelKind kind() const { return kind_; }

 private:
  double AloneSeconds(const BlockShape& block) const;
  double KernelCopySeconds(double bytes) const;
  // engine/cost/hytgraph_model.cc:
  static Transfer ChosenByHytgraph(const BlockShape& block, uint32_t wanted_groups);

  const CostModelKind kind_;
  const Calibration& calibration_;
};

}  // namespace edgemill

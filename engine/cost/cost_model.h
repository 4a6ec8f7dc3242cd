// How long it takes to bring blocks to a GPU, by each transfer engine, and which engine to take:
// arithmetic over counts and measured rates of the link.
//
// Seven terms decide (docs/PERFORMANCE.md has what each is worth):
// - whole: a block's bytes over the rate of long copies.
// - alone: starting a copy, of a block that is not joined to its neighbour's.
// - zero-copy: the wanted bytes over the rate of kernels that read all of them.
// - rental of a block: it stays on the GPU once its parts have cost what the whole would.
// - rental of the capacity: blocks wait the less for that, the more all parts have cost (Patience).
// - spread: nor do they wait where a pass wants about as much of each (Spread).
// - eviction: what resident blocks are worth beside others (WeighResidents, ResidentSet).
//
// HyTGraph's formulas (section V) with the constants that its authors published are the other
// model, for comparison. It alone chooses compaction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "engine/cost/block_prices.h"
#include "engine/cost/calibration.h"
#include "engine/device/transfer.h"

namespace edgemill {

/// By what transfer engines are chosen.
enum class CostModelKind : uint8_t {
  kCalibrated,
  kHytgraph,
};
/// "calibrated", "hytgraph".
std::string_view CostModelName(CostModelKind kind);

/// Chooses for one run. Thread-safe.
class CostModel {
 public:
  /// `calibration` must outlive it.
  CostModel(CostModelKind kind, const Calibration& calibration)
      : kind_(kind), calibration_(calibration) {}

  BlockPrices PricesOf(const BlockShape& block) const;
  /// An engine, and the seconds that it adds to a long pass. kFilter means that the block is sent
  /// whole, whether it stays or not.
  struct Choice {
    Transfer transfer = Transfer::kFilter;
    // While Choose is at work: whether the block before is sent whole, if this one is; and if it is
    // not.
    bool after_whole = false;
    bool after_part = false;
    double seconds = 0;
    double whole_seconds = 0;  // if sent whole, among others that are
  };
  /// The engines that together take the least time for the blocks of an edge pass, or of a stretch
  /// of one. Blocks are in the order of their numbers, and `wanted_groups` is by block. Where a
  /// block is sent whole, sending the next one whole costs less: both are one copy.
  void Choose(std::span<const uint64_t> blocks, std::span<const uint32_t> wanted_groups,
              const BlockPrices& prices, std::span<Choice> choices) const;
  /// Whether a block should stay on the GPU, where there is capacity. It should when sending it
  /// whole is the cheapest anyway. It also should once bringing parts of it, `spent_seconds` so
  /// far, has taken `patience` times as long as bringing it whole. This is ski rental: with a
  /// patience of 1 it never takes more than twice the least possible cost.
  bool Stays(const Choice& choice, double spent_seconds, double patience) const;
  /// How long blocks are to wait in this way: 1, fully, at first. 0 once bringing parts of blocks,
  /// `spent_seconds` in all passes before, has taken as long as filling the free resident capacity
  /// would. Then blocks are wanted again and again (ski rental once more, of the capacity as a
  /// whole). A `spread` below 1 shortens the wait: a pass then wants about as much of each block,
  /// so waiting does not tell which blocks should stay.
  static double Patience(double spent_seconds, double filling_seconds, double spread);
  /// How differently a pass wants the `num_blocks` that are not on the GPU: the variance of their
  /// seconds over the square of the mean. `seconds` is the sum of the seconds of the blocks that it
  /// wants at all, `squares` the sum of the squares.
  static double Spread(double seconds, double squares, uint64_t num_blocks);
  /// Seconds of a copy so large that its start does not matter.
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

// How long it takes to bring blocks to a GPU and visit their edges, by each transfer engine, and
// which engine to take: arithmetic over counts and measured rates.
//
// Copies, kernels and the host's threads work side by side. So a batch of blocks is three stages in
// a row, and what it adds to a sweep is decided by the stage that is behind
// (pipeline_clock.h). HyTGraph's formulas (section V) with the constants that its authors
// published are the other model, for comparison.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engine/cost/block_prices.h"
#include "engine/cost/calibration.h"
#include "engine/cost/pipeline_clock.h"
#include "engine/report/transfer.h"

namespace edgemill {

/// Who predicts.
enum class CostModelKind : uint8_t {
  kCalibrated,
  kHytgraph,
};
/// "calibrated", "hytgraph".
std::string_view CostModelName(CostModelKind kind);

/// The loops over edges, whose rates differ.
enum class EdgeKernel : uint8_t {
  kPush,  // of messages most of which change nothing
  kAdd,   // of messages that are all added up
  kPull,
  kPullFirst,  // where lists begin, alone
  kNotify,
  kLink,  // union-find
};
inline constexpr int kNumEdgeKernels = 6;

/// Where they find them: launches over much that is there for good, over batches that came, across
/// the link.
enum class KernelPlace : uint8_t { kResident, kBatch, kAcross };
inline constexpr int kNumKernelPlaces = 3;

/// Blocks that one engine brings, or has on the card, and one launch visits.
struct BatchWork {
  uint64_t blocks = 0;
  uint64_t groups = 0;  // of all these blocks
  uint64_t wanted_groups = 0;
  uint64_t bytes = 0;         // of all groups
  uint64_t moved_bytes = 0;   // over the link
  uint64_t copies = 0;        // queued for them
  uint64_t kernel_bytes = 0;  // of moved_bytes, copied by a kernel instead
  uint64_t host_bytes = 0;    // that the host's threads gathered or copied for them

  void Add(const BatchWork& other);
  /// Of all groups; 0 without any, as the next.
  double wanted_share() const;
  double group_bytes() const;  // on average
};

/// Predicts and chooses for one run. Its const functions are thread-safe.
class CostModel {
 public:
  /// `state_bytes`: of the array that kernels read or write at random; `threads`: the host's.
  CostModel(CostModelKind kind, const Calibration& calibration, uint64_t state_bytes, int threads);

  /// What bringing blocks of a shape takes, whatever is wanted of them.
  BringingCosts BringingOf(const BlockShape& block) const;
  /// What bringing them takes a loop of kind `kernel`, as rates are now.
  BlockPrices PricesOf(const BringingCosts& costs, EdgeKernel kernel) const;
  /// Of one of them, of which so many groups are wanted.
  BlockPrice PriceOf(const BringingCosts& costs, uint32_t wanted_groups, EdgeKernel kernel) const;
  /// An engine, and what it adds to a long sweep; kFilter stands for whole, to stay or not.
  struct Choice {
    Transfer transfer = Transfer::kFilter;
    // While Choose is at work: whether the block before is sent whole, if this one is; and if it is
    // not.
    bool after_whole = false;
    bool after_part = false;
    double seconds = 0;
    double whole_seconds = 0;  // if sent whole, among others that are
  };
  /// The engines that take the least time together for the blocks of a sweep, or of a stretch of
  /// one, in the order of their numbers; `wanted_groups` by block. Where a block is sent whole, so
  /// is the next one at a lower price: both are one copy. What waiting for reads across the link
  /// takes is shared out among such blocks of all `stretches`, as if each had as many. Gathering is
  /// chosen only if `gathers`.
  void Choose(std::span<const uint64_t> blocks, std::span<const uint32_t> wanted_groups,
              const BlockPrices& prices, bool gathers, size_t stretches,
              std::span<Choice> choices) const;
  /// Whether any of so many blocks, by wanted groups, are to be gathered: if that gains what
  /// starting the host's threads takes.
  bool Gathers(const BlockPrices& prices, std::span<const uint32_t> num_blocks) const;
  /// Whether a block had better stay on the card, where there is room: when sending it whole is the
  /// cheapest anyway, or once bringing parts of it, `spent_seconds` so far, has taken as long as
  /// would have brought it `patience` times (as in ski rental: with a patience of 1 never more than
  /// twice the cost of knowing beforehand).
  bool Stays(const Choice& choice, double spent_seconds, double patience) const;
  /// How long blocks are to wait so: fully, 1, at first; not at all once bringing parts of blocks,
  /// `spent_seconds` in all sweeps before, has taken as long as filling the room that is free on
  /// the card would: they are wanted again and again, then (ski rental once more, of the room as a
  /// whole). Nor, as far as `spread` is below 1, where a sweep wants about as much of each: waiting
  /// tells nothing about who had better stay.
  static double Patience(double spent_seconds, double filling_seconds, double spread);
  /// How differently a sweep wants the `num_blocks` that are not on the card: the variance of what
  /// they take over the square of the mean. `seconds` is the sum of what those that it wants at all
  /// take, `squares` that of the squares.
  static double Spread(double seconds, double squares, uint64_t num_blocks);
  /// What is shorter is copied by a kernel, many pieces at a time: that saves what starting a copy
  /// takes, and reads across the link at its own rate.
  static constexpr uint64_t kLeastCopyBytes = uint64_t{192} << 10;
  /// Of a copy so large that its start does not matter.
  double BulkSeconds(double bytes) const;
  /// The stages of a batch. kResident with moved_bytes of 0: its blocks are on the card already.
  StageSeconds Predict(const BatchWork& work, Transfer transfer, EdgeKernel kernel) const;
  /// Kernels of a sweep took `measured` seconds that were predicted as `predicted`: later
  /// predictions for this loop follow, the first time at once, then by halves where sweeps take
  /// alike, and further by longer ones, which tell rates best. `small`: few edges, which say what a
  /// launch takes at least, not the rate. Rates of kernels depend on graph and algorithm; the
  /// link's do not.
  void Observe(EdgeKernel kernel, KernelPlace place, bool small, double predicted, double measured);
  /// The same of the host's threads, which were to gather or copy for so long: what they reach
  /// depends on the caches that the blocks are in, and on what else the host does.
  void ObserveHost(double predicted, double measured);

  CostModelKind kind() const { return kind_; }

 private:
  /// What visiting takes, and how far bringing is from what was measured.
  struct Rates {
    double batch_group = 0;   // seconds
    double across_group = 0;  // likewise
    double across = 1;
    double host = 1;
  };

  Rates RatesOf(EdgeKernel kernel) const;
  static BlockPrice PriceOf(const BringingCosts& costs, uint32_t wanted_groups, const Rates& rates);
  double AloneSeconds(const BlockShape& block) const;
  double CopySeconds(double bytes, double copies) const;
  double KernelCopySeconds(double bytes) const;
  double KernelSeconds(double edges, EdgeKernel kernel, KernelPlace place) const;
  double ZeroCopySeconds(const BatchWork& work) const;
  double AcrossFactor(EdgeKernel kernel) const;
  double GatherSeconds(const BatchWork& work) const;  // before corrections
  /// What waiting takes, however few the edges: the groups that one warp visits in turn.
  double WaitSeconds(const BatchWork& work, EdgeKernel kernel, KernelPlace place) const;
  /// batch_seconds and waiting.
  double LeastSeconds(const BatchWork& work, EdgeKernel kernel, KernelPlace place) const;
  static BatchWork WorkOf(const BlockShape& block, uint32_t wanted_groups, Transfer transfer);
  // engine/cost/hytgraph_model.cc:
  static Transfer ChosenByHytgraph(const BatchWork& work);
  StageSeconds PredictAsHytgraph(const BatchWork& work, Transfer transfer) const;

  const CostModelKind kind_;
  const Calibration& calibration_;
  const double threads_;
  std::array<double, kNumEdgeKernels> kernel_rate_;  // edges a second, before corrections
  struct Factor {
    double value = 1;
    double seconds = 0;  // that observations took, those long ago counting less

    /// Follows what was observed, the more the longer it took beside what was before; stays between
    /// `least` and `most`.
    void Follow(double predicted, double measured, double least, double most);
  };
  /// Of kernels' seconds, and of those across the link of the link's.
  std::array<std::array<Factor, kNumKernelPlaces>, kNumEdgeKernels> factors_;
  /// Of what small launches take.
  std::array<std::array<Factor, kNumKernelPlaces>, kNumEdgeKernels> small_factors_;
  Factor host_factor_;
};

}  // namespace edgemill

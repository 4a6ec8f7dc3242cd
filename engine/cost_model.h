// How long it takes to bring blocks to a GPU and visit their edges, by each transfer engine, and
// which engine to take: arithmetic over counts and measured rates.
//
// Copies, kernels and the host's threads work side by side. So a batch of blocks is three stages in
// a row (StageSeconds), and what it adds to a sweep is decided by the stage that is behind
// (PipelineClock). HyTGraph's formulas (section V) with the constants that its authors published
// are the other model, for comparison.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/calibration.h"
#include "engine/transfer.h"

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
  kPush,
  kPull,
  kPullFirst,  // where lists begin, alone
  kNotify,
  kLink,  // union-find
};
inline constexpr int kNumEdgeKernels = 5;

/// Where they find them: launches over much that is there for good, over batches that came, across
/// the link.
enum class KernelPlace : uint8_t { kResident, kBatch, kAcross };
inline constexpr int kNumKernelPlaces = 3;

/// A block that an iteration wants and that is not on the card.
struct BlockSituation {
  uint32_t num_groups = 0;
  uint32_t wanted_groups = 0;
  uint64_t bytes = 0;         // of all its groups, weights included
  bool room_on_card = false;  // for it to stay
  bool joins = false;         // the block before it is sent whole too: one copy of both
  double spent_seconds = 0;   // so far on bringing parts of it, without its staying
};

/// Blocks that one engine brings, or has on the card, and one launch visits.
struct BatchWork {
  uint64_t blocks = 0;
  uint64_t groups = 0;  // of all these blocks
  uint64_t wanted_groups = 0;
  uint64_t bytes = 0;        // of all groups
  uint64_t moved_bytes = 0;  // over the link
  uint64_t copies = 0;       // queued for them
  uint64_t host_bytes = 0;   // that the host's threads gathered or copied for them

  void Add(const BatchWork& other);
};

/// What a batch takes of each that works for it, in this order.
struct StageSeconds {
  double host = 0;            // threads gathering
  double link = 0;            // copies
  double gpu = 0;             // kernels
  bool reads_across = false;  // the kernels use the link too

  double total() const { return host + link + gpu; }
  void Add(const StageSeconds& other);
};

/// When batches end that go through the same stages one after the other, `slots` of them under way
/// at a time.
class PipelineClock {
 public:
  explicit PipelineClock(uint32_t slots) : slot_ends_(slots, 0.0) {}
  /// The next batch; returns by how much it moves the end. Without `takes_slot` it waits for none.
  double Add(const StageSeconds& batch, bool takes_slot = true);
  /// Seconds from the start to the end of what was added.
  double end() const { return end_; }

 private:
  std::vector<double> slot_ends_;
  size_t next_slot_ = 0;
  double host_free_ = 0;
  double link_free_ = 0;
  double gpu_free_ = 0;
  double end_ = 0;
};

/// Predicts and chooses for one run. Not thread-safe.
class CostModel {
 public:
  /// `state_bytes`: of the array that kernels read or write at random; `threads`: the host's.
  CostModel(CostModelKind kind, const Calibration& calibration, uint64_t state_bytes, int threads);

  /// An engine, and what it adds to a long sweep.
  struct Choice {
    Transfer transfer = Transfer::kFilter;
    double seconds = 0;
  };
  /// The engine for a block: `asked`, or with kAuto the one that takes the least time. Never
  /// kAuto. kResident means: to stay where there is room, else whole and forgotten. A block stays
  /// when sending it whole is the cheapest anyway, or once bringing parts of it has taken as long
  /// as would have brought it kPatience times (as in ski rental: never more than a fixed multiple
  /// of the cost of knowing beforehand). Cheap where blocks are alike.
  static constexpr double kPatience = 3;
  Choice Choose(Transfer asked, const BlockSituation& block, EdgeKernel kernel);
  /// What bringing the wanted groups of a block and visiting them adds to a long sweep.
  double BlockSeconds(const BlockSituation& block, Transfer transfer, EdgeKernel kernel) const;
  /// The stages of a batch. kResident with moved_bytes of 0: its blocks are on the card already.
  StageSeconds Predict(const BatchWork& work, Transfer transfer, EdgeKernel kernel) const;
  /// Kernels of a sweep took `measured` seconds that were predicted as `predicted`: later
  /// predictions for this loop follow, the first time at once, then by halves. `small`: few edges,
  /// which say what a launch takes at least, not the rate. Rates of kernels depend on graph and
  /// algorithm; the link's do not.
  void Observe(EdgeKernel kernel, KernelPlace place, bool small, double predicted, double measured);

  CostModelKind kind() const { return kind_; }

 private:
  /// What is the same for all blocks of a size, so many of whose groups are wanted.
  struct Priced {
    bool known = false;
    Choice best;
    double whole_seconds = 0;
  };

  Priced Price(const BlockSituation& block, EdgeKernel kernel) const;
  /// Price, remembered.
  const Priced& Remembered(const BlockSituation& block, EdgeKernel kernel);
  double CopySeconds(double bytes, double copies) const;
  double KernelSeconds(double edges, EdgeKernel kernel, KernelPlace place) const;
  double ZeroCopySeconds(const BatchWork& work, EdgeKernel kernel) const;
  double GatherSeconds(const BatchWork& work) const;
  /// What waiting takes, however few the edges: the groups that one warp visits in turn.
  double WaitSeconds(const BatchWork& work, EdgeKernel kernel, KernelPlace place) const;
  /// batch_seconds and waiting.
  double LeastSeconds(const BatchWork& work, EdgeKernel kernel, KernelPlace place) const;
  BatchWork WorkOf(const BlockSituation& block, Transfer transfer) const;
  Choice ChooseAsHytgraph(const BlockSituation& block) const;
  StageSeconds PredictAsHytgraph(const BatchWork& work, Transfer transfer) const;

  const CostModelKind kind_;
  const Calibration& calibration_;
  const double threads_;
  std::array<double, kNumEdgeKernels> kernel_rate_;  // edges a second, before corrections
  struct Factor {
    double value = 1;
    double priced = 1;  // what prices_ were made with
    bool observed = false;
  };
  /// Of kernels' seconds, and of those across the link of the link's.
  std::array<std::array<Factor, kNumKernelPlaces>, kNumEdgeKernels> factors_;
  /// Of what small launches take.
  std::array<std::array<Factor, kNumKernelPlaces>, kNumEdgeKernels> small_factors_;
  /// By kernel, whether the block joins, and wanted groups; of blocks of one size.
  std::array<std::array<std::vector<Priced>, 2>, kNumEdgeKernels> prices_;
  uint64_t priced_bytes_ = 0;
};

/// |predicted / measured - 1|; 0 where nothing was measured.
double PredictionError(double predicted, double measured);

}  // namespace edgemill

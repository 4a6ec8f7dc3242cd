// CostModel by HyTGraph's formulas (section V) and published constants, for comparison.
#include <cmath>

#include "engine/cost/cost_model.h"

namespace edgemill {
namespace {

// HyTGraph V-A.
constexpr double kAlpha = 0.8;
constexpr double kBeta = 0.4;
constexpr double kGamma = 0.625;
constexpr double kRequestBytes = 128;  // m
constexpr double kRequests = 256;      // MR: outstanding requests of a TLP

/// HyTGraph's costs in round trips: formulas (1), (2) without compaction's throughput, as their
/// selection has it, and (3).
struct RoundTrips {
  double filter = 0;
  double compaction = 0;
  double zero_copy = 0;
};

RoundTrips HytgraphCosts(const BatchWork& work) {
  const double share = work.wanted_share();
  const double whole = static_cast<double>(work.bytes);
  const double wanted = static_cast<double>(work.wanted_groups);
  const double group_bytes = work.group_bytes();
  const double index = sizeof(uint64_t) * static_cast<double>(work.groups);
  // A group is what a vertex's list is to them; groups start anywhere, so each may need one more.
  const double requests = wanted * (std::ceil(group_bytes / kRequestBytes) + 1);
  RoundTrips trips;
  // Not rounded up: blocks are a thousandth of their partitions, and only sums over blocks matter.
  trips.filter = whole / kRequestBytes / kRequests;
  trips.compaction = (whole * share + index) / kRequestBytes / kRequests;
  trips.zero_copy = requests / kRequests * (kGamma + (1 - kGamma) * share);
  return trips;
}

}  // namespace

Transfer CostModel::ChosenByHytgraph(const BatchWork& work) {
  const RoundTrips trips = HytgraphCosts(work);
  if (trips.compaction < kAlpha * trips.filter && trips.compaction < kBeta * trips.zero_copy) {
    return Transfer::kCompaction;
  }
  return trips.zero_copy < trips.filter ? Transfer::kZeroCopy : Transfer::kFilter;
}

StageSeconds CostModel::PredictAsHytgraph(const BatchWork& work, Transfer transfer) const {
  const double round_trip =
      kRequestBytes * kRequests / calibration_.copy_rate.points().back().second;
  const RoundTrips trips = HytgraphCosts(work);
  StageSeconds stages;
  if (transfer == Transfer::kZeroCopy) {
    stages.link = trips.zero_copy * round_trip;
    stages.reads_across = true;
  } else if (transfer == Transfer::kCompaction) {
    stages.link = trips.compaction * round_trip;
  } else if (work.moved_bytes > 0) {
    stages.link = trips.filter * round_trip;
  }
  return stages;
}

}  // namespace edgemill

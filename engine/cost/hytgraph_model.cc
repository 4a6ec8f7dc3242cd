// CostModel by HyTGraph's formulas (section V) and published constants, for comparison.
#include <cmath>

#include "common/check.h"
#include "engine/cost/cost_model.h"

namespace edgemill {
namespace {

// HyTGraph V-A.
constexpr double kAlpha = 0.8;
constexpr double kBeta = 0.4;
constexpr double kGamma = 0.625;
constexpr double kRequestBytes = 128;  // m
constexpr double kRequests = 256;      // MR: outstanding requests of a TLP

/// HyTGraph's costs in round trips, by formulas (1), (2) and (3). Formula (2) is without
/// compaction's throughput, as in HyTGraph's selection.
struct RoundTrips {
  double filter = 0;
  double compaction = 0;
  double zero_copy = 0;
};

RoundTrips HytgraphCosts(const BlockShape& block, double wanted) {
  CHECK_GT(block.num_groups, 0u);
  const double share = wanted / block.num_groups;
  const double whole = static_cast<double>(block.bytes);
  const double group_bytes = whole / block.num_groups;
  const double index = sizeof(uint64_t) * static_cast<double>(block.num_groups);
  // A group takes the place of HyTGraph's vertex list. Groups start anywhere, so that each may need
  // one more request.
  const double requests = wanted * (std::ceil(group_bytes / kRequestBytes) + 1);
  RoundTrips trips;
  // Not rounded up: HyTGraph's partitions are a thousand times as large, and only sums over blocks
  // matter.
  trips.filter = whole / kRequestBytes / kRequests;
  trips.compaction = (whole * share + index) / kRequestBytes / kRequests;
  trips.zero_copy = requests / kRequests * (kGamma + (1 - kGamma) * share);
  return trips;
}

}  // namespace

Transfer CostModel::ChosenByHytgraph(const BlockShape& block, uint32_t wanted_groups) {
  const RoundTrips trips = HytgraphCosts(block, wanted_groups);
  if (trips.compaction < kAlpha * trips.filter && trips.compaction < kBeta * trips.zero_copy) {
    return Transfer::kCompaction;
  }
  return trips.zero_copy < trips.filter ? Transfer::kZeroCopy : Transfer::kFilter;
}

}  // namespace edgemill

// A graph in figures: degrees, components, reciprocity, clustering, distances.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/os/memory_budget.h"
#include "common/progress.h"
#include "common/status.h"
#include "engine/run/run.h"
#include "engine/stats/degree_counts.h"
#include "engine/stats/sampled_shares.h"
#include "storage/read/graph_store.h"

namespace edgemill {

struct StatsOptions {
  SampleChoice sample;
  uint64_t sources = 16;  // of searches; 0: no distances
  int threads = 1;
};

/// Connected components; of directed graphs the weakly connected ones.
struct ComponentCounts {
  uint64_t count = 0;
  uint64_t largest = 0;                // vertices
  std::map<uint64_t, uint64_t> sizes;  // how many components have each size
};

/// Distances in edges, along the directions of edges, from a sample of sources.
struct DistanceEstimates {
  uint64_t sources = 0;
  bool exact = false;  // every vertex is a source
  /// How many pairs of a source and another vertex that it reaches have each distance; pairs[0] =
  /// 0.
  std::vector<uint64_t> pairs;
  double mean = 0;
  /// The mean lies in between with a probability of 95 %, by the jackknife over sources; not known
  /// for fewer than 3.
  std::optional<double> mean_low, mean_high;
  /// 90 % of the pairs have at most this distance, interpolated between two whole ones.
  double effective_diameter = 0;
  /// The longest distance that was found. No path between two vertices of the component is longer
  /// than `diameter_high`, twice the least eccentricity of a source; unset where nothing is known.
  uint64_t diameter_low = 0;
  std::optional<uint64_t> diameter_high;
};

/// The figures. What is unset was left out, for the reason in `left_out`.
struct GraphStats {
  std::optional<DegreeCounts> out_degrees, in_degrees;  // of an undirected graph, out alone
  std::optional<uint64_t> isolated;                     // vertices without edges
  std::optional<ComponentCounts> components;
  std::optional<ShareEstimate> reciprocity;
  std::optional<ClusteringEstimates> clustering;
  std::optional<DistanceEstimates> distances;
  std::vector<std::string> left_out;
};

/// The least --memory that MeasureGraph works with. Computed from counts; reads nothing.
StatusOr<uint64_t> LeastStatsBudget(const GraphStore& store, const StatsOptions& options,
                                    const MemoryBudget& budget);

/// Measures a graph within `budget`. Reads the offsets once, the lists at most five times for what
/// is sampled, and as `cc` and `bfs` do. The same seed gives the same figures, whatever the threads
/// and the memory. BudgetError, the errors of reading, CancelledError.
StatusOr<GraphStats> MeasureGraph(const GraphStore& store, const StatsOptions& options,
                                  MemoryBudget& budget, Progress& progress,
                                  const ReaderFactory& make_reader = BlockReader::Create);

}  // namespace edgemill

// Reciprocity and clustering of a graph on disk, from a sample of its edges, vertices and wedges.
#pragma once

#include <cstdint>

#include "common/status.h"
#include "engine/graph/loaded_graph.h"
#include "engine/stats/share_estimate.h"

namespace edgemill {

/// What is looked at: `size` members, which `seed` chooses. Where there are no more, all are looked
/// at, and the estimate is exact.
struct SampleChoice {
  uint64_t size = 10'000;
  uint64_t seed = 1;
};

/// The share of edges u to v, without loops, for which there is an edge v to u. The graph is
/// directed, and `lists` is a direction that it has. `sample` of the estimate counts edges. Reads
/// at most two passes over the lists. BudgetError, and the errors of reading.
StatusOr<ShareEstimate> EstimateReciprocity(LoadedGraph& graph, Direction lists,
                                            const SampleChoice& choice);

/// Clustering of the graph without directions, loops and duplicate edges.
struct ClusteringEstimates {
  /// The mean over all vertices of the share of pairs of neighbours that are neighbours of each
  /// other. A vertex with fewer than two neighbours counts as 0.
  ShareEstimate local;
  /// The share of paths of two edges whose ends are neighbours: three times the number of triangles
  /// over the number of such paths. From uniform samples of paths (Seshadhri, Pinar, Kolda:
  /// Triadic measures on graphs: the power of wedge sampling, SDM 2013).
  ShareEstimate global;
};

/// Both coefficients. A directed graph has lists of both directions. Exact where a vertex and two
/// of its edges can be chosen in at most `choice.size` ways. Keeps about 64 bytes for each of some
/// 16,384 paths at a time, whatever the sample's size. Errors as above.
StatusOr<ClusteringEstimates> EstimateClustering(LoadedGraph& graph, const SampleChoice& choice);

/// The memory that either takes beside the loaded graph.
uint64_t SampledSharesBytes(const SampleChoice& choice);

}  // namespace edgemill

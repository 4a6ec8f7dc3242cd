// Samples of the neighbourhoods of given vertices, as GraphSAGE takes them.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "common/status.h"
#include "common/types.h"
#include "engine/graph/direction.h"
#include "engine/graph/vertex_index.h"

namespace edgemill {

struct SampleOptions {
  /// How many edges are taken of each vertex: fanouts[h] in hop h. At least 1 each.
  std::vector<uint64_t> fanouts;
  /// Edges are drawn anew each time, so that one may be taken twice. Without: at most once, and all
  /// edges of a vertex that has no more than the fan-out.
  bool replace = false;
  Direction neighbors = Direction::kOut;
  uint64_t seed = 0;
};
inline constexpr uint64_t kMostFanout = 1'000'000;
inline constexpr size_t kMostHops = 32;

/// The most edges of the sample of one vertex. Saturates.
uint64_t MostSampledEdges(const SampleOptions& options);

/// An edge that was taken in the list of `vertex`.
struct SampledEdge {
  VertexId vertex;
  VertexId neighbor;
};

/// The sample of one start: hop h has edges [hop_ends[h - 1], hop_ends[h]), and hop 0 begins at 0.
struct NeighborSample {
  uint64_t number = 0;  // of the start
  std::span<const SampledEdge> edges;
  std::span<const uint64_t> hop_ends;
};

/// Takes samples, in the order of starts.
struct SampleSink {
  /// The number of samples that follow, and a function that gives sample i of them. Thread-safe.
  using At = std::function<NeighborSample(uint64_t i)>;
  /// Returns false where no more samples are wanted: SampleNeighbors then returns.
  std::function<StatusOr<bool>(uint64_t count, const At& at)> take;
};

struct SampleCounts {
  uint64_t samples = 0;  // that the sink was given
  uint64_t edges = 0;
  uint64_t batches = 0;
  uint64_t blocks = 0;
  uint64_t blocks_read = 0;
};

/// The least memory that SampleNeighbors takes beside the store, the reader and the starts.
uint64_t SampleMemoryBytes(const GraphInfo& info, const SampleOptions& options);

/// Samples the neighbourhood of each of `starts`. Hop 0 takes edges of the start, and each further
/// hop those of the vertices that the hop before has found first. So no vertex is asked twice in a
/// sample. Sample n is the same for any memory and number of threads: it depends on the stored
/// graph, the seed and n.
///
/// In each hop, a batch of samples says which edges it takes. They are read in the order of blocks,
/// each block once. Blocks are decoded, at 4 bytes an edge, and stay as long as there is space. A
/// batch has as many samples as fit.
///
/// Waits. UsageError where the graph lacks lists. BudgetError, BadDataError, IoError,
/// CancelledError, and the errors of `sink`.
StatusOr<SampleCounts> SampleNeighbors(const GraphContext& context,
                                       std::span<const VertexId> starts,
                                       const SampleOptions& options, const SampleSink& sink);

}  // namespace edgemill

// Random walks from given vertices, over lists of which only a part is in memory.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "common/status.h"
#include "common/types.h"
#include "engine/graph/direction.h"
#include "engine/graph/vertex_index.h"

namespace edgemill {

struct WalkOptions {
  /// The most steps of a walk. It ends before at a vertex without edges, or whose edges all have
  /// weight 0.
  uint64_t length = 80;
  uint64_t walks_per_start = 1;
  uint64_t seed = 0;
  /// Edges are taken in the share of their weights. Without: all alike.
  bool weighted = false;
  /// Whose lists a step follows. An undirected graph has one kind.
  Direction neighbors = Direction::kOut;
  /// node2vec (Grover and Leskovec, KDD 2016). A step from t to v came before. An edge from v to x
  /// counts 1 / p times its weight if x is t. It counts its weight if x is in the list of t, and
  /// else 1 / q times its weight. Both are in [kLeastBias, kMostBias]. With 1 and 1, walks do not
  /// look back.
  double p = 1;
  double q = 1;

  bool looks_back() const { return p != 1 || q != 1; }
};
inline constexpr double kLeastBias = 1e-3;
inline constexpr double kMostBias = 1e3;
inline constexpr uint64_t kMostWalkSteps = 1'000'000;

/// Walks that follow one another: walk i has sizes[i] + 1 vertices, at vertices[i * stride].
struct WalkRows {
  uint64_t first_walk = 0;
  std::span<const VertexId> vertices;
  uint64_t stride = 0;
  std::span<const uint32_t> sizes;  // in steps

  std::span<const VertexId> Of(size_t i) const {
    return vertices.subspan(i * stride, sizes[i] + uint64_t{1});
  }
};

/// Takes walks.
struct WalkSink {
  /// Is called first, with the least number of vertices that all walks have together, or the
  /// greatest number if that is less. An error ends the call before any block of edges is read.
  std::function<Status(uint64_t least_vertices)> check;
  /// Returns false where no more walks are wanted: MakeWalks then returns.
  std::function<StatusOr<bool>(const WalkRows&)> take;
};

struct WalkCounts {
  uint64_t walks = 0;  // that the sink was given
  uint64_t steps = 0;
  uint64_t tries = 0;  // edges that were proposed: more than steps where walks look back. The same
                       // for any memory and number of threads
  uint64_t batches = 0;
  uint64_t blocks = 0;       // of the graph's lists
  uint64_t blocks_read = 0;  // from disk or a cache, with repetitions
};

/// The least memory that MakeWalks takes beside the store, the reader and the starts.
uint64_t WalkMemoryBytes(const GraphInfo& info, const WalkOptions& options);

/// Makes walks_per_start walks from each of `starts`, and gives them to `sink` in the order of
/// starts, some at a time. Walk n is the same for any memory and number of threads: its steps
/// depend on the stored graph, the seed and n. Parallel edges are edges of their own, and a loop is
/// a step.
///
/// As many blocks of edges as fit are kept in memory, decoded, at 4 bytes an edge, or 12 where
/// weights count. If all blocks fit, each walk goes to its end. Else walks wait for the block with
/// their next edge. Those for which most walks wait are loaded, and their walks go on until they
/// need another block. Walks take 4 bytes a step and some more in memory; if not all fit, they are
/// made in batches.
///
/// Waits. UsageError where the graph lacks lists or weights. BudgetError, BadDataError, IoError,
/// CancelledError, and the errors of `sink`.
StatusOr<WalkCounts> MakeWalks(const GraphContext& context, std::span<const VertexId> starts,
                               const WalkOptions& options, const WalkSink& sink);

}  // namespace edgemill

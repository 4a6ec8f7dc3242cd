// Checks similarities of pairs of vertices by their definition: up to 64 pairs in a pass.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "common/status.h"
#include "common/types.h"
#include "engine/graph/loaded_graph.h"

namespace edgemill {

/// A pair, and the similarity that it is said to have.
struct CheckedPair {
  VertexId one = 0;
  VertexId other = 0;
  double value = 0;
};
inline constexpr size_t kMostCheckedPairs = 64;

/// The bytes that CheckPairs takes beside the graph.
uint64_t PairCheckBytes(const GraphInfo& info);

/// Checks at most kMostCheckedPairs pairs by the measure of this name (kSimilarityMeasures).
/// `by_in`: neighbours are those by in-edges. Reads all edges twice, by the plain decoder, and
/// shares no code with what computes similarities. InternalError, with the vertices, for a pair
/// with another value; the errors of PlainVisit; BudgetError.
Status CheckPairs(LoadedGraph& graph, std::string_view measure, bool by_in,
                  std::span<const CheckedPair> pairs);

}  // namespace edgemill

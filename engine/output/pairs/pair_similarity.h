// Similarities of given pairs of vertices, from the lists of their neighbours.
#pragma once

#include <cstdint>
#include <span>

#include "common/buffer.h"
#include "common/status.h"
#include "common/types.h"
#include "engine/graph/direction.h"
#include "engine/graph/vertex_index.h"
#include "kernels/neighbor_similarity.h"

namespace edgemill {

struct VertexPair {
  VertexId one = 0;
  VertexId other = 0;
};

struct PairOptions {
  SimilarityMeasure measure = SimilarityMeasure::kJaccard;
  /// Whose lists have the neighbours of a vertex. An undirected graph has one kind.
  Direction neighbors = Direction::kOut;
};

/// The least memory that FindSimilarities takes for `num_pairs` pairs, beside the store, the
/// reader, the pairs and their values: some bytes a pair, and 4 bytes and some bits a vertex. 4
/// bytes a vertex more where numbers of neighbours must be counted for the measure.
uint64_t PairMemoryBytes(const GraphStore& store, uint64_t num_pairs, const PairOptions& options);

/// Sets values[i] to the similarity of pairs[i]. Neighbours are distinct vertices: duplicates of an
/// edge count once, loops never. A vertex is as similar to itself as the measure's formula says.
///
/// The lists of the vertices in the pairs are read into memory, as many as fit. If not all fit,
/// they are read in parts: each part stays while the parts with which it has pairs pass by. A list
/// takes 4 bytes a neighbour, or a bit for each vertex of the graph where that is less. So no list
/// is too long for the least memory. Values have the same bits for any memory and number of
/// threads. Counts for weights take a pass over all lists, unless the index has them.
///
/// Waits. UsageError where the graph lacks the lists. BudgetError, BadDataError, IoError,
/// CancelledError.
Status FindSimilarities(const GraphContext& context, std::span<const VertexPair> pairs,
                        const PairOptions& options, std::span<double> values);

}  // namespace edgemill

// Pass 2: sorts buckets and encodes them as the columns of one direction.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "loaders/context/ingest_context.h"
#include "loaders/encode/edge_encoder.h"

namespace edgemill {

/// What encoding finds out about a graph.
struct EncodedGraph {
  EncodedTotals totals;                            // of the direction that was encoded last
  std::array<std::vector<VertexId>, 2> crossings;  // of out- and in-offsets
};

/// What to encode, and how.
struct EncodeOrder {
  bool in_columns = false;
  uint64_t num_vertices = 0;
  BucketRules rules;
  /// Whether weights, if edges have any, become a column.
  bool stores_weights = true;
  /// Whether the weights are values of an edge column of this number, which are all that is
  /// encoded; and the numbers of texts in their order, if it has texts.
  std::optional<size_t> edge_column;
  std::span<const uint32_t> text_ranks;
  CompressionPolicy compression = CompressionPolicy::kWhereItPays;
  /// The largest bucket that the earlier process could sort; 0: there was no such process.
  uint64_t largest_sortable_bucket = 0;
  /// After how many bytes of consumed buckets `checkpoint` is called; 0: never.
  uint64_t checkpoint_bytes = 0;
  std::function<Status(const EdgeEncoder& encoder)> checkpoint;
  /// The encoder's state to resume at; empty: from the start.
  std::string encoder_state;
};

/// Encodes `set`, whose buckets it empties, as the columns of `order`. BudgetError when a bucket
/// cannot be sorted in what is left of the memory.
Status EncodeColumns(const IngestContext& context, const EncodeOrder& order, BucketSet& set,
                     EncodedGraph* graph);

}  // namespace edgemill

// The values beside edges, weights and edge columns, as numbers and as text.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "common/status.h"
#include "storage/read/graph_store.h"

namespace edgemill {

/// A column of values beside the edges of one direction.
struct EdgeValues {
  ColumnKind column = ColumnKind::kOutWeights;
  WeightType type = WeightType::kNone;      // how the values are stored
  const EdgeColumn* edge_column = nullptr;  // null: the weights

  /// "weight", or the edge column's name.
  std::string_view name() const {
    return edge_column == nullptr ? std::string_view("weight") : edge_column->name;
  }
};

/// The values that the graph has beside its edges of a direction: the weights, if any, and then,
/// with `edge_columns`, these.
std::vector<EdgeValues> ValuesBeside(const GraphStore& store, bool incoming, bool edge_columns);

/// Decodes a block's payload. BadDataError when it is too short.
StatusOr<std::vector<double>> DecodeValues(const EdgeValues& values, uint32_t num_values,
                                           std::span<const std::byte> payload);

/// Appends a value as a field of a text file: a number in its shortest form, a time of ISO 8601, or
/// a text as AppendNameField writes it. BadDataError for the number of no text.
Status AppendValue(const EdgeValues& values, double value, std::string* text);

}  // namespace edgemill

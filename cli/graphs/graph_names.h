// The words that the program uses for a graph's properties.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "storage/read/graph_store.h"

namespace edgemill::cli {

/// "none", "int32", "float32", "float64".
std::string_view WeightTypeText(WeightType type);
/// "number", "datetime" or "text".
std::string_view ValueKindText(ValueKind kind);
/// "amount (float64), day (datetime), kind (text, 3 different)"; "none".
std::string EdgeColumnsText(const std::vector<EdgeColumn>& columns);
/// The lists that have weights: "none", "out", "in" or "both". Those of a symmetric graph have both
/// directions.
std::string_view WeightedListsText(const GraphStore& store);
/// "none", "degree", "hub".
std::string_view RenumberingText(Renumbering renumbering);
/// How a column's values are stored: "packed gaps" and so on.
std::string CodecText(ColumnKind column, const GraphInfo& info);

}  // namespace edgemill::cli

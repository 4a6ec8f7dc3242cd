// What a user may ask of edge columns: `--column NAME[:TYPE]`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "common/status.h"
#include "storage/format/graph_info.h"

namespace edgemill {

/// How values of an edge column are read and stored. The values are in the journal: never renumber.
enum class EdgeColumnType : uint8_t {
  kAuto = 0,  // by the input: numbers in the smallest type that holds all exactly, times or texts
  kInt32 = 1,
  kInt64 = 2,  // integers up to 2^53
  kFloat32 = 3,
  kFloat64 = 4,
  kTime = 5,  // ISO 8601 dates and times; as microseconds since 1970
  kText = 6,  // texts of which many edges have the same
};

/// A column of the input that is kept beside each edge.
struct EdgeColumnChoice {
  std::string name;  // in the header line or of the table, or a number from 1
  EdgeColumnType type = EdgeColumnType::kAuto;

  template <typename Visitor, typename Choice>
  static void ListFields(Visitor& visitor, Choice& choice) {
    visitor.Fields(choice.name, choice.type);
  }
};

/// The choice that "NAME" or "NAME:TYPE" means; TYPE is int32, int64, float, float64, datetime or
/// text. UsageError when NAME is empty or too long.
StatusOr<EdgeColumnChoice> ParseEdgeColumn(std::string_view text);

/// What values of `type` mean; `seen` is what the input's look like.
ValueKind KindOfValues(EdgeColumnType type, ValueKind seen);

}  // namespace edgemill

#include "cli/graphs/graph_names.h"

#include "common/strings.h"
#include "common/units.h"

namespace edgemill::cli {

std::string_view WeightTypeText(WeightType type) {
  switch (type) {
    case WeightType::kNone:
      return "none";
    case WeightType::kInt32:
      return "int32";
    case WeightType::kFloat32:
      return "float32";
    case WeightType::kFloat64:
      return "float64";
  }
  return "unknown";
}

std::string_view ValueKindText(ValueKind kind) {
  switch (kind) {
    case ValueKind::kNumber:
      return "number";
    case ValueKind::kTime:
      return "datetime";
    case ValueKind::kText:
      return "text";
  }
  return "unknown";
}

std::string EdgeColumnsText(const std::vector<EdgeColumn>& columns) {
  std::string text;
  for (const EdgeColumn& column : columns) {
    const bool number = column.kind == ValueKind::kNumber;
    text += StrCat(text.empty() ? "" : ", ", column.name, " (",
                   number ? WeightTypeText(column.type) : ValueKindText(column.kind));
    if (column.kind == ValueKind::kText) {
      text += StrCat(", ", FormatCount(column.texts.size()), " different");
    }
    text += ")";
  }
  return text.empty() ? "none" : text;
}

std::string_view WeightedListsText(const GraphStore& store) {
  const bool out = store.has(ColumnKind::kOutWeights);
  const bool in = store.has(ColumnKind::kInWeights) || (out && !store.info().directed);
  return out && in ? "both" : out ? "out" : in ? "in" : "none";
}

std::string_view RenumberingText(Renumbering renumbering) {
  switch (renumbering) {
    case Renumbering::kNone:
      return "none";
    case Renumbering::kDegree:
      return "degree";
    case Renumbering::kHub:
      return "hub";
    case Renumbering::kRandom:
      return "random";
  }
  return "unknown";
}

std::string CodecText(ColumnKind column, const GraphInfo& info) {
  switch (column) {
    case ColumnKind::kOutNeighbors:
    case ColumnKind::kInNeighbors:
      return "packed gaps";
    case ColumnKind::kOutOffsets:
    case ColumnKind::kInOffsets:
      return "packed ascending";
    case ColumnKind::kInternalOfRank:
      return "packed values";
    case ColumnKind::kExternalIds:
    case ColumnKind::kNameGroups:
      return "raw 64-bit gaps";
    case ColumnKind::kNames:
      return "front-coded names";
    default:
      break;
  }
  const std::optional<size_t> number = EdgeColumnOf(column);
  switch (number.has_value() ? info.edge_columns[*number].type : info.weights) {
    case WeightType::kInt32:
      return "packed values";
    case WeightType::kFloat32:
      return "raw 32-bit";
    default:
      return "raw 64-bit";
  }
}

}  // namespace edgemill::cli

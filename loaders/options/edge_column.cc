#include "loaders/options/edge_column.h"

#include <array>
#include <utility>

#include "storage/catalog/catalog_records.h"

namespace edgemill {
namespace {

using TypeName = std::pair<std::string_view, EdgeColumnType>;
constexpr std::array<TypeName, 6> kTypes = {{{"int32", EdgeColumnType::kInt32},
                                             {"int64", EdgeColumnType::kInt64},
                                             {"float", EdgeColumnType::kFloat32},
                                             {"float64", EdgeColumnType::kFloat64},
                                             {"datetime", EdgeColumnType::kTime},
                                             {"text", EdgeColumnType::kText}}};

}  // namespace

StatusOr<EdgeColumnChoice> ParseEdgeColumn(std::string_view text) {
  EdgeColumnChoice choice{.name = std::string(text)};
  const size_t colon = text.rfind(':');
  if (colon != std::string_view::npos) {
    for (const auto& [name, type] : kTypes) {
      if (text.substr(colon + 1) == name) {
        choice = {.name = std::string(text.substr(0, colon)), .type = type};
      }
    }
  }
  if (!choice.name.empty() && choice.name.size() <= kMaxEdgeColumnName) return choice;
  return UsageError(StrCat("--column: ", QuotedText(text),
                           " is not valid: give NAME or NAME:TYPE, with one of the types int32, "
                           "int64, float, float64, datetime and text"));
}

ValueKind KindOfValues(EdgeColumnType type, ValueKind seen) {
  switch (type) {
    case EdgeColumnType::kAuto:
      return seen;
    case EdgeColumnType::kTime:
      return ValueKind::kTime;
    case EdgeColumnType::kText:
      return ValueKind::kText;
    default:
      return ValueKind::kNumber;
  }
}

}  // namespace edgemill

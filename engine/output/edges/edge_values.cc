#include "engine/output/edges/edge_values.h"

#include <cstring>

#include "common/number_text.h"
#include "common/strings.h"
#include "common/text/time_text.h"
#include "engine/graph/names/name_text.h"
#include "storage/format/group_codec.h"

namespace edgemill {
namespace {

template <typename Float>
void ReadFloats(std::span<const std::byte> payload, std::vector<double>* values) {
  for (size_t i = 0; i < values->size(); ++i) {
    Float value;
    std::memcpy(&value, payload.data() + i * sizeof(Float), sizeof(Float));
    (*values)[i] = static_cast<double>(value);
  }
}

}  // namespace

std::vector<EdgeValues> ValuesBeside(const GraphStore& store, bool incoming, bool edge_columns) {
  const GraphInfo& info = store.info();
  std::vector<EdgeValues> all;
  if (info.weights != WeightType::kNone) {
    all.push_back({incoming ? ColumnKind::kInWeights : ColumnKind::kOutWeights, info.weights});
  }
  for (size_t i = 0; edge_columns && i < info.edge_columns.size(); ++i) {
    const EdgeColumn& column = info.edge_columns[i];
    all.push_back({ValuesColumn(i, incoming), column.type, &column});
  }
  return all;
}

StatusOr<std::vector<double>> DecodeValues(const EdgeValues& values, uint32_t num_values,
                                           std::span<const std::byte> payload) {
  std::vector<double> decoded(num_values);
  if (values.type == WeightType::kInt32) {
    ASSIGN_OR_RETURN(const PackedView view, PackedView::Open(payload, num_values));
    std::vector<uint32_t> words(size_t{view.num_groups()} * kGroupSize);
    UnpackValues(view, words.data());
    for (uint32_t i = 0; i < num_values; ++i) decoded[i] = static_cast<int32_t>(words[i]);
    return decoded;
  }
  const size_t size = values.type == WeightType::kFloat32 ? sizeof(float) : sizeof(double);
  if (payload.size() < num_values * size) {
    return BadDataError(StrCat("the values of ", values.name(), " are cut short"));
  }
  if (values.type == WeightType::kFloat32) {
    ReadFloats<float>(payload, &decoded);
  } else {
    ReadFloats<double>(payload, &decoded);
  }
  return decoded;
}

Status AppendValue(const EdgeValues& values, double value, std::string* text) {
  const EdgeColumn* const column = values.edge_column;
  if (column != nullptr && column->kind == ValueKind::kTime) {
    *text += FormatTime(static_cast<int64_t>(value));
    return OkStatus();
  }
  if (column != nullptr && column->kind == ValueKind::kText) {
    const auto code = static_cast<size_t>(value);
    if (value < 0 || code >= column->texts.size()) {
      return BadDataError(
          StrCat("column ", column->name, " has text ", value, " of ", column->texts.size()));
    }
    AppendNameField(column->texts[code], text);
    return OkStatus();
  }
  // Floats are also written in the shortest form of a double, because readers read them as doubles.
  char digits[kMaxNumberBytes];
  text->append(digits, WriteNumber(digits, value));
  return OkStatus();
}

}  // namespace edgemill

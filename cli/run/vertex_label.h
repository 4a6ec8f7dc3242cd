// Vertices as users write and read them: by their ids in the input, or by their names.
#pragma once

#include <string>
#include <variant>

#include "common/status.h"
#include "common/types.h"
#include "engine/graph/names/name_dictionary.h"

namespace edgemill::cli {

/// The id or the name of a vertex in the input.
using VertexLabel = std::variant<ExternalId, std::string>;

/// The label of the vertex with input id `id`, which is a rank if vertices have names. Returns the
/// errors of NameDictionary.
StatusOr<VertexLabel> LabelOf(const GraphStore& store, BlockReader& reader, ExternalId id);

/// The label as text for people.
std::string LabelText(const VertexLabel& label);

/// The label as JSON: a number or a string.
template <typename Json>
Json LabelJson(const VertexLabel& label) {
  return std::visit([](const auto& value) { return Json(value); }, label);
}

}  // namespace edgemill::cli

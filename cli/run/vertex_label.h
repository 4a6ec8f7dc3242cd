// Vertices as users write and read them: by their ids in the input, or by their names.
#pragma once

#include <string>
#include <variant>

#include "cli/session.h"
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

/// A reader for looking up names, with the least buffers that work.
StatusOr<std::unique_ptr<BlockReader>> LookUpReader(const GraphStore& store, Session& session);

/// The input id of the vertex that the command line calls `text`, or its rank if vertices have
/// names. `text` is then a name, and otherwise a number. Returns UsageError when it is neither, and
/// the errors of NameDictionary. Run checks whether an id is a vertex.
StatusOr<ExternalId> VertexCalled(const std::string& text, const GraphStore& store,
                                  Session& session);

}  // namespace edgemill::cli

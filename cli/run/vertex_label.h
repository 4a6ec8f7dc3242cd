// Vertices as users write and read them: by the numbers of their input, or by their names.
#pragma once

#include <string>
#include <variant>

#include "cli/session.h"
#include "common/status.h"
#include "common/types.h"
#include "engine/graph/names/name_dictionary.h"

namespace edgemill::cli {

/// What the input calls a vertex: its id, or its name.
using VertexLabel = std::variant<ExternalId, std::string>;

/// The label of the vertex with input id `id`, by names a rank. Errors: NameDictionary's.
StatusOr<VertexLabel> LabelOf(const GraphStore& store, BlockReader& reader, ExternalId id);

/// The label in a line for people.
std::string LabelText(const VertexLabel& label);

/// The label as JSON: a number or a string.
template <typename Json>
Json LabelJson(const VertexLabel& label) {
  return std::visit([](const auto& value) { return Json(value); }, label);
}

/// Reads no more than a look-up needs, as long as it lives.
StatusOr<std::unique_ptr<BlockReader>> LookUpReader(const GraphStore& store, Session& session);

/// The input id, by names the rank, of the vertex that is called `text` on the command line: a name
/// where vertices have names, a number where they have none. UsageError when it is neither; an id
/// that is no vertex is left to Run. Errors: NameDictionary's.
StatusOr<ExternalId> VertexCalled(const std::string& text, const GraphStore& store,
                                  Session& session);

}  // namespace edgemill::cli

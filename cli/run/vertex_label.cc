#include "cli/run/vertex_label.h"

#include "common/strings.h"

namespace edgemill::cli {

StatusOr<VertexLabel> LabelOf(const GraphStore& store, BlockReader& reader, ExternalId id) {
  if (!HasNames(store)) return VertexLabel(id);
  ASSIGN_OR_RETURN(std::string name, NameDictionary(store, reader).At(id));
  return VertexLabel(std::move(name));
}

std::string LabelText(const VertexLabel& label) {
  const std::string* const name = std::get_if<std::string>(&label);
  return name == nullptr ? StrCat(std::get<ExternalId>(label)) : ShownText(*name);
}

}  // namespace edgemill::cli

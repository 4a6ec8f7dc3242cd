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

StatusOr<std::unique_ptr<BlockReader>> LookUpReader(const GraphStore& store, Session& session) {
  BlockReaderOptions options;
  options.threads = session.threads();
  options.buffer_bytes = BlockReader::MinimumBufferBytes(store, options.threads);
  return BlockReader::Create(store, options, session.budget());
}

StatusOr<ExternalId> VertexCalled(const std::string& text, const GraphStore& store,
                                  Session& session) {
  if (!HasNames(store)) {
    ExternalId id = 0;
    if (ParseNumber(text, &id)) return id;
    return UsageError(StrCat("--source: ", QuotedText(text), " is not valid: vertices of ",
                             store.path(), " have numbers as ids: give a whole number"));
  }
  session.progress().StartStage("finding the source", "vertices", 0);
  ASSIGN_OR_RETURN(const auto reader, LookUpReader(store, session));
  return NameDictionary(store, *reader).FindOrSuggest(text, session.threads());
}

}  // namespace edgemill::cli

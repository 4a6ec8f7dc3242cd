#include "engine/graph/names/vertex_called.h"

#include "common/strings.h"
#include "engine/graph/names/name_dictionary.h"

namespace edgemill {

StatusOr<std::unique_ptr<BlockReader>> LookUpReader(const GraphStore& store, int threads,
                                                    MemoryBudget& budget) {
  BlockReaderOptions options;
  options.threads = threads;
  options.buffer_bytes = BlockReader::MinimumBufferBytes(store, threads);
  return BlockReader::Create(store, options, budget);
}

StatusOr<ExternalId> VertexCalled(const std::string& text, const GraphStore& store, int threads,
                                  MemoryBudget& budget) {
  if (!HasNames(store)) {
    ExternalId id = 0;
    if (ParseNumber(text, &id)) return id;
    return UsageError(StrCat("--source: ", QuotedText(text), " is not valid: vertices of ",
                             store.path(), " have numbers as ids: give a whole number"));
  }
  ASSIGN_OR_RETURN(const auto reader, LookUpReader(store, threads, budget));
  return NameDictionary(store, *reader).FindOrSuggest(text, threads);
}

}  // namespace edgemill

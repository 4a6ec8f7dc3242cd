#include "edgemill/c/given_vertices.h"

#include <algorithm>
#include <vector>

#include "common/strings.h"
#include "common/units.h"
#include "engine/output/find_vertices.h"

namespace edgemill::c {

static_assert(kFindingBytes == sizeof(WantedVertex));

StatusOr<std::unique_ptr<BlockReader>> ReaderBeside(const GraphStore& store, std::string_view work,
                                                    uint64_t beside, Operation& operation) {
  BlockReaderOptions options;
  options.threads = operation.threads;
  beside += BlockReader::OverheadBytes(store, options);
  const uint64_t buffers = BlockReader::MinimumBufferBytes(store, operation.threads);
  const uint64_t available = operation.budget.available_bytes();
  if (available < beside + buffers) {
    const uint64_t least = MemoryBudget::kProcessBytes + store.table_bytes() + beside + buffers;
    return BudgetError(StrCat(store.path(), ": ", work, " needs at least --memory ",
                              FormatMebibytesUp(least), ", and has ",
                              FormatBytes(operation.budget.total_bytes())));
  }
  options.buffer_bytes = std::clamp(buffers + (available - beside - buffers) / 2, buffers,
                                    std::max(buffers, BlockReaderOptions().buffer_bytes));
  return BlockReader::Create(store, options, operation.budget);
}

StatusOr<Array<VertexId>> FindGiven(std::span<const ExternalId> ids, const GraphStore& store,
                                    BlockReader& reader, int threads) {
  ASSIGN_OR_RETURN(Array<VertexId> vertices, Array<VertexId>::Allocate(ids.size()));
  std::vector<WantedVertex> wanted(ids.size());
  for (size_t i = 0; i < ids.size(); ++i) wanted[i] = {ids[i], i};
  IdMap map(store, reader);
  ASSIGN_OR_RETURN(const WantedVertex* const missing,
                   FindVertices(map, std::span(wanted), threads, vertices.span()));
  if (missing == nullptr) return vertices;
  RETURN_IF_ERROR(map.Find(missing->id).status());
  return InternalError(StrCat(missing->id, " is a vertex, and was not found"));
}

}  // namespace edgemill::c

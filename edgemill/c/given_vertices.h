// Operations on vertices that a C caller gives: their reader of blocks, and ids as vertices.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "common/buffer.h"
#include "common/status.h"
#include "common/types.h"
#include "edgemill/operation.h"
#include "storage/read/block_reader.h"
#include "storage/read/graph_store.h"

namespace edgemill::c {

/// A reader of blocks that leaves `beside` bytes of the memory, and some more. BudgetError: `work`
/// needs more memory.
StatusOr<std::unique_ptr<BlockReader>> ReaderBeside(const GraphStore& store, std::string_view work,
                                                    uint64_t beside, Operation& operation);

/// What FindGiven takes for one vertex, besides the result.
inline constexpr uint64_t kFindingBytes = 2 * sizeof(uint64_t);
/// The vertices with these ids. UsageError for an id that none has. The caller counts the memory.
StatusOr<Array<VertexId>> FindGiven(std::span<const ExternalId> ids, const GraphStore& store,
                                    BlockReader& reader, int threads);

}  // namespace edgemill::c

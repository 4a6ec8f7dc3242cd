// Vertices as users call them: by their ids, or by their names.
#pragma once

#include <memory>
#include <string>

#include "common/os/memory_budget.h"
#include "common/status.h"
#include "common/types.h"
#include "storage/read/block_reader.h"
#include "storage/read/graph_store.h"

namespace edgemill {

/// A reader for looking up names, with the least buffers that work. The errors of
/// BlockReader::Create.
StatusOr<std::unique_ptr<BlockReader>> LookUpReader(const GraphStore& store, int threads,
                                                    MemoryBudget& budget);

/// The input id of the vertex that a user calls `text`, or its rank if vertices have names. `text`
/// is then a name, and otherwise a number. UsageError when it is neither; the errors of
/// NameDictionary. Run checks whether an id is a vertex.
StatusOr<ExternalId> VertexCalled(const std::string& text, const GraphStore& store, int threads,
                                  MemoryBudget& budget);

}  // namespace edgemill

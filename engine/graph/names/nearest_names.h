// Suggests the names that a user most likely meant by one that no vertex has.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/status.h"
#include "storage/read/block_reader.h"
#include "storage/read/graph_store.h"

namespace edgemill {

/// The most names that are suggested.
inline constexpr size_t kNearestNames = 3;

/// The names of the graph, which has some, that are nearest to `name` by EditDistance. The nearest
/// come first; of equally near ones the first by rank. Returns kNearestNames or fewer: names that
/// differ in half of the bytes of `name`, or in more than 8, are not near. None for a very long
/// name. Reads all names, on `threads` threads. Errors: NameCursor's.
StatusOr<std::vector<std::string>> NearestNames(const GraphStore& store, BlockReader& reader,
                                                std::string_view name, int threads);

}  // namespace edgemill

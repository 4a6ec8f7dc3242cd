// The columns that translate between the input's ids and the graph's.
#pragma once

#include <cstdint>
#include <span>

#include "common/status.h"
#include "loaders/ids/id_ranks.h"
#include "storage/write/graph_writer.h"

namespace edgemill {

/// Appends the ids of a sparse map, rising, to `writer` as the column of external ids, nothing of a
/// dense map; on up to four of `threads`.
Status WriteExternalIds(const IdRanks& ids, CompressionPolicy compression, int threads,
                        GraphWriter& writer);

/// Appends the internal id of each rank to `writer` as a column; on up to four of `threads`.
Status WriteInternalOfRank(std::span<const uint32_t> internal_of_rank,
                           CompressionPolicy compression, int threads, GraphWriter& writer);

}  // namespace edgemill

// The columns that translate between the input's ids and the graph's.
#pragma once

#include <cstdint>
#include <span>

#include "common/status.h"
#include "loaders/ids/id_ranks.h"
#include "storage/write/graph_writer.h"

namespace edgemill {

/// Appends the ids of a sparse map to `writer` in rising order, as the column of external ids. Does
/// nothing for a dense map. Uses up to four of `threads` threads.
Status WriteExternalIds(const IdRanks& ids, CompressionPolicy compression, int threads,
                        GraphWriter& writer);

/// Appends the internal id of each rank to `writer` as a column. Uses up to four of `threads`
/// threads.
Status WriteInternalOfRank(std::span<const uint32_t> internal_of_rank,
                           CompressionPolicy compression, int threads, GraphWriter& writer);

}  // namespace edgemill

// Files of edges with their truss numbers.
#pragma once

#include <cstdint>
#include <string>

#include "cli/session.h"
#include "common/status.h"
#include "engine/output/tables/table_writer.h"
#include "engine/truss/edge_trusses.h"
#include "storage/read/block_reader.h"
#include "storage/read/graph_store.h"

namespace edgemill::cli {

/// The memory that WriteTrusses takes, beside what EdgeTrusses::ForEachPart needs.
uint64_t TrussFileBytes(const GraphStore& store, TableFormat format, int threads);

struct TrussOutput {
  std::string path;  // "-" for standard output
  TableFormat format = TableFormat::kText;
  uint32_t least = 2;  // edges with lower truss numbers are left out
};

/// Writes edges, a line or row each: the end of lesser id, or of the name that is first in the
/// order of names, the other end, the number. The order of edges depends on the graph alone. The
/// errors of OutputFile and of reading; BudgetError.
Status WriteTrusses(const EdgeTrusses& trusses, const TrussOutput& output, const GraphStore& store,
                    BlockReader& reader, const Means& means);

}  // namespace edgemill::cli

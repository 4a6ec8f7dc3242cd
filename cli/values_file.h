// Files with values of vertices: an id, or a name, and a number a line.
#pragma once

#include <string>

#include "cli/session.h"
#include "common/status.h"
#include "engine/api/options.h"
#include "storage/read/graph_store.h"

namespace edgemill::cli {

/// Reads `path`, "-" for standard input, which may be compressed (InputStream): lines such as
/// `7 0.5`, with blanks, a tab or a comma between. The number comes last; what is before it is the
/// vertex as VertexCalled has it. Lines that are empty, or begin with # or %, and a first line
/// without a number are left out. An id that is no vertex is left to the run. BadDataError, with
/// the line, for any other line, a number that is not finite, and a vertex that comes twice;
/// BudgetError; the errors of InputStream and VertexCalled.
StatusOr<InputValues> ReadValues(const std::string& path, const GraphStore& store,
                                 Session& session);

}  // namespace edgemill::cli

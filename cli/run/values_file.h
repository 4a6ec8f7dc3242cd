// Files with values of vertices: an id, or a name, and a number a line.
#pragma once

#include <string>

#include "cli/session.h"
#include "common/status.h"
#include "engine/api/options.h"
#include "storage/read/graph_store.h"

namespace edgemill::cli {

/// Reads `path`, "-" for standard input, which may be compressed (InputStream): lines such as `7
/// 0.5`, with blanks, a tab or a comma between. The number comes last. Before it stands the vertex:
/// an id, or a name as it is, or in quotes as AppendNameField writes it. Empty lines, lines that
/// begin with # or %, and a byte-order mark are left out. A first line that is a header is left out
/// with a note: its first column is no vertex and its second no number. Ids that are no vertex are
/// left for the run to check. BadDataError, with the line, for any other line, a name that no
/// vertex has, and a number that is not finite or not in `range`. The same for a line above 1 MiB
/// and a vertex that comes twice. Also BudgetError, and the errors of InputStream and
/// NameDictionary.
StatusOr<InputValues> ReadValues(const std::string& path, const OptionRange& range,
                                 const GraphStore& store, Session& session);

}  // namespace edgemill::cli

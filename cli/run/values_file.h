// Files with values of vertices. Each line has an id or a name, and a number.
#pragma once

#include <string>

#include "cli/session.h"
#include "common/status.h"
#include "engine/api/options.h"
#include "storage/read/graph_store.h"

namespace edgemill::cli {

/// Reads lines such as `7 0.5` from `path`, with blanks, a tab or a comma between. "-" is standard
/// input. The file may be compressed (InputStream). The number comes last. Before it is the vertex:
/// an id, or a name as it is or in quotes, as AppendNameField writes it.
///
/// Leaves out empty lines, lines that begin with # or %, and a byte-order mark. If the first line
/// is a header, leaves it out with a note: its first column is not a vertex, and its second not a
/// number. The run checks ids that are no vertex.
///
/// Returns BadDataError, with the line, for any other line, and for a name that no vertex has. Also
/// for a number that is not finite or not in `range`, a line above 1 MiB, and a vertex that comes
/// twice. Also returns BudgetError, and the errors of InputStream and NameDictionary.
StatusOr<InputValues> ReadValues(const std::string& path, const OptionRange& range,
                                 const GraphStore& store, const Means& means);

}  // namespace edgemill::cli

// Names of columns in headers, and values that show that a column is no part of a graph.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/status.h"
#include "loaders/options/read_options.h"

namespace edgemill {

/// The fields of a line.
using LineFields = std::vector<std::string>;

/// The use of a column, by its word in the header.
enum class ColumnUse { kOther, kSource, kTarget, kWeight };
/// The use of words such as "source", "from" and "weight", in any case, and of Neo4j's
/// ":START_ID(A)", ":END_ID(A)" and "weight:double".
ColumnUse UseOfColumn(std::string_view title);
/// The first column with this use; -1 if there is none.
int FindUse(const LineFields& header, ColumnUse use);

/// The names, with commas between; of many the first ones.
std::string ListedColumns(const LineFields& names);
/// The column (from 0) of `input` that `wanted` means: a name, in any case where none is exactly
/// this, or a number from 1. `option` gave it. UsageError where there is none.
StatusOr<size_t> ColumnCalled(const std::string& input, const LineFields& names,
                              const std::string& wanted, std::string_view option);

/// Whether `fields` must be a header, since --csv-columns has a name that is among them, or since
/// they name source and target.
bool NamesColumns(const LineFields& fields, const ReadOptions& options);

/// Whether the fields are a header of Neo4j's for edges, with ":START_ID" and ":END_ID".
bool IsNeo4jHeader(const LineFields& fields);
/// Whether the fields are a header of Neo4j's for nodes, with ":ID". A name of data may also end
/// so, such as "schema:ID": the other fields, and the lines below in `rows`, decide.
bool IsNeo4jNodeHeader(const LineFields& fields, const std::vector<LineFields>& rows);

/// "A and B", if Neo4j's header gives source and target the different groups of ids A and B; else
/// empty. With two groups, one id means two vertices.
std::string TwoIdGroups(std::string_view source, std::string_view target);

/// Finds which of the first two columns has dates or times instead of ids; -1 if none has. `rows`
/// are the first lines of data.
int FindTimeColumn(const std::vector<LineFields>& rows);

/// "|" or "::" if `line` has it between words; else empty.
std::string_view LikelyDelimiter(std::string_view line);

/// The error that asks for --csv-columns. `what` is the reason.
Status NeedsColumns(const std::string& name, std::string_view what);

}  // namespace edgemill

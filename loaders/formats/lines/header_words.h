// What columns are called in headers, and what values show that a column is none of a graph's.
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

/// What a header's word says that a column holds.
enum class ColumnUse { kOther, kSource, kTarget, kWeight };
/// The use of "source", "from", "weight" and the like, whatever their case, and of Neo4j's
/// ":START_ID(A)", ":END_ID(A)" and "weight:double".
ColumnUse UseOfColumn(std::string_view title);
/// The first column of this use; -1 without one.
int FindUse(const LineFields& header, ColumnUse use);

/// Whether `fields` must be a header: they are what --csv-columns calls columns, or say which are
/// source and target.
bool NamesColumns(const LineFields& fields, const ReadOptions& options);

/// Where Neo4j's header gives source and target two groups of ids, "A and B"; else empty. One id
/// means two vertices there.
std::string TwoIdGroups(std::string_view source, std::string_view target);

/// Which of the first two columns of `rows`, the first lines of data, has dates or times where the
/// other has ids; -1 for none.
int FindTimeColumn(const std::vector<LineFields>& rows);

/// "|" or "::" where `line` has such between words; else empty.
std::string_view LikelyDelimiter(std::string_view line);

/// Says that --csv-columns has to tell which columns are which, for `what`.
Status NeedsColumns(const std::string& name, std::string_view what);

}  // namespace edgemill

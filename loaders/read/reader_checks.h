// What is checked and decided of a reader's inputs and options before edges are read.
#pragma once

#include <string>
#include <vector>

#include "common/status.h"
#include "loaders/options/read_options.h"
#include "loaders/source/edge_source.h"
#include "loaders/source/input.h"

namespace edgemill {

/// The options by which the rows of Parquet files that options.where selects are read as the rows
/// of a query. UsageError for other files, and beside a query.
StatusOr<ReadOptions> SelectRows(const std::vector<std::string>& paths, const ReadOptions& options);

/// Makes it possible to read inputs again for edge columns: copies pipes, and sets
/// options->copies. UsageError for pipes without a place for copies, and for options by which
/// passes could differ in their edges.
Status PrepareReadAgain(const std::vector<std::string>& paths, ReadOptions* options);

/// Sets options->vertex_names if there is a file of names. UsageError for options beside it.
Status TakeNamesFile(ReadOptions* options);

/// Adds what one input says to what the inputs before it said. UsageError when they disagree.
Status CombineInputs(const InputInfo& input, const std::string& name, bool first,
                     EdgeSourceInfo* info);

}  // namespace edgemill

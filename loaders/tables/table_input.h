// Tables as inputs: Parquet files, and the rows of a query.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "common/status.h"
#include "loaders/options/read_options.h"
#include "loaders/source/input.h"
#include "loaders/stream/input_stream.h"

namespace edgemill {

/// Whether a file begins as Parquet files do.
bool IsParquet(std::string_view head);

/// UsageError for the name of a Parquet file that DuckDB would take as a pattern.
Status CheckNoPattern(const std::string& name);

/// The Parquet file at `path`, which `stream` has opened. Its rows are cut at borders of row groups
/// where it is possible, and each raw chunk is read by the thread that parses it. UsageError for a
/// stream that is no plain file. Errors of the file name it, and the rows or the column.
StatusOr<std::unique_ptr<Input>> MakeParquetInput(const std::string& path,
                                                  const InputStream& stream,
                                                  const ReadOptions& options);

/// The rows of options.sql, which is one SELECT. One thread at a time takes rows, all parse them.
/// UsageError when the statement is wrong. Reading cannot go on after the first row, since the
/// rows may come in another order: Seek returns UsageError.
StatusOr<std::unique_ptr<Input>> MakeQueryInput(const ReadOptions& options);

}  // namespace edgemill

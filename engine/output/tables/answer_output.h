// Writes the answer of a run to a file.
#pragma once

#include <string>

#include "common/os/memory_budget.h"
#include "common/progress.h"
#include "common/status.h"
#include "engine/output/tables/table_writer.h"
#include "engine/run/run_result.h"
#include "storage/read/graph_store.h"

namespace edgemill {

struct AnswerOutput {
  std::string path;  // "-" for standard output
  TableFormat format = TableFormat::kText;
  /// Text has an unreachable vertex not as inf, but as 9223372036854775807, or for real values as
  /// Infinity.
  bool graphalytics_unreachable = false;
};

/// What WriteAnswer reserves beside the ids of RunResult::OpenRows, for a column of this type: the
/// names of vertices that are values.
uint64_t AnswerOutputBytes(const GraphStore& store, ResultType type, TableFormat format);

/// Writes a row for each vertex, in the order of input ids, on several threads: its id or name, and
/// its values. Values that are vertices have names too, but in kNumpy. The file's bytes do not
/// depend on the threads. Advances `means.progress` by vertices. The errors of TableWriter,
/// RunResult::OpenRows, LoadedNames::Load and NameCursor.
Status WriteAnswer(const RunResult& result, const GraphStore& store, const AnswerOutput& output,
                   const WriteMeans& means);

}  // namespace edgemill

// A run on an opened graph, and its answer as the library gives it.
#pragma once

#include "cli/run/answer_file.h"
#include "edgemill/edgemill.h"
#include "edgemill/open_graph.h"
#include "edgemill/operation.h"
#include "engine/run/run_options.h"

namespace edgemill {

/// Runs `options.algorithm`. Writes the answer to `file` if that is wanted, or else copies it
/// within the operation's memory. The errors of Run.
StatusOr<RunAnswer> RunOn(const StoreOfRun& opened, RunOptions options, const cli::AnswerFile& file,
                          Operation& operation);

}  // namespace edgemill

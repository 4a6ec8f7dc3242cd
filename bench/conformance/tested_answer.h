// Answers of tested runs, and what differs between two of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/status.h"
#include "engine/run/run_options.h"
#include "engine/run/run_result.h"

namespace edgemill::bench {

struct TestedAnswer {
  ResultType type = ResultType::kReal;
  std::vector<VertexValue> values;
};

/// All values of a run's answer. The errors of RunResult::Visit.
StatusOr<TestedAnswer> AnswerOf(RunResult& result);

/// What differs, such as "vertex 5 has 3, and 4 with WAY", where `way` has given the answer `by`.
/// Empty where nothing does. Real values that differ by less than `difference`, relative to the
/// larger, are the same.
std::string Difference(const TestedAnswer& answer, const TestedAnswer& by, std::string_view way,
                       double difference);

/// The runs on a graph with ids from 0 on: of a search one from the first and one from the last
/// vertex, and from several where the search takes them.
std::vector<RunOptions> RunsOn(uint64_t vertices, const RunOptions& options);

/// The command of a run that verifies its answer, on the graph g.mill.
std::string CommandOf(const RunOptions& run, const std::vector<std::string>& plugins);

}  // namespace edgemill::bench

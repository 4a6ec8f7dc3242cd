// What `bench run --rules graph500` asks for, and which options cannot go with it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bench/trials/algorithm_trials.h"
#include "cli/options/option_set.h"
#include "cli/session.h"
#include "common/status.h"
#include "engine/run/algorithm_help.h"

namespace edgemill::cli {

/// UsageError if an option was given that `rules` decide.
Status RefuseBesideRules(const OptionSet& given, std::string_view rules, std::string_view option);

/// The options of Graph500's rules whose names algorithms may also have. They are declared together
/// with those of algorithms (AlgorithmOptions::Declare).
AlgorithmHelp Graph500Options();

/// UsageError for what cannot go with the rules: an option that they decide, a graph, --start both,
/// and names that are not bfs or sssp.
Status CheckGraph500(const OptionSet& given, const std::vector<std::string>& algorithms,
                     std::string_view start);

/// Takes --scale out of `values`. UsageError if it is missing, or is no scale of a generator.
StatusOr<uint64_t> TakeGraph500Scale(OptionValues* values);

/// Runs each entry of `plan` by itself, so that the kept reader stays from one search to the next.
StatusOr<std::vector<bench::TrialSeries>> RunKernels(const GraphStore& store,
                                                     const bench::TrialPlan& plan,
                                                     Session& session);

}  // namespace edgemill::cli

// What the benchmarks know of single algorithms: plain versions to compare with, and how rules have
// them run. Nothing else outside the algorithms' own files has their names.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "bench/plain_algorithms.h"
#include "bench/plain_csr.h"
#include "common/memory_budget.h"
#include "common/status.h"
#include "engine/api/options.h"

namespace edgemill::bench {

/// A plain version's answer.
using PlainAnswer = std::variant<PlainValues<float>, PlainValues<uint32_t>>;

/// An algorithm that has a plain version.
struct KnownAlgorithm {
  std::string name;     // in the engine's registry
  OptionValues values;  // what makes the engine's answer comparable with the plain one
  uint64_t passes = 1;  // over all edges, by definition
  OptionValues gap;     // what the GAP benchmark's rules ask for
  /// The plain version, from `source` where it has one.
  std::function<StatusOr<PlainAnswer>(const PlainCsr& graph, VertexId source, int threads,
                                      MemoryBudget& budget)>
      plain;
};

/// All of them, those that take longest first.
const std::vector<KnownAlgorithm>& KnownAlgorithms();

/// What GAP's rules ask for of the algorithm called `name`; nothing of most.
const OptionValues& GapValues(std::string_view name);
/// Whether GAP's rules say what the option of this long name is; they leave it to programs how
/// they find an answer.
bool GapRulesDecide(std::string_view option);

}  // namespace edgemill::bench

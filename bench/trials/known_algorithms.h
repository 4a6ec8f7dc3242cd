// What the benchmarks know of single algorithms: plain versions to compare with, and how rules have
// them run. Nothing else outside the algorithms' own files has their names.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "bench/plain/plain_algorithms.h"
#include "bench/plain/plain_csr.h"
#include "bench/rivals/raw_run.h"
#include "common/os/memory_budget.h"
#include "common/status.h"
#include "engine/run/algorithm_help.h"
#include "engine/run/run.h"

namespace edgemill::bench {

/// A plain version's answer.
using PlainAnswer = std::variant<PlainValues<float>, PlainValues<uint32_t>>;

/// An algorithm, or a method of one, that benchmarks compare with others.
struct KnownAlgorithm {
  std::string name;                       // in tables of results: "delta"
  std::string algorithm;                  // in the engine's registry: "pagerank"
  RawAlgorithm raw = RawAlgorithm::kBfs;  // what rivals on a GPU run
  OptionValues values;                    // what makes the answer that of the plain version
  uint64_t passes = 1;                    // over all edges, by definition
  bool reads_weights = false;
  bool gathers = false;  // reads 4 bytes at random an edge
  OptionValues gap;      // the options that the GAP benchmark's rules prescribe
  std::string color;     // in pictures
  /// The plain version, from `source` where it has one; null: there is none.
  std::function<StatusOr<PlainAnswer>(const PlainCsr& graph, VertexId source, int threads,
                                      MemoryBudget& budget)>
      plain;

  bool has_source() const;
};

/// All of them.
const std::vector<KnownAlgorithm>& KnownAlgorithms();
/// The algorithm of a name in results, "bfs" or "bfs, warm"; null where nothing is known of it.
const KnownAlgorithm* FindKnown(std::string_view name);
/// Their names, as bench gpu takes them.
std::vector<std::string> KnownNames();

/// Whether GAP's rules say what the option of this long name is; they leave it to programs how
/// they find an answer.
bool GapRulesDecide(std::string_view option);

// The runs by which a machine is calibrated.
/// Every vertex pulls along every edge.
RunOptions PullingRun(uint32_t iterations);
/// Vertices push along every edge, and what arrives is added up.
RunOptions AddingRun(uint32_t iterations);
/// Vertices push to those that have not been reached.
RunOptions ReachingRun(ExternalId source);

}  // namespace edgemill::bench

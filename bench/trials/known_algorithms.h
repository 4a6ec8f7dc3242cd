// What benchmarks know about single algorithms: plain versions to compare with, and the options
// that rules prescribe. Apart from the algorithms' own files, only this file and its source name
// algorithms.
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
  OptionValues values;                    // options for the same answer as the plain version
  uint64_t passes = 1;                    // over all edges, by definition
  bool reads_weights = false;
  bool gathers = false;  // reads 4 bytes at a random place for each edge
  OptionValues gap;      // the options that the GAP benchmark's rules prescribe
  int hue = 0;           // in pictures (common/page/markup.h)
  /// The plain version, from `source` where it has one; null when there is none.
  std::function<StatusOr<PlainAnswer>(const PlainCsr& graph, VertexId source, int threads,
                                      MemoryBudget& budget)>
      plain;

  bool has_source() const;
};

/// All known algorithms.
const std::vector<KnownAlgorithm>& KnownAlgorithms();
/// The algorithm with a name in results, such as "bfs" or "bfs, warm"; null when it is not known.
const KnownAlgorithm* FindKnown(std::string_view name);
/// The names of all known algorithms, as bench gpu takes them.
std::vector<std::string> KnownNames();

/// Whether GAP's rules prescribe the option with this long name. They let each program choose how
/// it finds an answer.
bool GapRulesDecide(std::string_view option);

// The runs by which a machine is calibrated.
/// A run in which every vertex pulls along every edge.
RunOptions PullingRun(uint32_t iterations);
/// A run in which vertices push along every edge, and receivers add up what arrives.
RunOptions AddingRun(uint32_t iterations);
/// A run in which vertices push to vertices that have not been reached.
RunOptions ReachingRun(ExternalId source);

}  // namespace edgemill::bench

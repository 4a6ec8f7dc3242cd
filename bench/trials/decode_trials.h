// Times decoding by itself: packed blocks in memory, on one core.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/os/memory_budget.h"
#include "common/progress.h"
#include "common/status.h"
#include "storage/read/graph_store.h"

namespace edgemill::bench {

struct DecodePlan {
  uint64_t trials = 5;
  uint64_t seed = 1;
  /// The most bytes of payloads in memory, from the first block on.
  uint64_t payload_bytes = uint64_t{256} << 20;
  /// Lists decoded in a trial of random access.
  uint64_t lists = 200'000;
};

/// Trials of one way of decoding with one instruction set.
struct DecodeSeries {
  std::string target;                    // as DecodeTargets names it
  std::string access;                    // "blocks in order", "with a gather", "random lists"
  std::vector<double> edges_per_second;  // of processor time
  /// "AVX2, random lists".
  std::string Name() const { return target + ", " + access; }
};

struct DecodeReport {
  uint64_t blocks = 0;
  uint64_t edges = 0;
  uint64_t payload_bytes = 0;
  uint64_t stored_bytes = 0;
  /// Edges a second from the stored form to the payload: checksum, and Zstandard where used.
  double opened_per_second = 0;
  double mean_list = 0;  // mean number of edges of the lists visited at random
  std::vector<DecodeSeries> series;
};

/// Bytes that RunDecodeTrials takes of a budget besides payloads.
uint64_t DecodeOverheadBytes(const GraphStore& store, const DecodePlan& plan);

/// Reads the graph's first out-neighbour blocks into memory. Then decodes them with each
/// instruction set in three ways:
///
/// - decode every block in order, and add up the prefix sums;
/// - decode every block in order to ids, and gather and add up a 4-byte value of each neighbour;
/// - decode the lists of vertices that the seed draws, each from its own groups.
///
/// Runs the first trial of each series, then the second of each, and so on. Returns InternalError
/// when the sums of two instruction sets differ. Returns BudgetError when payloads, index and
/// values do not fit, and UsageError for a graph without edges.
StatusOr<DecodeReport> RunDecodeTrials(const GraphStore& store, const DecodePlan& plan,
                                       MemoryBudget& budget, Progress& progress);

}  // namespace edgemill::bench

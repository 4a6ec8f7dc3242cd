// Decoding, timed apart from everything else: packed blocks in memory, one core.
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
  /// Payloads kept in memory, from the first block on: at most so many bytes.
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
  double mean_list = 0;  // edges of the lists visited at random
  std::vector<DecodeSeries> series;
};

/// What RunDecodeTrials takes of a budget beside payloads.
uint64_t DecodeOverheadBytes(const GraphStore& store, const DecodePlan& plan);

/// Reads the graph's first out-neighbour blocks into memory, then decodes them with each
/// instruction set: every block in order, the prefix sums added up; the same with ids made of them
/// and a 4-byte value of each neighbour gathered and added up; and lists of vertices drawn by the
/// seed, each from its own groups. The first of each series, then the second of each. All sets'
/// sums must be the same: InternalError when they are not. BudgetError when payloads, index and
/// values have no room; UsageError without edges.
StatusOr<DecodeReport> RunDecodeTrials(const GraphStore& store, const DecodePlan& plan,
                                       MemoryBudget& budget, Progress& progress);

}  // namespace edgemill::bench

// Where searches start in a benchmark: vertices with out-edges, chosen by a seed.
#pragma once

#include <cstdint>
#include <vector>

#include "common/os/memory_budget.h"
#include "common/progress.h"
#include "common/status.h"
#include "common/types.h"
#include "storage/read/graph_store.h"

namespace edgemill::bench {

/// GAP's seed.
constexpr uint64_t kGapSeed = 27491095;

/// The sources of a benchmark: the first `count` draws of a seed.
struct SourceDraws {
  uint64_t seed = kGapSeed;
  uint64_t count = 1;
  /// A vertex that was drawn before is drawn again. Where fewer than `count` vertices have
  /// out-edges, all of these are sources.
  bool distinct = false;
};

/// Draws vertices with out-edges as GAP's benchmark does (Beamer, Asanovic and Patterson, 2015),
/// and returns their input ids. std::mt19937_64 gives uniform places in the order of input ids, and
/// vertices without out-edges are skipped. Draws may repeat, unless `draws` says otherwise. Reads
/// the out-offsets once, and takes 4 bytes a vertex of `budget` until it returns. Returns
/// UsageError when it finds no source, BudgetError, and the errors of reading.
StatusOr<std::vector<ExternalId>> PickSources(const GraphStore& store, const SourceDraws& draws,
                                              int threads, MemoryBudget& budget,
                                              Progress& progress);

}  // namespace edgemill::bench

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

/// Which sources a benchmark has: the first `count` draws of a seed.
struct SourceDraws {
  uint64_t seed = kGapSeed;
  uint64_t count = 1;
};

/// The input ids of `draws`, vertices with out-edges, drawn as GAP's benchmark does (Beamer,
/// Asanovic and Patterson, 2015): std::mt19937_64 gives places in the order of input ids,
/// uniformly, and those without out-edges are passed over. Draws may repeat. Reads the out-offsets
/// once; takes 4 bytes a vertex of `budget` meanwhile. UsageError when no source is found;
/// BudgetError; what reading may meet.
StatusOr<std::vector<ExternalId>> PickSources(const GraphStore& store, const SourceDraws& draws,
                                              int threads, MemoryBudget& budget,
                                              Progress& progress);

}  // namespace edgemill::bench

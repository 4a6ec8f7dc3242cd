// Garaph's shards (Ma et al., USENIX ATC 2017, 2.1 and 3.2): consecutive targets with all edges
// that lead to them. A thread block sums up what comes to a shard's targets in shared memory.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bench/layouts/kernel_tuning.h"
#include "bench/plain/plain_csr.h"
#include "common/buffer.h"
#include "common/os/memory_budget.h"
#include "common/status.h"
#include "common/types.h"

namespace edgemill::bench {

/// Consecutive targets. The edges of all shards lie one shard after the other.
struct Shard {
  VertexId first_target = 0;
  uint32_t num_targets = 0;
  uint32_t copies = 1;  // of each target's value: the replication factor R_i
  uint64_t begin = 0;   // of its edges
  uint64_t end = 0;
};

/// Equation 2: the power of two that is nearest to the mean in-degree on a logarithmic scale. It is
/// at least 1, and at most kMaxCopies.
uint32_t CopiesOf(uint64_t num_edges, uint64_t num_targets);

/// Cuts all vertices into shards, by the offsets of in-lists. A shard has as many targets as fit
/// kShardValues with its copies. Where equation 2 decides, a shard has the most copies that the
/// equation gives to the targets that then fit.
std::vector<Shard> CutShards(std::span<const uint64_t> in_offsets, const ShardTuning& tuning);

/// The mean of all shards' copies: the axis of the paper's figure 9. 0 if there are no shards.
double MeanCopies(std::span<const Shard> shards);

/// The work of a thread block: edges of one shard.
struct ShardPart {
  uint64_t begin = 0;
  uint64_t end = 0;
  VertexId first_target = 0;
  uint32_t num_targets = 0;
  uint32_t copies = 1;
};

/// Cuts the edges of each shard into parts of at most `part_edges` edges, of about equal size; 0: a
/// part each. Shards without edges have none.
std::vector<ShardPart> CutParts(std::span<const Shard> shards, uint64_t part_edges);

/// Cuts parts into pages of about equal numbers of edges (6.2). Page i has the parts from element i
/// of the result to before element i + 1. A page is empty where one part has several pages' edges.
std::vector<uint32_t> CutPages(std::span<const ShardPart> parts, uint32_t num_pages);

/// The edges of all shards.
struct ShardedEdges {
  Array<VertexId> sources;
  Array<uint16_t> targets;  // offsets from the shard's first target
  Array<int32_t> weights;   // empty: none
  MemoryReservation reservation;
};

/// What edges are sharded.
struct ShardedLists {
  const PlainLists& out;  // an edge leads from a list's vertex to each neighbour
  const PlainLists& in;   // the same edges by target
  bool weighted = false;
};

/// Lays out the edges of `lists` by the shards that in-lists were cut into: by source as `out` has
/// them, or by target as `in` has them, without weights. The same for any number of threads. Takes
/// 6 bytes an edge of `budget`, 10 with weights, and 4 a vertex for a while; BudgetError when there
/// is too little.
StatusOr<ShardedEdges> LayOutShards(const ShardedLists& lists, std::span<const Shard> shards,
                                    bool by_target, int threads, MemoryBudget& budget);

}  // namespace edgemill::bench

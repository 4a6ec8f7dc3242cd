#include "engine/output/walks/random_walks.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>

#include "common/cancel.h"
#include "common/check.h"
#include "common/threads/parallel.h"
#include "engine/output/walks/resident_blocks.h"
#include "engine/output/walks/saturating.h"
#include "engine/output/walks/waiting_walks.h"
#include "engine/output/walks/walk_batch.h"

namespace edgemill {
namespace {

/// Walks of a batch where all blocks are in memory: more do not make it faster.
constexpr uint64_t kEnoughWalks = uint64_t{1} << 17;
constexpr uint64_t kMostBatchWalks = uint64_t{1} << 31;

/// How memory is divided between blocks of edges and walks.
struct WalkShares {
  uint64_t slots = 0;
  uint64_t walks = 0;
};

WalkShares ShareMemory(const GraphInfo& info, const WalkOptions& options, uint64_t num_walks,
                       uint64_t bytes) {
  const uint64_t slot_bytes = ResidentBlocks::SlotBytes(info, WalkBatch::NeedsOf(options));
  const uint64_t walk_bytes = WalkBatch::WalkBytes(options);
  bytes -= std::min(bytes, WaitingWalks::FixedBytes(info));
  const uint64_t most_walks = std::min(num_walks, kMostBatchWalks);
  const uint64_t all_blocks = info.num_blocks() * slot_bytes;
  const uint64_t enough = std::min(most_walks, kEnoughWalks);
  WalkShares shares;
  const uint64_t least_walks = std::max(walk_bytes, std::min(enough * walk_bytes, bytes / 4));
  if (all_blocks + least_walks <= bytes) {
    shares.slots = info.num_blocks();
    shares.walks = std::min(enough, (bytes - all_blocks) / walk_bytes);
  } else {
    // A walk may take more than half of the memory.
    shares.walks = std::max<uint64_t>(1, std::min(most_walks, bytes / 2 / walk_bytes));
    shares.slots = (bytes - std::min(bytes, shares.walks * walk_bytes)) / slot_bytes;
    if (shares.slots == 0) {
      shares.slots = 1;
      shares.walks = (bytes - std::min(bytes, slot_bytes)) / walk_bytes;
    }
  }
  shares.walks = std::max<uint64_t>(shares.walks, 1);
  return shares;
}

/// The vertices of all walks, at least. In an undirected graph no walk ends early, except by
/// weights of 0. Saturates.
uint64_t LeastVertices(const ResidentBlocks& blocks, bool directed,
                       std::span<const VertexId> starts, const WalkOptions& options, int threads) {
  constexpr size_t kGrain = size_t{1} << 14;
  std::atomic<uint64_t> with_edges{0};
  ForEachChunk(starts.size(), kGrain, threads, [&](size_t begin, size_t end) {
    uint64_t count = 0;
    for (const VertexId start : starts.subspan(begin, end - begin)) {
      if (blocks.index().degree(start) > 0) ++count;
    }
    with_edges.fetch_add(count, std::memory_order_relaxed);
  });
  const uint64_t steps = options.weighted ? 0 : directed ? 1 : options.length;
  const uint64_t all_steps = SaturatingProduct(with_edges.load(std::memory_order_relaxed), steps);
  return SaturatingProduct(SaturatingSum(starts.size(), all_steps), options.walks_per_start);
}

}  // namespace

uint64_t WalkMemoryBytes(const GraphInfo& info, const WalkOptions& options) {
  const uint64_t slots = info.num_blocks() == 0 ? 0 : 1;
  return ResidentBlocks::FixedBytes(info, WalkBatch::NeedsOf(options)) +
         WaitingWalks::FixedBytes(info) +
         slots * ResidentBlocks::SlotBytes(info, WalkBatch::NeedsOf(options)) +
         WalkBatch::WalkBytes(options);
}

StatusOr<WalkCounts> MakeWalks(const GraphContext& context, std::span<const VertexId> starts,
                               const WalkOptions& options, const WalkSink& sink) {
  CHECK_GT(options.walks_per_start, uint64_t{0});
  CHECK_GT(options.length, uint64_t{0});
  CHECK_LE(options.length, kMostWalkSteps);
  CHECK(options.p >= kLeastBias && options.p <= kMostBias);
  CHECK(options.q >= kLeastBias && options.q <= kMostBias);
  CHECK_LE(options.walks_per_start,
           std::numeric_limits<uint64_t>::max() / std::max<size_t>(starts.size(), 1));
  const GraphInfo& info = context.store.info();
  WalkCounts counts;
  const uint64_t num_walks = starts.size() * options.walks_per_start;
  counts.blocks = info.num_blocks();
  if (num_walks == 0) return counts;
  ASSIGN_OR_RETURN(const std::unique_ptr<ResidentBlocks> blocks,
                   ResidentBlocks::Create(context, WalkBatch::NeedsOf(options)));
  RETURN_IF_ERROR(
      sink.check(LeastVertices(*blocks, info.directed, starts, options, context.threads)));
  const WalkShares shares = ShareMemory(info, options, num_walks, context.budget.available_bytes());
  RETURN_IF_ERROR(blocks->Prepare(shares.slots));
  ASSIGN_OR_RETURN(const std::unique_ptr<WalkBatch> batch,
                   WalkBatch::Create(context, options, *blocks, shares.walks));
  context.progress.StartStage("walking", "steps", SaturatingProduct(num_walks, options.length));
  for (bool goes_on = true; goes_on && counts.walks < num_walks; ++counts.batches) {
    RETURN_IF_ERROR(CheckCancelled());
    const uint64_t count = std::min(shares.walks, num_walks - counts.walks);
    RETURN_IF_ERROR(batch->Make(starts, counts.walks, count));
    ASSIGN_OR_RETURN(goes_on, sink.take(batch->rows()));
    counts.walks += count;
  }
  counts.steps = batch->steps();
  counts.tries = batch->tries();
  counts.blocks_read = blocks->blocks_read();
  return counts;
}

}  // namespace edgemill

#include "engine/old/plan/gpu_memory.h"

#include <algorithm>

namespace edgemill {
void IterationArrays::Plan(const GraphInfo& info, const IterationNeeds& needs, uint32_t max_grid,
                           uint32_t streams, ArenaPlan* arena) {
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    const bool swept = needs.sweeps(info.directed, direction);
    if (swept || (direction == Direction::kOut && needs.out_index)) {
      directions[static_cast<size_t>(direction)].Plan(
          info, direction, needs.frontier || needs.in_parts, swept, arena);
    }
  }
  const uint64_t words = (info.num_vertices + 63) / 64;
  if (needs.frontier) {
    arena->Plan(&current, words);
    arena->Plan(&next, words);
    if (needs.prioritised) arena->Plan(&waiting, words);
    if (needs.pull) arena->Plan(&marks, words);
    if (needs.asynchronous && needs.push) {
      arena->Plan(&again, words);
      arena->Plan(&again_groups, (DeviceEdgesOf(info).num_groups() + 31) / 32);
      if (needs.in_parts) arena->Plan(&sent, words);
    }
  }
  arena->Plan(&counters, 1);
  if (needs.loops) {
    // A list's second piece begins in its fifth group, three whole ones after its first.
    const uint64_t most =
        info.num_vertices + info.num_edges / ((kPieceGroups - 1) * kGroupSize) + 2;
    loop.most_pieces = static_cast<uint32_t>(std::min<uint64_t>(kMostLoopPieces, most));
    loop.most_edges = kMostLoopEdges;
    for (PushPiece*& list : loop.lists) arena->Plan(&list, loop.most_pieces);
    arena->Plan(&loop.state, 1);
    arena->Plan(&loop.far, DeviceEdgesOf(info).num_blocks());
    if (needs.prioritised) arena->Plan(&loop.program, kLoopProgramBytes);
  }
  if (needs.aggregate_bytes > 0) {
    arena->Plan(&aggregates, needs.aggregate_bytes * max_grid * (streams + uint64_t{1}));
    arena->Plan(&aggregate_total, needs.aggregate_bytes);
  }
}

Status CheckCardMemory(const GraphStore& store, const GpuNeeds& needs, const GpuRunOptions& options,
                       const CardMemory& card) {
  const GraphInfo& info = store.info();
  if (DeviceEdgesOf(info).num_runs() >= uint64_t{1} << 32) {
    return UsageError(StrCat(store.path(), ": ", info.num_edges, " edges in blocks of ",
                             info.block_edges,
                             " are too many for a GPU: ingest with larger --block-edges"));
  }
  ArenaPlan arena;
  IterationArrays arrays;
  const uint32_t max_grid =
      static_cast<uint32_t>(card.multiprocessors) * IterationArrays::kBlocksPerMultiprocessor;
  arrays.Plan(info, needs.iteration, max_grid, options.streams, &arena);
  const uint64_t numbers = info.num_edges == 0 ? 0 : StagedNumbersBytes(options.streams);
  return ShareOutCard(store, needs.iteration, options, card,
                      needs.program_bytes + arena.bytes() + numbers)
      .status();
}

}  // namespace edgemill

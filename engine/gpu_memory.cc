#include "engine/gpu_memory.h"

#include <algorithm>
#include <bit>

#include "common/units.h"
#include "engine/gpu/block_slots.h"
#include "engine/gpu_choice.h"

namespace edgemill {
namespace {

/// The share of the card's memory for edges that slots take, as far as batches fill them: one in so
/// many.
constexpr uint64_t kSlotShare = 8;
/// But so many bytes, up to half: however small a batch is, it holds its slot for a tenth of a
/// millisecond (copy, kernel, and until the host sees its end), in which the link moves 6 MB.
constexpr uint64_t kBusySlotsBytes = uint64_t{12} << 20;

/// Bytes on the card of all blocks that are swept.
uint64_t AllBlocksBytes(const GraphStore& store, const IterationNeeds& needs) {
  const bool directed = store.info().directed;
  uint64_t bytes = 0;
  const auto add = [&](ColumnKind column) {
    bytes += store.column(column).payload_bytes +
             2 * BlockSlots::kAlignment * DeviceEdgesOf(store.info()).num_blocks();
  };
  if (needs.sweeps(directed, Direction::kOut)) {
    add(ColumnKind::kOutNeighbors);
    if (needs.weighted) add(ColumnKind::kOutWeights);
  }
  if (needs.sweeps(directed, Direction::kIn)) {
    add(ColumnKind::kInNeighbors);
    if (needs.weighted) add(ColumnKind::kInWeights);
  }
  return bytes;
}

}  // namespace

DeviceEdges DeviceEdgesOf(const GraphInfo& info) {
  DeviceEdges edges;
  edges.num_edges = info.num_edges;
  edges.block_shift = static_cast<uint32_t>(std::countr_zero(info.block_edges));
  edges.run_shift = std::min(kMaxRunShift, edges.block_shift - kGroupShift);
  return edges;
}

void DirectionArrays::Plan(const GraphInfo& info, Direction direction, bool with_groups, bool swept,
                           ArenaPlan* arena) {
  planned = true;
  const DeviceEdges edges = DeviceEdgesOf(info);
  arena->Plan(&low, info.num_vertices + 1);
  arena->Plan(&crossings, info.offset_crossings[static_cast<size_t>(direction)].size());
  arena->Plan(&run_owners, edges.num_runs() + 1);
  arena->Plan(&blocks, edges.num_blocks());
  arena->Plan(&block_counts, edges.num_blocks());
  if (with_groups) {
    arena->Plan(&groups, (edges.num_groups() + 31) / 32);
    arena->Plan(&runs, edges.num_runs());
  }
  arena->Plan(&run_counts, 1);
  if (swept) arena->Plan(&resident, edges.num_blocks());
}

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

uint64_t SlotNumbersBytes(uint32_t streams) {
  return streams * BlockSlot::kMostBlocks * sizeof(uint32_t);
}

uint64_t MostSlotBlockBytes(const GraphInfo& info, bool with_weights) {
  return MostBlockBytes(info, with_weights) + 4 * BlockSlots::kAlignment;
}

StatusOr<CardShares> ShareOutCard(const GraphStore& store, const IterationNeeds& needs,
                                  const GpuRunOptions& options, const CardMemory& memory,
                                  uint64_t fixed_bytes) {
  const uint64_t most_block = MostSlotBlockBytes(store.info(), needs.weighted);
  const uint64_t card = (memory.bytes - std::min(memory.bytes, memory.used_bytes)) /
                        DeviceBuffer::kGranularity * DeviceBuffer::kGranularity;
  const uint64_t left = card > fixed_bytes ? card - fixed_bytes : 0;
  const uint64_t all = AllBlocksBytes(store, needs);
  const Transfer transfer = options.transfer;
  const bool wants_all = transfer == Transfer::kResident || transfer == Transfer::kManaged;
  const bool may_stay = wants_all || transfer == Transfer::kAuto;
  // Unified memory is an allocation of its own.
  const auto footprint = [&](uint64_t edges) {
    return transfer == Transfer::kManaged
               ? DeviceBuffer::Footprint(fixed_bytes) + DeviceBuffer::Footprint(edges)
               : DeviceBuffer::Footprint(fixed_bytes + edges);
  };
  CardShares shares;
  shares.all_fits = may_stay && footprint(all) <= card;
  const uint64_t slot = transfer == Transfer::kZeroCopy || all == 0 ? 0 : most_block;
  if (!shares.all_fits && (left < slot || card < fixed_bytes || wants_all)) {
    const uint64_t edges = wants_all ? all : may_stay ? std::min(all, slot) : slot;
    const uint64_t least = memory.used_bytes + footprint(edges);
    return BudgetError(StrCat(
        store.path(), " needs at least --gpu-memory ", FormatMebibytesUp(least),
        wants_all ? " with all edges on the card" : "", ", and has ", FormatBytes(memory.bytes)));
  }
  if (shares.all_fits) {
    shares.room = all;
  } else if (transfer != Transfer::kZeroCopy) {
    const uint64_t ample = options.streams * options.batch_bytes;
    shares.slots = std::max(
        {std::min(left / kSlotShare, ample), std::min(left / 2, kBusySlotsBytes), most_block});
    if (may_stay) shares.room = left - shares.slots;
  }
  return shares;
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
  const uint64_t numbers = info.num_edges == 0 ? 0 : SlotNumbersBytes(options.streams);
  return ShareOutCard(store, needs.iteration, options, card,
                      needs.program_bytes + arena.bytes() + numbers)
      .status();
}

}  // namespace edgemill

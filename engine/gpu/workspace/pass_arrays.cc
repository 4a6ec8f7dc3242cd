#include "engine/gpu/workspace/pass_arrays.h"

#include <algorithm>

#include "common/check.h"
#include "engine/cost/tuning.h"
#include "engine/gpu/program/fixpoint_launch.h"
#include "engine/gpu/program/pass_args.h"

namespace edgemill {

void DeviceSets::Plan(const GraphInfo& info, const DeviceNeeds& needs, ArenaPlan* arena) {
  const ProgramList programs = needs.programs;
  const uint64_t words = SetBytes(info) / sizeof(uint32_t);
  arena->Plan(&current, words);
  arena->Plan(&next, words);
  if (AnyOf(programs, &ProgramTraits::has_priority)) arena->Plan(&waiting, words);
  if (needs.marks) arena->Plan(&marks, words);
  const bool notes_received = AnyOf(programs, [](const ProgramTraits& program) {
    return program.collects && !program.applies_to_all;
  });
  if (notes_received || needs.logs) arena->Plan(&received, words);
  if (AnyOf(programs, &ProgramTraits::takes_first)) arena->Plan(&closed, words);
  if (needs.shares) arena->Plan(&touched, words);
  if (needs.gathers) arena->Plan(&gathered, words);
}

void DeviceSums::Plan(const GraphInfo& info, const DeviceNeeds& needs, ArenaPlan* arena) {
  const ProgramList programs = needs.programs;
  const uint64_t sum_bytes = MostSumBytes(programs);
  arena->Plan(&messages, info.num_vertices * MaxBytes(programs, &ProgramTraits::message_bytes,
                                                      &ProgramTraits::consumes));
  const uint64_t collected_bytes =
      MaxBytes(programs, &ProgramTraits::sum_bytes, &ProgramTraits::collects);
  if (needs.sums || needs.logs) {
    arena->Plan(&sums, info.num_vertices * (needs.logs ? sum_bytes : collected_bytes));
  }
  if (needs.gathers) arena->Plan(&gathered, info.num_vertices * sum_bytes);
  if (needs.pulls && collected_bytes > 0) {
    arena->Plan(&partials, 2 * (DeviceEdgesOf(info).num_tiles() + 1) * sum_bytes);
  }
  if (needs.shares) arena->Plan(&border, sum_bytes);
  arena->Plan(&tallies, kMaxTallies * kTallySlot);
  arena->Plan(&reduced, kMaxReduceChunks * kMaxReducedBytes);
}

namespace {

/// Returns the most chunks that lists may have, but at most `most`.
uint32_t MostChunks(const GraphInfo& info, uint32_t most) {
  // A list's second chunk begins in its fifth group, after three whole groups.
  const uint64_t all =
      info.num_vertices + info.num_edges / ((kWarpChunkGroups - 1) * kGroupSize) + 2;
  return static_cast<uint32_t>(std::min<uint64_t>(most, all));
}

}  // namespace

void FixpointArrays::Plan(const GraphInfo& info, ArenaPlan* arena) {
  max_chunks = MostChunks(info, kMaxLoopChunks);
  for (WarpChunk*& list : lists) arena->Plan(&list, max_chunks);
  arena->Plan(&state, 1);
}

void SearchArrays::Plan(const GraphInfo& info, ArenaPlan* arena) {
  const uint64_t words = DeviceSets::SetBytes(info) / sizeof(uint32_t);
  arena->Plan(&open, words);
  arena->Plan(&sets, kSearchSets * words);
  queues.max_chunks = MostChunks(info, kMaxSearchChunks);
  arena->Plan(&queues.chunks, queues.max_chunks);
  arena->Plan(&queues.lists, SearchLaunch::MostListed(info.num_vertices));
  arena->Plan(&queues.long_lists, kMaxLongLists);
  arena->Plan(&queues.queue, kMaxQueued);
  arena->Plan(&state, 1);
}

void PassArrays::Plan(const GraphInfo& info, const DeviceNeeds& needs, ArenaPlan* arena) {
  CHECK(!needs.keeps_headers || needs.samples_neighbors);  // one pass makes both
  const DeviceEdges edges = DeviceEdgesOf(info);
  const uint64_t words = DeviceSets::SetBytes(info) / sizeof(uint32_t);
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    const size_t side = static_cast<size_t>(direction);
    const bool scanned = needs.scanned.Has(direction);
    const bool is_other = !info.directed && direction == Direction::kIn;
    if (!scanned && (is_other || !needs.degrees[side])) continue;
    directions[side].Plan(info, direction, /*with_groups=*/true, scanned, arena);
  }
  sets.Plan(info, needs, arena);
  sums.Plan(info, needs, arena);
  arena->Plan(&counters, 1);
  if (needs.asynchronous) {
    arena->Plan(&repeats.senders, words);
    arena->Plan(&repeats.groups, (edges.num_groups() + 31) / 32);
    arena->Plan(&repeats.pending, edges.num_blocks());
  }
  const bool searches = needs.samples_neighbors && needs.may_search;
  if (needs.samples_neighbors) {
    arena->Plan(&sampled_neighbors.neighbor, info.num_vertices);
    arena->Plan(&sampled_neighbors.has_one, words);
    arena->Plan(&sampled_neighbors.has_more, words);
  }
  if (needs.keeps_headers) arena->Plan(&headers, edges.num_groups());
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    if (!needs.scanned.Has(direction) || !(needs.may_run_in_one_launch || searches)) continue;
    arena->Plan(&pinned[SideOf(info, direction)], edges.num_blocks());
  }
  if (needs.may_run_in_one_launch) fixpoint.Plan(info, arena);
  if (searches) search.Plan(info, arena);
}

namespace {

/// Returns how the GPU's memory is shared out. Has the errors of FitGpu.
StatusOr<DeviceShares> SharesOf(const GraphStore& store, const DeviceNeeds& needs,
                                const GpuRunOptions& options, const DeviceMemory& memory) {
  ArenaPlan arena;
  PassArrays arrays;
  arrays.Plan(store.info(), needs, &arena);
  const uint64_t numbers =
      store.info().num_edges == 0 ? 0 : StagedNumbersBytes(options.num_batches);
  return ShareOutDeviceMemory(store, needs.scanned, options, memory,
                              needs.state_bytes + arena.bytes() + numbers);
}

/// Whether sampled neighbours are worth the blocks that would be on the GPU in their place.
bool IsWorthBlocks(const GraphStore& store, const DeviceNeeds& needs) {
  CHECK(needs.may_sample.has_value());
  const GraphInfo& info = store.info();
  const ColumnInfo& column = store.column(NeighborColumn(info, *needs.may_sample));
  return static_cast<double>(info.num_vertices * sizeof(VertexId)) <=
         kSampledShare * static_cast<double>(column.payload_bytes);
}

}  // namespace

Status FitGpu(const GraphStore& store, const GpuRunOptions& options, const DeviceMemory& memory,
              DeviceNeeds* needs) {
  const GraphInfo& info = store.info();
  if (DeviceEdgesOf(info).num_tiles() >= uint64_t{1} << 32) {
    return UsageError(StrCat(store.path(), ": ", info.num_edges, " edges in blocks of ",
                             info.block_edges,
                             " are too many for a GPU: ingest with larger --block-edges"));
  }
  const auto fits = [&](bool all) {
    const StatusOr<DeviceShares> shares = SharesOf(store, *needs, options, memory);
    needs->all_fits = shares.ok() && shares->all_fits;
    return shares.ok() && (needs->all_fits || !all);
  };
  const Transfer transfer = options.transfer;
  const bool uses_zero_copy = transfer == Transfer::kAuto || transfer == Transfer::kZeroCopy;
  if (needs->may_sample.has_value() && info.num_edges > 0) {
    needs->samples_neighbors = true;
    if (transfer != Transfer::kManaged && fits(/*all=*/true)) return OkStatus();
    needs->keeps_headers = needs->may_search;
    if (uses_zero_copy && IsWorthBlocks(store, *needs) && fits(/*all=*/false)) return OkStatus();
    needs->samples_neighbors = needs->keeps_headers = false;
  }
  return SharesOf(store, *needs, options, memory).status();
}

}  // namespace edgemill

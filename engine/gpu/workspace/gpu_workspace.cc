#include "engine/gpu/workspace/gpu_workspace.h"

#include <algorithm>

#include "common/check.h"
#include "engine/cost/tuning.h"
#include "engine/plan/staging_memory.h"

namespace edgemill {
StatusOr<std::unique_ptr<GpuWorkspace>> GpuWorkspace::Create(const GpuRun& run, LoadedGraph& graph,
                                                             const DeviceNeeds& needs,
                                                             DeviceArena& arena,
                                                             Recorder& recorder) {
  DeviceNeeds own = needs;
  // Sampling neighbours reads all lists. It pays only if their blocks then stay in memory.
  if (!needs.all_fits && !run.in_memory) own.samples_neighbors = own.keeps_headers = false;
  std::unique_ptr<GpuWorkspace> workspace(new GpuWorkspace(run, graph, own, recorder));
  RETURN_IF_ERROR(workspace->Start(arena));
  return workspace;
}

Status GpuWorkspace::Start(DeviceArena& arena) {
  const GraphInfo& info = graph_.info();
  ASSIGN_OR_RETURN(main_, GpuStream::Create(gpu()));
  arrays_.Plan(info, needs_, &arena);
  RETURN_IF_ERROR(control_.Create(gpu(), main_, info, run_.options.transfer, graph_.budget()));
  RETURN_IF_ERROR(pass_runner_.Plan(needs_.scanned, directions_.all(), arena.bytes()));
  RETURN_IF_ERROR(arena.Allocate(gpu(), pass_runner_.rest_bytes(), "index, state and edges"));
  RETURN_IF_ERROR(pass_runner_.Start(arena.rest(), main_));
  RETURN_IF_ERROR(directions_.Upload(gpu(), main_));
  const uint64_t set_bytes = DeviceSets::SetBytes(info);
  for (uint32_t* const set :
       {arrays_.sets.current, arrays_.sets.next, arrays_.sets.waiting, arrays_.sets.marks,
        arrays_.sets.received, arrays_.sets.closed, arrays_.repeats.senders}) {
    if (set != nullptr) RETURN_IF_ERROR(main_.Fill(set, 0, set_bytes));
  }
  if (arrays_.repeats.groups != nullptr) {
    RETURN_IF_ERROR(
        main_.Fill(arrays_.repeats.groups, 0, directions_.of(Direction::kOut).group_bytes()));
  }
  const PassCounters fresh;
  RETURN_IF_ERROR(control_.Write(arrays_.counters, std::as_bytes(std::span(&fresh, 1))));
  RETURN_IF_ERROR(pass_runner_.LoadBlocks(main_));
  if (needs_.samples_neighbors && pass_runner_.places().InMemory(*needs_.may_sample)) {
    RETURN_IF_ERROR(SampleNeighbors());
    pass_runner_.DropAccounts();
  }
  return main_.Synchronize();
}

Status GpuWorkspace::SampleNeighbors() {
  if (!needs_.samples_neighbors || neighbors_are_sampled_) return OkStatus();
  CHECK(needs_.may_sample.has_value());
  const Direction lists = *needs_.may_sample;
  const DeviceSampledNeighbors& sampled = arrays_.sampled_neighbors;
  const bool by_degree = graph_.info().renumbering == Renumbering::kDegree;
  RETURN_IF_ERROR(main_.Fill(sampled.neighbor, 0xff, graph_.num_vertices() * sizeof(VertexId)));
  const auto keep = [&](const TileSelection& source, uint64_t num_tiles, GpuStream& on, uint32_t) {
    LaunchSampleNeighbors(edges(lists), source, by_degree, sampled.neighbor, arrays_.headers,
                          directions_.damaged(lists), Grids(num_tiles).tiles, on.handle());
    return gpu().AfterLaunch("sample neighbours");
  };
  // The last blocks are read first, so that they stay on the GPU if not all fit. Where ids are by
  // degree, these have the lists of vertices for which a sampled neighbour is often not enough.
  constexpr uint64_t kParts = 16;
  const uint64_t num_blocks = graph_.num_blocks();
  for (uint64_t part = kParts; part-- > 0;) {
    const BlockRange blocks{num_blocks * part / kParts, num_blocks * (part + 1) / kParts};
    RETURN_IF_ERROR(RunPass({.direction = lists, .blocks = blocks}, keep));
  }
  LaunchSampledSets(edges(lists).index, sampled, main_.handle());
  RETURN_IF_ERROR(gpu().AfterLaunch("list the vertices with a sampled neighbour"));
  RETURN_IF_ERROR(ReadCounters().status());
  neighbors_are_sampled_ = true;
  recorder_.NoteSampledNeighbors();
  return OkStatus();
}

LaunchGrids GpuWorkspace::Grids(uint64_t num_tiles) const {
  const uint64_t multiprocessors = static_cast<uint64_t>(gpu().properties().multiprocessors);
  const auto grid = [](uint64_t threads, uint64_t a_block, uint64_t most) {
    return static_cast<uint32_t>(std::clamp<uint64_t>((threads + a_block - 1) / a_block, 1, most));
  };
  return {.vertices = grid(graph_.num_vertices(), kProgramThreads,
                           multiprocessors * kVertexBlocksPerMultiprocessor),
          .tiles = grid(num_tiles, kVisitWarps, multiprocessors * kTileBlocksPerMultiprocessor)};
}

Status GpuWorkspace::MarkGroups(const ListChoice& choice, WantedGroups* wanted) {
  DeviceDirection& edges = directions_.of(choice.direction);
  CHECK(edges.groups() != nullptr);  // planned where passes read this direction
  RETURN_IF_ERROR(main_.Fill(edges.groups(), 0, edges.group_bytes()));
  LaunchMarkGroups(edges.edges(), choice.members, choice.not_members, choice.part, edges.groups(),
                   main_.handle());
  RETURN_IF_ERROR(gpu().AfterLaunch("mark groups"));
  if (pass_runner_.places().all_resident(choice.direction)) return OkStatus();
  LaunchCountBlocks(edges.edges(), edges.groups(), edges.block_counts(), main_.handle());
  RETURN_IF_ERROR(gpu().AfterLaunch("count groups"));
  uint32_t* const host = control_.block_counts();
  RETURN_IF_ERROR(
      main_.CopyToHost(host, edges.block_counts(), graph_.num_blocks() * sizeof(uint32_t)));
  wanted->counts = {host, graph_.num_blocks()};
  if (choice.pending != nullptr) {
    RETURN_IF_ERROR(
        main_.CopyToHost(control_.pending(), choice.pending, graph_.num_blocks() * sizeof(float)));
    wanted->pending = {control_.pending(), graph_.num_blocks()};
  }
  if (run_.options.transfer != Transfer::kSubCsr) {
    wanted->groups = [this, &edges]() -> StatusOr<const uint32_t*> {
      auto* const groups = reinterpret_cast<uint32_t*>(control_.bits());
      RETURN_IF_ERROR(main_.CopyToHost(groups, edges.groups(), edges.group_bytes()));
      RETURN_IF_ERROR(main_.Synchronize());
      return groups;
    };
  } else if (choice.takes_sub_csrs) {
    CHECK(!choice.not_members && choice.part.is_whole());
    wanted->members = [this, set = choice.members]() -> StatusOr<std::span<const uint64_t>> {
      auto* const members = reinterpret_cast<uint64_t*>(control_.bits());
      const uint64_t bytes = DeviceSets::SetBytes(graph_.info());
      RETURN_IF_ERROR(main_.CopyToHost(members, set, bytes));
      RETURN_IF_ERROR(main_.Synchronize());
      return std::span(members, bytes / sizeof(uint64_t));
    };
  }
  return main_.Synchronize();
}

Status GpuWorkspace::RunPass(const ListChoice& choice, const EdgeLaunch& launch) {
  CHECK_LE(choice.blocks.begin, choice.blocks.end);
  if (graph_.num_edges() == 0 || choice.blocks.size() == 0) return OkStatus();
  WantedGroups wanted{
      .asynchronous = choice.asynchronous,
      .rarely_reused = needs_.rarely_reused || !choice.part.is_whole(),
      .blocks = {choice.blocks.begin, std::min(choice.blocks.end, graph_.num_blocks())}};
  const bool all = choice.members == nullptr && choice.part.is_whole();
  if (!all) RETURN_IF_ERROR(MarkGroups(choice, &wanted));
  return pass_runner_.RunPass({.direction = choice.direction,
                               .zero_copy_first = choice.zero_copy_first,
                               .groups = all ? nullptr : directions_.of(choice.direction).groups(),
                               .wanted = wanted},
                              main_, launch);
}

StatusOr<PassCounters> GpuWorkspace::ReadCounters() {
  PassCounters counters;
  RETURN_IF_ERROR(control_.Read(std::as_writable_bytes(std::span(&counters, 1)), arrays_.counters));
  RETURN_IF_ERROR(directions_.CheckDamaged(counters));
  return counters;
}

Status GpuWorkspace::Report() {
  ASSIGN_OR_RETURN(const TransferAccounts accounts,
                   pass_runner_.DrainAccounts(&recorder().timeline()));
  recorder().AddTransfers(accounts);
  return OkStatus();
}

}  // namespace edgemill

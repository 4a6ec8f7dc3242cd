#include "engine/gpu/loops/gpu_search.h"

#include <algorithm>

#include "common/check.h"
#include "engine/cost/tuning.h"

namespace edgemill {

bool GpuSearch::MayRun(Direction lists) const {
  return workspace_.run().options.loops && workspace_.samples_neighbors(lists) && PrepareSearch();
}

uint32_t GpuSearch::MostLists(Direction lists) {
  const double seconds = workspace_.pass_runner().BringSeconds(lists);
  if (seconds == 0) return SearchLaunch::kAnyLists;
  return static_cast<uint32_t>(std::min(seconds / kZeroCopyListSeconds, 1e9));
}

StatusOr<SearchResult> GpuSearch::Run(const ProgramLaunch& program, bool knows_closed,
                                      uint64_t max_passes) {
  const EdgeProgramLaunchers& kernels = program.kernels;
  const Direction lists = program.lists;
  CHECK(kernels.open != nullptr && kernels.take_found != nullptr);
  CHECK(workspace_.samples_neighbors(lists));
  const PassArrays& arrays = workspace_.arrays();
  GpuStream& main = workspace_.main();
  EdgePassRunner& runner = workspace_.pass_runner();
  RETURN_IF_ERROR(workspace_.SampleNeighbors());
  const bool some_absent = !runner.places().all_resident(lists);
  if (some_absent && !runner.zero_copy().MayReach(lists)) return SearchResult{.gave_up = true};
  if (some_absent) RETURN_IF_ERROR(runner.ShowPinned(lists, arrays.pinned, main));
  const uint64_t num_vertices = workspace_.graph().num_vertices();
  const SearchLaunch search{
      .sampled = arrays.sampled_neighbors,
      .from = arrays.sets.current,
      .open = arrays.search.open,
      .sets = arrays.search.sets,
      .long_lists = arrays.search.long_lists,
      .queue = arrays.search.queue,
      .state = arrays.search.state,
      .by_degree = workspace_.graph().info().renumbering == Renumbering::kDegree,
      .max_passes =
          static_cast<uint32_t>(std::min<uint64_t>(max_passes, kernels.most_found_passes)),
      .min_active =
          static_cast<uint32_t>(static_cast<double>(num_vertices) * kGpuPullFirstVertices),
      .max_left = static_cast<uint32_t>(num_vertices / kLeftToPull),
      .max_lists = MostLists(lists)};
  const ReachedEdges reached{workspace_.edges(lists), some_absent ? arrays.pinned : nullptr,
                             some_absent ? arrays.headers : nullptr};
  const LaunchOn on{workspace_.Grids(), main.handle()};
  kernels.open(program.program, program.pass, search, knows_closed, on);
  RETURN_IF_ERROR(workspace_.gpu().AfterLaunch("list the open vertices"));
  LaunchSearch(reached, search,
               static_cast<uint32_t>(workspace_.gpu().properties().multiprocessors), main.handle());
  RETURN_IF_ERROR(workspace_.gpu().AfterLaunch("search"));
  kernels.take_found(program.program, program.pass, reached, search, on);
  RETURN_IF_ERROR(workspace_.gpu().AfterLaunch("take what was found"));
  SearchState state;
  RETURN_IF_ERROR(
      workspace_.control().Read(std::as_writable_bytes(std::span(&state, 1)), search.state));
  if (state.damaged != ~0u) return workspace_.directions().Damaged(lists, state.damaged);
  runner.zero_copy().Count(lists, state.zero_copy_groups);
  return SearchResult{.passes = state.passes,
                      .emitted = state.emitted,
                      .active = state.active,
                      .gave_up = state.gave_up != 0};
}

}  // namespace edgemill

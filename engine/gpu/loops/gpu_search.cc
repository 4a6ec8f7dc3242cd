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

bool GpuSearch::MayPush(Direction lists, Direction push_lists) const {
  EdgePassRunner& runner = workspace_.pass_runner();
  if (!workspace_.has_sampled()) return false;
  if (runner.places().all_resident(lists)) return runner.places().all_resident(push_lists);
  return lists == push_lists && runner.zero_copy().MayReach(lists);
}

SearchLaunch GpuSearch::LaunchOf(const ProgramLaunch& program, const SearchStart& start,
                                 bool some_absent) {
  const PassArrays& arrays = workspace_.arrays();
  const uint64_t num_vertices = workspace_.graph().num_vertices();
  const EdgeIndex num_edges = workspace_.graph().num_edges();
  SearchLaunch search{.sampled = arrays.sampled_neighbors,
                      .from = arrays.sets.current,
                      .open = arrays.search.open,
                      .sets = arrays.search.sets,
                      .queues = arrays.search.queues,
                      .state = arrays.search.state,
                      .by_degree = workspace_.graph().info().renumbering == Renumbering::kDegree,
                      .max_passes = static_cast<uint32_t>(
                          std::min<uint64_t>(start.max_passes, program.kernels.most_found_passes)),
                      .min_active = static_cast<uint32_t>(static_cast<double>(num_vertices) *
                                                          kGpuPullFirstVertices),
                      .max_left = static_cast<uint32_t>(num_vertices / kLeftToPull),
                      .max_lists = MostLists(program.lists)};
  if (!start.push_lists.has_value()) return search;
  if (some_absent) {
    search.queues.max_chunks = std::min(search.queues.max_chunks, kMaxZeroCopyChunks);
  }
  const auto share_of_edges = [&](double share) {
    return static_cast<EdgeIndex>(share * static_cast<double>(num_edges));
  };
  search.pushes = {.max = kMaxSearchPushes,
                   .min_pull_edges = share_of_edges(kGpuPullFirstShare),
                   .max_edges = share_of_edges(kMaxSearchPushShare)};
  return search;
}

StatusOr<SearchResult> GpuSearch::Run(const ProgramLaunch& program, const SearchStart& start) {
  const EdgeProgramLaunchers& kernels = program.kernels;
  const Direction lists = program.lists;
  const Direction push_lists = start.push_lists.value_or(lists);
  CHECK(kernels.open != nullptr && kernels.take_found != nullptr);
  CHECK(workspace_.samples_neighbors(lists));
  const PassArrays& arrays = workspace_.arrays();
  GpuStream& main = workspace_.main();
  EdgePassRunner& runner = workspace_.pass_runner();
  RETURN_IF_ERROR(workspace_.SampleNeighbors());
  const bool some_absent = !runner.places().all_resident(lists);
  if (some_absent && !runner.zero_copy().MayReach(lists)) return SearchResult{.gave_up = true};
  DeviceBlock* const pinned = arrays.pinned[SideOf(workspace_.graph().info(), lists)];
  if (some_absent) RETURN_IF_ERROR(runner.ShowPinned(lists, pinned, main));
  const SearchLaunch search = LaunchOf(program, start, some_absent);
  const auto reached = [&](Direction direction) {
    return ReachedEdges{workspace_.edges(direction), some_absent ? pinned : nullptr,
                        some_absent ? arrays.headers : nullptr};
  };
  const LaunchOn on{workspace_.Grids(), main.handle()};
  kernels.open(program.program, program.pass, search, start.knows_closed, on);
  RETURN_IF_ERROR(workspace_.gpu().AfterLaunch("list the open vertices"));
  LaunchSearch({.pulled = reached(lists), .pushed = reached(push_lists)}, search,
               static_cast<uint32_t>(workspace_.gpu().properties().multiprocessors), main.handle());
  RETURN_IF_ERROR(workspace_.gpu().AfterLaunch("search"));
  kernels.take_found(program.program, program.pass, reached(lists), search, on);
  RETURN_IF_ERROR(workspace_.gpu().AfterLaunch("take what was found"));
  SearchState state;
  RETURN_IF_ERROR(
      workspace_.control().Read(std::as_writable_bytes(std::span(&state, 1)), search.state));
  if (state.damaged != ~0u) return workspace_.directions().Damaged(lists, state.damaged);
  if (state.push_damaged != ~0u) {
    return workspace_.directions().Damaged(push_lists, state.push_damaged);
  }
  runner.zero_copy().Count(lists, state.zero_copy_groups);
  Note(state.clock);
  return SearchResult{.passes = state.passes,
                      .pulls = state.passes - state.pushes,
                      .emitted = state.emitted,
                      .pushed_edges = state.pushed_edges,
                      .active = state.active,
                      .gave_up = state.gave_up != 0};
}

void GpuSearch::Note(const SearchClock& clock) {
  unsigned long long before = clock.begin;
  for (uint32_t i = 0; i < std::min(clock.count, SearchClock::kMost); ++i) {
    workspace_.recorder().AddStep(SearchStepName(clock.steps[i]),
                                  1e-9 * static_cast<double>(clock.ends[i] - before));
    before = clock.ends[i];
  }
}

}  // namespace edgemill

#include <algorithm>

#include "kernels/gpu/launch_together.cuh"
#include "kernels/gpu/search.h"
#include "kernels/gpu/search_pull.cuh"
#include "kernels/gpu/search_push.cuh"

namespace edgemill {
namespace {

struct Pushed {
  SearchProgress at;
  bool pulls;  // the search goes on with pulls
};
/// Not inlined, so that the pulls have all registers.
__device__ __noinline__ Pushed Push(const SearchLaunch& launch, const ReachedEdges& reached) {
  SearchTeam team(launch, reached, {});
  SearchPushes pushes(team);
  const bool pulls = pushes.Run();
  if (ThreadNumber() == 0) launch.state->pushed_edges = pushes.pushed_edges();
  return {team.at, pulls};
}

__global__ void __launch_bounds__(kSearchThreads, 1)
    SearchKernel(const __grid_constant__ SearchedLists lists,
                 const __grid_constant__ SearchLaunch launch) {
  SearchState& state = *launch.state;
  if (ThreadNumber() == 0) NoteEnd(state.clock, SearchStep::kOpen);
  SearchTeam(launch, lists.pulled, {}).Begin();
  const Pushed pushed =
      launch.pushes.max > 0 ? Push(launch, lists.pushed) : Pushed{.at = {}, .pulls = true};
  if (ThreadNumber() == 0) state.pushes = pushed.at.passes;
  SearchTeam team(launch, lists.pulled, pushed.at);
  if (pushed.pulls) {
    SearchPulls pulls(team);
    pulls.Run();
    if (ThreadNumber() == 0) state.gave_up = pulls.gave_up();
  }
  team.Count(&state.zero_copy_groups, team.at.zero_copy_groups);
  if (ThreadNumber() > 0) return;
  state.passes = team.at.passes;
  state.active = team.at.active;
  state.emitted = team.at.emitted;
}

}  // namespace

const char* SearchStepName(SearchStep step) {
  static constexpr const char* kNames[kNumSearchSteps] = {"open",  "list chunks", "push",  "test",
                                                          "lists", "long lists",  "queue", "take"};
  return kNames[static_cast<uint32_t>(step)];
}

bool PrepareSearch() {
  const bool has_room =
      cudaFuncSetAttribute(SearchKernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                           sizeof(SearchShared)) == cudaSuccess;
  if (!has_room) (void)cudaGetLastError();  // else a later launch would seem to have failed
  return has_room;
}

void LaunchSearch(const SearchedLists& lists, const SearchLaunch& search, uint32_t multiprocessors,
                  CUstream_st* stream) {
  const uint64_t words = SearchLaunch::WordsOf(lists.pulled.edges.index.num_vertices);
  const auto grid =
      static_cast<uint32_t>(std::clamp<uint64_t>(words / kSearchThreads, 1, multiprocessors));
  LaunchTogether(SearchKernel, grid, kSearchThreads, sizeof(SearchShared), stream, lists, search);
}

}  // namespace edgemill

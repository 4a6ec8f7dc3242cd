#include "engine/gpu/loops/gpu_fixpoint.h"

#include <algorithm>

#include "common/check.h"
#include "engine/cost/tuning.h"

namespace edgemill {

bool GpuFixpoint::MayRun(Direction lists, const ActiveCounts& active) {
  EdgePassRunner& runner = workspace_.pass_runner();
  max_chunks_ = workspace_.arrays().fixpoint.max_chunks;
  zero_copies_ = false;
  if (max_chunks_ == 0 || !workspace_.run().options.loops) return false;
  const auto starts_below = [&](uint32_t max_chunks) {
    return active.vertices <= max_chunks / 2 && active.edges <= kMaxLoopEdges / 2;
  };
  if (!starts_below(max_chunks_)) return false;
  if (runner.places().all_resident(lists)) return true;
  const uint32_t max_zero_copy = std::min(max_chunks_, kMaxZeroCopyChunks);
  const bool may_zero_copy = starts_below(max_zero_copy) && runner.zero_copy().MayReach(lists);
  // Ski rental: bringing all blocks may cost as much time as was lost so far.
  if (!may_zero_copy) lost_seconds_ += kSavedSeconds;
  if (runner.MayBringAll(lists, lost_seconds_)) return true;
  if (may_zero_copy) max_chunks_ = max_zero_copy;
  zero_copies_ = may_zero_copy;
  return may_zero_copy;
}

StatusOr<FixpointResult> GpuFixpoint::Run(const ProgramLaunch& program, uint64_t max_passes,
                                          const BucketBound& bucket) {
  const Direction lists = program.lists;
  CHECK_GT(max_chunks_, 0u);  // MayRun has said how many
  CHECK(program.kernels.fixpoint != nullptr);
  EdgePassRunner& runner = workspace_.pass_runner();
  PassArrays& arrays = workspace_.arrays();
  GpuStream& main = workspace_.main();
  DeviceBlock* const pinned = arrays.pinned[SideOf(workspace_.graph().info(), lists)];
  if (zero_copies_) {
    RETURN_IF_ERROR(runner.ShowPinned(lists, pinned, main));
  } else {
    RETURN_IF_ERROR(runner.BringAll(lists, main));
  }
  const FixpointLaunch launch{
      .lists = {arrays.fixpoint.lists[0], arrays.fixpoint.lists[1]},
      .sets = {arrays.sets.current, arrays.sets.next},
      .waiting = arrays.sets.waiting,
      .state = arrays.fixpoint.state,
      .max_chunks = max_chunks_,
      .max_edges = kMaxLoopEdges,
      .max_passes = static_cast<uint32_t>(std::min<uint64_t>(max_passes, ~0u)),
      .bucket = bucket};
  RETURN_IF_ERROR(main.Fill(arrays.sets.next, 0, DeviceSets::SetBytes(workspace_.graph().info())));
  RETURN_IF_ERROR(main.Fill(launch.state, 0, sizeof(*launch.state)));
  const DeviceEdges& edges = workspace_.edges(lists);
  LaunchListChunks(edges.index, arrays.sets.current, launch.lists[0], max_chunks_,
                   &launch.state->begin_chunks, main.handle());
  RETURN_IF_ERROR(workspace_.gpu().AfterLaunch("list the active vertices"));
  const auto multiprocessors = static_cast<uint32_t>(workspace_.gpu().properties().multiprocessors);
  const uint32_t grid =
      std::clamp(max_chunks_ / (kFixpointThreads / kWarpSize), 1u, multiprocessors);
  program.kernels.fixpoint(program.program, program.pass,
                           {edges, zero_copies_ ? pinned : nullptr}, launch,
                           {{.tiles = grid}, main.handle()});
  RETURN_IF_ERROR(workspace_.gpu().AfterLaunch("many passes"));
  FixpointState state;
  RETURN_IF_ERROR(
      workspace_.control().Read(std::as_writable_bytes(std::span(&state, 1)), launch.state));
  if (zero_copies_) lost_seconds_ += runner.zero_copy().Count(lists, state.zero_copy_groups);
  if (state.damaged != ~0u) return workspace_.directions().Damaged(lists, state.damaged);
  return FixpointResult{state.at, state.reopened != 0};
}

}  // namespace edgemill

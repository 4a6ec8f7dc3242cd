// What all operators of a run share on a GPU: indexes, sets, counters, blocks.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "engine/device/device_arena.h"
#include "engine/gpu/program/pass_args.h"
#include "engine/gpu/program/program_launchers.h"
#include "engine/gpu/workspace/device_directions.h"
#include "engine/gpu/workspace/gpu_control.h"
#include "engine/gpu/workspace/pass_arrays.h"
#include "engine/plan/gpu_run.h"
#include "engine/program/sets/vertex_set.h"
#include "engine/report/recorder.h"
#include "engine/transfer/stream/edge_pass_runner.h"

namespace edgemill {

/// The vertices whose lists a pass over edges reads, and which part of each.
struct ListChoice {
  Direction direction = Direction::kOut;
  /// Zero-copied blocks come before copied ones.
  bool zero_copy_first = false;
  const uint32_t* members = nullptr;  // whose; null: all lists
  bool others = false;                // of those instead that are no members
  ListPart part;
  BlockRange blocks = {0, ~uint64_t{0}};  // of these alone
};

/// A program, with views on the GPU, and the pass that several passes in one launch begin with.
struct ProgramLaunch {
  const EdgeProgramLaunchers& kernels;
  const void* program;
  const PassArgs& pass;
  Direction lists;  // that are read
};

/// Memory on the GPU, and passes over edges there. One thread drives it. All sizes are fixed
/// before the first operator.
class GpuWorkspace {
 public:
  /// `arena` has the State's arrays planned, and is allocated here. BudgetError; GpuError.
  static StatusOr<std::unique_ptr<GpuWorkspace>> Create(const GpuRun& run, LoadedGraph& graph,
                                                        const DeviceNeeds& needs,
                                                        DeviceArena& arena, Recorder& recorder);
  GpuWorkspace(const GpuWorkspace&) = delete;
  GpuWorkspace& operator=(const GpuWorkspace&) = delete;

  Gpu& gpu() const { return run_.gpu; }
  const GpuRun& run() const { return run_; }
  GpuStream& main() { return main_; }
  LoadedGraph& graph() const { return graph_; }
  Recorder& recorder() const { return recorder_; }
  EdgePassRunner& pass_runner() { return pass_runner_; }
  PassArrays& arrays() { return arrays_; }
  const DeviceNeeds& needs() const { return needs_; }
  DeviceDirections& directions() { return directions_; }
  const DeviceEdges& edges(Direction direction) const { return directions_.edges(direction); }

  /// Thread blocks for launches over vertices, and over `num_runs` runs at most.
  LaunchGrids Grids(uint64_t num_runs = 0) const;
  /// Passes over the lists that `choice` says by `launch`. Of parts of lists only groups with such
  /// edges are sure to be visited, and whatever else is in them is too.
  Status RunPass(const ListChoice& choice, const EdgeLaunch& launch);
  /// Whether a neighbour is sampled of each vertex, one of its list of `lists`, after
  /// SampleNeighbors.
  bool samples_neighbors(Direction lists) const {
    return needs_.samples_neighbors && needs_.may_sample == lists;
  }
  /// Keeps them, the first time: reads all lists.
  Status SampleNeighbors();
  GpuControl& control() { return control_; }
  /// Waits for all work, and reads the counters. BadDataError when a block turned out damaged.
  StatusOr<PassCounters> ReadCounters();
  /// Notes that the sums are identities of this monoid from now on; whether they were already.
  bool SumsAreOf(const void* monoid) { return std::exchange(sums_of_, monoid) == monoid; }
  /// Accounts for the passes so far, which must have ended: ReadCounters waits for them.
  Status Report();

 private:
  GpuWorkspace(const GpuRun& run, LoadedGraph& graph, const DeviceNeeds& needs, Recorder& recorder)
      : run_(run),
        graph_(graph),
        needs_(needs),
        recorder_(recorder),
        directions_(graph, arrays_),
        pass_runner_(run_, graph) {}
  Status Start(DeviceArena& arena);
  /// Marks the groups that `choice` wants, and reports them to the host by `wanted`.
  Status MarkGroups(const ListChoice& choice, WantedGroups* wanted);

  const GpuRun run_;
  LoadedGraph& graph_;
  const DeviceNeeds needs_;
  Recorder& recorder_;
  PassArrays arrays_;
  DeviceDirections directions_;
  EdgePassRunner pass_runner_;
  bool neighbors_are_sampled_ = false;
  const void* sums_of_ = nullptr;  // the monoid whose identities the sums are
  GpuControl control_;
  GpuStream main_;  // the last: its destructor waits for all that uses what is above
};

}  // namespace edgemill

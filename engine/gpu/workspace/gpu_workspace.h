// The memory and passes that all operators of a run share on a GPU.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/device/device_arena.h"
#include "engine/gpu/program/pass_args.h"
#include "engine/gpu/program/program_launchers.h"
#include "engine/gpu/workspace/device_directions.h"
#include "engine/gpu/workspace/gpu_control.h"
#include "engine/gpu/workspace/pass_arrays.h"
#include "engine/gpu/workspace/pull_cells.h"
#include "engine/plan/gpu_run.h"
#include "engine/program/sets/vertex_set.h"
#include "engine/report/recorder.h"
#include "engine/transfer/stream/edge_pass_runner.h"

namespace edgemill {

/// The lists that an edge pass reads, and which part of each.
struct ListChoice {
  Direction direction = Direction::kOut;
  /// Zero-copied blocks come before copied ones.
  bool zero_copy_first = false;
  const uint32_t* members = nullptr;  // read their lists; null: all lists
  bool not_members = false;           // read the lists of all vertices but the members
  ListPart part;
  BlockRange blocks = {0, ~uint64_t{0}};  // only of these
  /// The launch takes SubCSRs of the members' lists too, where the run's transfer builds them.
  bool takes_sub_csrs = false;
  /// Vertices that become active emit in the same pass, so blocks come in the order of the run's
  /// BlockPriority.
  bool asynchronous = false;
  /// On the GPU, by block: what active vertices have to pass on. Null: not known.
  const float* pending = nullptr;
};

/// The arguments of many passes in one launch. `program` has views of memory on the GPU.
struct ProgramLaunch {
  const EdgeProgramLaunchers& kernels;
  const void* program;
  const PassArgs& pass;
  Direction lists;  // lists to read
};

/// Owns memory on the GPU, and runs edge passes there. One thread drives it. All sizes are fixed
/// before the first operator.
class GpuWorkspace {
 public:
  /// The State's arrays are planned in `arena`; this call allocates it. Errors: BudgetError,
  /// GpuError.
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

  /// Returns the thread blocks for launches over vertices, and over at most `num_tiles` warp tiles.
  LaunchGrids Grids(uint64_t num_tiles = 0) const;
  /// Runs an edge pass over the lists of `choice`; `launch` visits their edges. If `choice` wants
  /// parts of lists, whole groups with such edges are visited, and others may be skipped.
  Status RunPass(const ListChoice& choice, const EdgeLaunch& launch);
  /// Whether SampleNeighbors gives each vertex a neighbour from its list in the direction `lists`.
  bool samples_neighbors(Direction lists) const {
    return needs_.samples_neighbors && needs_.may_sample == lists;
  }
  /// Whether SampleNeighbors has been called.
  bool has_sampled() const { return neighbors_are_sampled_; }
  /// Samples a neighbour of each vertex. The first call reads all lists; later calls do nothing.
  Status SampleNeighbors();
  /// The cells of the run's pulls, made where they pay.
  PullCells& cells() { return cells_; }
  GpuControl& control() { return control_; }
  /// Waits for all work, and reads the counters. Returns BadDataError if a pass found a damaged
  /// block.
  StatusOr<PassCounters> ReadCounters();
  /// Reports the transfers of the passes so far. They must have ended: ReadCounters waits for them.
  Status Report();

 private:
  GpuWorkspace(const GpuRun& run, LoadedGraph& graph, const DeviceNeeds& needs, Recorder& recorder)
      : run_(run),
        graph_(graph),
        needs_(needs),
        recorder_(recorder),
        directions_(graph, arrays_),
        pass_runner_(run_, graph),
        cells_(*this) {}
  Status Start(DeviceArena& arena);
  /// Marks the groups that `choice` wants. If not all blocks are resident, tells the host through
  /// `wanted`.
  Status MarkGroups(const ListChoice& choice, WantedGroups* wanted);

  const GpuRun run_;
  LoadedGraph& graph_;
  const DeviceNeeds needs_;
  Recorder& recorder_;
  PassArrays arrays_;
  DeviceDirections directions_;
  EdgePassRunner pass_runner_;
  PullCells cells_;
  bool neighbors_are_sampled_ = false;
  GpuControl control_;
  GpuStream main_;  // declared last: its destructor waits for work that uses the members above
};

}  // namespace edgemill

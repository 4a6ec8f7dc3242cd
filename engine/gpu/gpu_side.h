// What a run keeps on one of its GPUs: arrays, indexes, blocks, and the copy of the State.
#pragma once

#include <memory>
#include <vector>

#include "engine/device/device_arena.h"
#include "engine/device/device_home.h"
#include "engine/gpu/workspace/gpu_workspace.h"
#include "engine/program/arrays/on_device.h"
#include "engine/state/state_copies.h"

namespace edgemill {

/// A place for the State's copy in a memory that begins later.
struct StatePlace {
  StateCopies& copies;
  MemoryId id;
};

struct GpuSide {
  DeviceArena arena;
  std::unique_ptr<GpuWorkspace> workspace;
  std::unique_ptr<DeviceHome> home;
  std::vector<IndexCopy> indexes;
  OtherMemory memory;  // with these indexes

  /// Allocates all. The arguments but `place` must outlive this. BudgetError; GpuError.
  Status Start(const GpuRun& run, LoadedGraph& graph, const DeviceNeeds& needs, Recorder& recorder,
               const StatePlace& place);
  Gpu& gpu() const { return workspace->gpu(); }
  PassArrays& arrays() const { return workspace->arrays(); }
};

/// A GPU that helps another one in passes that both share: it visits the lists of a range of
/// vertices.
class GpuHelper {
 public:
  explicit GpuHelper(LoadedGraph& graph) : recorder_(graph) {}
  ~GpuHelper();
  /// As GpuSide::Start. `run` says which lists it visits.
  Status Start(const GpuRun& run, LoadedGraph& graph, const DeviceNeeds& needs,
               const StatePlace& place);

  GpuSide& side() { return side_; }
  const VertexRange& lists() const { return lists_; }
  /// What it moved since the last call. Adds to `timeline` when. Its work must have ended.
  StatusOr<TransferAccounts> DrainAccounts(Timeline* timeline);

 private:
  Recorder recorder_;  // of no iterations: the main GPU's recorder has these
  VertexRange lists_;
  GpuSide side_;
};

}  // namespace edgemill

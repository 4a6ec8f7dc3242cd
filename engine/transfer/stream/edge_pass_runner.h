// Runs edge passes over blocks that are on the GPU, stay there, or come and go.
//
// A pass is planned first (TransferPlanner, by what ResidentSet has). It is launched at once over
// the blocks that are on the GPU, and streamed for the others (StagedTransfer).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "engine/cost/cost_model.h"
#include "engine/graph/loaded_graph.h"
#include "engine/plan/block_plan.h"
#include "engine/plan/device_shares.h"
#include "engine/plan/gpu_run.h"
#include "engine/transfer/stream/block_whereabouts.h"
#include "engine/transfer/stream/device_direction.h"
#include "engine/transfer/stream/pass_timer.h"
#include "engine/transfer/stream/staged_transfer.h"
#include "engine/transfer/stream/zero_copy_reach.h"
#include "engine/transfer/transfer_planner.h"

namespace edgemill {

/// The groups of a direction, in the host's memory, that an iteration wants.
struct WantedGroups {
  std::span<const uint32_t> counts;  // of each block's groups; empty: all of all
  /// Brings the wanted groups, a bit each, from the GPU, and waits: for compaction.
  std::function<StatusOr<const uint32_t*>()> groups;
  bool once = false;  // later passes hardly want them: they stay on the GPU only if all do
  BlockRange blocks;  // of these alone
};

/// One edge pass.
struct EdgePassRequest {
  Direction direction = Direction::kOut;
  bool zero_copy_first = false;  // zero-copied blocks come before copied ones
  /// A bit a group, on the GPU: runs with a set one are visited; null: all of all blocks.
  const uint32_t* groups = nullptr;
  /// The same for the host; its counts are not needed when all are wanted or resident.
  const WantedGroups& wanted;
};

/// Belongs to one run. One thread drives it.
///
/// The way of a block from disk to a kernel: the BlockReader reads and checks it (GraphBlocks). A
/// StagingWriter puts it into a StagedBatch. The StagingQueue hands full batches over to the
/// StagedTransfer, which queues their copies and launches. Blocks that stay are in the ResidentSet.
class EdgePassRunner {
 public:
  EdgePassRunner(const GpuRun& run, LoadedGraph& graph)
      : run_(run),
        graph_(graph),
        places_(graph),
        model_(run.options.cost_model, run.options.calibration),
        zero_copy_(run_.options, places_, model_) {}

  // Set-up, in this order:
  /// Shares out the GPU's memory beyond `fixed_bytes`: staging buffers, then resident capacity.
  /// Makes the buffers. `directions`, by Direction, must outlive it; passes will be over those in
  /// `lists`. BudgetError with the least workable --gpu-memory.
  Status Plan(const ScannedLists& lists, std::span<DeviceDirection> directions,
              uint64_t fixed_bytes);
  /// Bytes beyond the arena's plan: what Allocate is to be given as rest.
  uint64_t rest_bytes() const;
  /// After the arena's allocation. Waits for `main`.
  Status Start(std::byte* rest, GpuStream& main);
  /// Keeps the blocks that an earlier run left in pinned memory. Where the options say that all
  /// edges are resident, brings these. After the indexes were uploaded.
  Status LoadBlocks(GpuStream& main);

  BlockWhereabouts& places() { return places_; }
  /// Whether not all edges fit the GPU, so that passes bring them again and again.
  bool exceeds_gpu() const { return staging_.on_device; }
  /// Runs a pass: calls `launch` for what is on the GPU, on `main`, and for each batch that comes,
  /// on others. Work queued on `main` so far comes before it, later work after it. Waits for the
  /// reader and all its batches. Errors of reader and device.
  Status RunPass(const EdgePassRequest& pass, GpuStream& main, const EdgeLaunch& launch);
  /// What the passes since the last call moved, and how long it took. Adds to `timeline` when each
  /// part worked. Work on the passes' stream must have ended.
  StatusOr<TransferAccounts> DrainAccounts(Timeline* timeline);
  /// A pass over what is on the GPU has nothing to account for.
  void DropAccounts() { timer_->Clear(); }

  // For kernels that reach all edges of a direction without a pass, on the GPU: whether all blocks
  // may be there, and bringing the missing ones takes at most `seconds`.
  bool MayBringAll(Direction direction, double seconds) const;
  /// The least time of bringing the missing ones.
  double BringSeconds(Direction direction) const;
  /// Brings them, before later work on `main`; waits until their copies are queued.
  Status BringAll(Direction direction, GpuStream& main);
  // For the same kernels, by zero-copy:
  ZeroCopyReach& zero_copy() { return zero_copy_; }
  /// zero_copy().Show by the staging buffers.
  Status ShowPinned(Direction direction, DeviceBlock* table, GpuStream& main);

 private:
  /// Notes which blocks passes over `lists` read.
  void AddSides(const ScannedLists& lists, std::span<DeviceDirection> directions,
                bool counts_costs);
  /// Takes all resident blocks off the GPU.
  Status Evict(GpuStream& main);
  Status VisitResident(const EdgePassRequest& pass, GpuStream& main, const EdgeLaunch& launch);

  const GpuRun run_;
  LoadedGraph& graph_;
  BlockWhereabouts places_;
  const CostModel model_;
  ZeroCopyReach zero_copy_;
  StagingSizes staging_;
  std::optional<TransferPlanner> planner_;
  TransferPlan plan_;  // of the pass under way, or the last
  MemoryReservation plan_reservation_;
  std::optional<PassTimer> timer_;
  std::optional<StagedTransfer> transfer_;  // none where the graph has no blocks
};

}  // namespace edgemill

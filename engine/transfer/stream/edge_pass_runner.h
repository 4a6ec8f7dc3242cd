// Runs edge passes over blocks that are on the GPU, stay there, or come and go.
//
// A pass is planned (TransferPlanner, by what ResidentSet has), launched at once over the blocks
// that are on the GPU, and streamed for the others (StagedTransfer).
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

/// What an iteration wants of a direction, in the host's memory.
struct WantedGroups {
  std::span<const uint32_t> counts;  // of each block's groups; empty: all of all
  /// Brings which, a bit each, from the GPU, and waits: for compaction.
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

/// One run's. One thread drives it.
///
/// The way of a block from disk to a kernel: the BlockReader reads and checks it (GraphBlocks); a
/// StagingWriter puts it into a StagedBatch; the StagingQueue hands full batches over to the
/// StagedTransfer, which queues their copies and launches; blocks that stay are in the ResidentSet.
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
  Status Plan(const SweptLists& lists, std::span<DeviceDirection> directions, uint64_t fixed_bytes);
  /// Bytes beyond the arena's plan: what Allocate is to be given as rest.
  uint64_t rest_bytes() const;
  /// After the arena's allocation. Waits for `main`.
  Status Start(std::byte* rest, GpuStream& main);
  /// Holds on to the blocks that an earlier run left in pinned memory; where all edges are told to
  /// be resident, brings these. After the indexes were uploaded.
  Status LoadBlocks(GpuStream& main);

  BlockWhereabouts& places() { return places_; }
  /// Whether not all edges fit the GPU, so that passes bring them again and again.
  bool exceeds_gpu() const { return staging_.on_device; }
  /// Runs a pass: `launch` is called for what is on the GPU, on `main`, and for each batch that
  /// comes, on others. Work on `main` so far comes before, later work after. Waits for the reader
  /// and all batches from it. Errors of reader and device.
  Status RunPass(const EdgePassRequest& pass, GpuStream& main, const EdgeLaunch& launch);
  /// What the passes since the last call moved, and how long it took; adds who worked when to
  /// `timeline`. The stream that they were given must be done.
  StatusOr<TransferAccounts> TakeAccounts(Timeline* timeline);
  /// Of a pass over what is on the GPU there is nothing to account for.
  void DropAccounts() { timer_->Clear(); }

  // For kernels that reach all edges of a direction without a pass, on the GPU:
  /// Whether all blocks may be there, and bringing those that are not takes at most so long.
  bool MayBringAll(Direction direction, double seconds) const;
  /// What bringing those that are not there takes at least.
  double BringSeconds(Direction direction) const;
  /// Brings them, before later work on `main`; waits until they are on their way.
  Status BringAll(Direction direction, GpuStream& main);
  // Or by zero-copy:
  ZeroCopyReach& zero_copy() { return zero_copy_; }
  /// zero_copy().Show by the staging buffers.
  Status ShowPinned(Direction direction, DeviceBlock* table, GpuStream& main);

 private:
  /// Notes which blocks passes over `lists` read.
  void AddSides(const SweptLists& lists, std::span<DeviceDirection> directions, bool counts_costs);
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

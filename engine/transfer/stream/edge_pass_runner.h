// Runs edge passes over blocks that are on the GPU, stay there, or come and go.
//
// TransferPlanner plans a pass first, from the blocks in ResidentSet. Kernels are launched at once
// over the blocks that are on the GPU. StagedTransfer brings the other blocks.
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
#include "engine/plan/vertex_shares.h"
#include "engine/transfer/stream/block_locations.h"
#include "engine/transfer/stream/device_direction.h"
#include "engine/transfer/stream/pass_timer.h"
#include "engine/transfer/stream/staged_transfer.h"
#include "engine/transfer/stream/zero_copy_access.h"
#include "engine/transfer/transfer_planner.h"

namespace edgemill {

/// The groups of a direction that a pass wants, in the host's memory.
struct WantedGroups {
  std::span<const uint32_t> counts;  // by block; empty: all groups of all blocks
  /// Copies the wanted groups, a bit for each, from the GPU, and waits. Compaction needs them.
  std::function<StatusOr<const uint32_t*>()> groups;
  /// Copies the set of vertices whose lists are wanted, a bit for each, from the GPU, and waits.
  /// SubCSRs need it. Null: the pass takes none.
  std::function<StatusOr<std::span<const uint64_t>>()> members;
  /// Vertices that become active emit in the same pass: the order of blocks matters.
  bool asynchronous = false;
  std::span<const float> pending;  // by block: what active vertices have to pass on; empty: unknown
  bool rarely_reused = false;      // few passes want them: blocks stay only if all fit
  BlockRange blocks;               // only groups of these blocks
};

/// One edge pass.
struct EdgePassRequest {
  Direction direction = Direction::kOut;
  bool zero_copy_first = false;  // zero-copied blocks come before copied ones
  /// A bit for each group, on the GPU. Warp tiles with a set bit are visited; null: all tiles.
  const uint32_t* groups = nullptr;
  /// The same for the host. Its counts may be empty if all groups are wanted or all blocks
  /// resident.
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
  /// Makes the buffers. `directions`, by Direction, must outlive it. Passes read the directions in
  /// `lists`. Returns BudgetError with the least workable --gpu-memory.
  Status Plan(const ScannedLists& lists, std::span<DeviceDirection> directions,
              uint64_t fixed_bytes);
  /// Returns the bytes beyond the arena's plan: `rest_bytes` of DeviceArena::Allocate.
  uint64_t rest_bytes() const;
  /// Call this after the arena's allocation. Waits for `main`.
  Status Start(std::byte* rest, GpuStream& main);
  /// Call this after the upload of the indexes. Keeps the blocks that an earlier run left in pinned
  /// memory. If the options make all edges resident, brings all blocks.
  Status LoadBlocks(GpuStream& main);

  BlockLocations& places() { return places_; }
  /// Whether some edges do not fit on the GPU, so that passes bring blocks again and again.
  bool exceeds_gpu() const { return staging_.on_device; }
  /// Runs a pass. Calls `launch` on `main` for the blocks on the GPU, and on other streams for each
  /// batch. Work queued on `main` so far comes before the pass, later work after it. Waits for the
  /// reader and all batches. Returns errors of the reader and the device.
  Status RunPass(const EdgePassRequest& pass, GpuStream& main, const EdgeLaunch& launch);
  /// Returns what the passes since the last call moved, and how long it took. Adds to `timeline`
  /// when each part worked. Work on the main stream must have ended.
  StatusOr<TransferAccounts> DrainAccounts(Timeline* timeline);
  /// Forgets the passes since the last account.
  void DropAccounts() { timer_->Clear(); }

  // For kernels that read all edges of a direction on the GPU without a pass. Returns whether all
  // blocks may be resident, and bringing the missing ones takes at most `seconds`.
  bool MayBringAll(Direction direction, double seconds) const;
  /// Returns the least time for bringing the missing blocks.
  double BringSeconds(Direction direction) const;
  /// Brings the missing blocks before later work on `main`. Waits until the blocks have arrived.
  Status BringAll(Direction direction, GpuStream& main);
  // For the same kernels, when they read blocks by zero-copy:
  ZeroCopyAccess& zero_copy() { return zero_copy_; }
  /// Calls zero_copy().FillTable with an idle staging buffer.
  Status ShowPinned(Direction direction, DeviceBlock* table, GpuStream& main);

 private:
  /// Adds the directions in `lists` to places_.
  void AddSides(const ScannedLists& lists, std::span<DeviceDirection> directions,
                bool counts_costs);
  /// The blocks of a direction that may come to this GPU.
  BlockRange OwnBlocks(Direction direction) const {
    if (run_.lists.has_value()) return BlocksOfLists(graph_, *run_.lists).of(direction);
    return {0, graph_.num_blocks()};
  }
  /// Takes all resident blocks off the GPU.
  Status Evict(GpuStream& main);
  Status VisitResident(const EdgePassRequest& pass, GpuStream& main, const EdgeLaunch& launch);

  const GpuRun run_;
  LoadedGraph& graph_;
  BlockLocations places_;
  const CostModel model_;
  ZeroCopyAccess zero_copy_;
  StagingSizes staging_;
  std::optional<TransferPlanner> planner_;
  TransferPlan plan_;  // of this pass, or the last one
  MemoryReservation plan_reservation_;
  std::optional<PassTimer> timer_;
  std::optional<StagedTransfer> transfer_;  // empty if the graph has no blocks
};

}  // namespace edgemill

// Moves the blocks that an edge pass wants and the card has not: reader, staging buffers, streams,
// and the launches over each batch.
//
// Every staging buffer has a stream of its own: copies of a batch, then its kernels. Kernels see
// addresses only. Every batch is timed by marks in its stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "common/memory_budget.h"
#include "common/status.h"
#include "engine/device/gpu.h"
#include "engine/graph/loaded_graph.h"
#include "engine/plan/card_shares.h"
#include "engine/transfer/block_stager.h"
#include "engine/transfer/pinned_blocks.h"
#include "engine/transfer/resident_set.h"
#include "engine/transfer/staging_queue.h"
#include "engine/transfer/stream/device_direction.h"
#include "engine/transfer/stream/pass_timer.h"
#include "engine/transfer/transfer_plan.h"
#include "kernels/device_edges.h"

namespace edgemill {

/// Launches a kernel over `source` (at most `num_tiles` warp tiles) on `stream`. Launches with the
/// same `number` are in order.
using EdgeLaunch = std::function<Status(const RunSource& source, uint64_t num_tiles,
                                        GpuStream& stream, uint32_t number)>;

/// One run's. One thread drives it.
class BlockStreamer {
 public:
  /// What of a pass is streamed.
  struct Pass {
    const TransferPlan& plan;
    DeviceDirection& edges;
    Direction direction = Direction::kOut;
    bool with_weights = false;
    size_t side = 0;                        // of resident set and pinned blocks
    const uint32_t* groups = nullptr;       // on the card: those to visit; null: all
    const uint32_t* host_groups = nullptr;  // the same of the host, where some are compacted
  };

  BlockStreamer(Gpu& gpu, LoadedGraph& graph, ResidentSet& resident, PinnedBlocks& pinned,
                PassTimer& timer)
      : gpu_(gpu), graph_(graph), resident_(resident), pinned_(pinned), timer_(timer) {}

  /// Makes staging buffers, reserved in the graph's budget. Kernels of all batches together read no
  /// more by zero-copy than `tlb_coverage_bytes`, but for one block each.
  Status Create(const StagingSizes& sizes, double tlb_coverage_bytes);
  /// Gives it memory on the card: for each buffer its block numbers and, with sizes.on_card, bytes;
  /// then, unless `managed`, the resident capacity. Allocates unified memory for that else.
  Status Start(std::byte* memory, bool managed);

  /// Brings what the plan misses and launches over each batch, after timer's ready(). Waits for the
  /// reader and all batches. Errors of reader and device.
  Status Stream(const Pass& pass, const EdgeLaunch& launch);
  /// Copies from the card to any memory of the host, through the staging buffers; waits.
  Status ReadBack(std::byte* host, const std::byte* device, uint64_t bytes, GpuStream& main);
  /// Has `places`, on the card, say by number where `side`'s blocks are in pinned memory, which are
  /// all. Waits.
  Status ShowPinned(size_t side, DeviceBlock* places, GpuStream& main);

 private:
  /// One staging buffer and its stream.
  struct Buffer {
    PinnedBuffer memory;
    std::byte* device = nullptr;         // as many bytes on the card; null when all blocks stay
    uint32_t* device_numbers = nullptr;  // of the batch's blocks
    GpuStream stream;
    PassTimer::BatchMarks marks;
  };

  /// The reader's side: puts what comes into staging buffers.
  Status Read(const Pass& pass);
  /// The GPU's side: submits full batches, and frees those that are done.
  Status Feed(const Pass& pass, const EdgeLaunch& launch);
  /// A free batch filled with pinned blocks from number `*next` of the plan on; null without one.
  StagedBatch* FillFromPinned(const Pass& pass, size_t* next);
  Status Submit(const Pass& pass, StagedBatch& batch, const EdgeLaunch& launch);
  /// Queues the batch's copies, and has its places point to where the bytes will be; the first
  /// `num_resident` blocks go where they stay.
  Status QueueCopies(StagedBatch& batch, Buffer& buffer, uint32_t num_resident);
  /// Has the card's table say where the batch's blocks are, and, for good, the first
  /// `num_resident`, which are resident from now on.
  Status PlaceBlocks(const Pass& pass, StagedBatch& batch, Buffer& buffer, uint32_t num_resident);

  Gpu& gpu_;
  LoadedGraph& graph_;
  ResidentSet& resident_;
  PinnedBlocks& pinned_;
  PassTimer& timer_;
  StagingSizes sizes_;
  std::byte* resident_memory_ = nullptr;
  DeviceBuffer managed_;
  MemoryReservation reservation_;
  std::vector<Buffer> buffers_;
  std::optional<StagingQueue> queue_;
  std::optional<BlockStager> stager_;
};

}  // namespace edgemill

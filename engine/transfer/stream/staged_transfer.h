// Moves the blocks that an edge pass wants and the GPU has not: reader, staging buffers, streams,
// and the launches over each batch.
//
// Every staging buffer has a stream of its own: copies of a batch, then its kernels. Kernels see
// addresses only. Every batch is timed by marks in its stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "common/os/memory_budget.h"
#include "common/status.h"
#include "engine/device/gpu.h"
#include "engine/graph/loaded_graph.h"
#include "engine/plan/device_shares.h"
#include "engine/transfer/staging_queue.h"
#include "engine/transfer/staging_writer.h"
#include "engine/transfer/stream/block_whereabouts.h"
#include "engine/transfer/stream/pass_timer.h"
#include "engine/transfer/transfer_plan.h"
#include "kernels/gpu/device_edges.h"

namespace edgemill {

/// Launches a kernel over `source` (at most `num_runs` runs) on `stream`. Launches with the same
/// `number` are in order.
using EdgeLaunch = std::function<Status(const RunSource& source, uint64_t num_runs,
                                        GpuStream& stream, uint32_t number)>;

/// Belongs to one run. One thread drives it.
class StagedTransfer {
 public:
  /// A pass, as far as its blocks are not on the GPU.
  struct Pass {
    const TransferPlan& plan;
    const TransferSide& side;
    Direction direction = Direction::kOut;
    const uint32_t* groups = nullptr;       // on the GPU: those to visit; null: all
    const uint32_t* host_groups = nullptr;  // the same of the host, where some are compacted
  };

  StagedTransfer(Gpu& gpu, LoadedGraph& graph, BlockWhereabouts& places, PassTimer& timer)
      : gpu_(gpu), graph_(graph), places_(places), timer_(timer) {}

  /// Makes staging buffers, reserved in the graph's budget. Kernels of all batches together read no
  /// more by zero-copy than `tlb_coverage_bytes`, but for one block each.
  Status Create(const StagingSizes& sizes, double tlb_coverage_bytes);
  /// Gives it memory on the GPU: for each buffer its block numbers and, with sizes.on_device,
  /// bytes; then, unless `managed`, the resident capacity. Allocates unified memory for that else.
  Status Start(std::byte* memory, bool managed);

  /// Brings what the plan misses and launches over each batch, after timer's ready(). Waits for the
  /// reader and all batches. Errors of reader and device.
  Status Bring(const Pass& pass, const EdgeLaunch& launch);
  /// Pinned memory of a buffer, for other copies between passes.
  std::span<std::byte> idle_buffer();

 private:
  /// One staging buffer and its stream.
  struct Buffer {
    PinnedBuffer memory;
    std::byte* device = nullptr;         // as many bytes on the GPU; null when all blocks stay
    uint32_t* device_numbers = nullptr;  // of the batch's blocks
    GpuStream stream;
    PassTimer::BatchMarks marks;
  };

  /// The reader's side: puts blocks that come into staging buffers.
  Status Read(const Pass& pass);
  /// The GPU's side: submits full batches, and frees those that are done.
  Status Feed(const Pass& pass, const EdgeLaunch& launch);
  /// A free batch filled with pinned blocks from number `*next` of the plan on; null without one.
  StagedBatch* FillFromPinned(const Pass& pass, size_t* next);
  Status Submit(const Pass& pass, StagedBatch& batch, const EdgeLaunch& launch);
  /// Queues the batch's copies, and makes its places point to where the bytes will be; the first
  /// `num_resident` blocks go where they stay.
  Status QueueCopies(StagedBatch& batch, Buffer& buffer, uint32_t num_resident);
  /// Writes to the GPU's table where the batch's blocks are. The first `num_resident` are resident
  /// from now on, so their entries stay.
  Status PlaceBlocks(const Pass& pass, StagedBatch& batch, Buffer& buffer, uint32_t num_resident);

  Gpu& gpu_;
  LoadedGraph& graph_;
  BlockWhereabouts& places_;
  PassTimer& timer_;
  StagingSizes sizes_;
  std::byte* resident_memory_ = nullptr;
  DeviceBuffer managed_;
  MemoryReservation reservation_;
  std::vector<Buffer> buffers_;
  std::optional<StagingQueue> queue_;
  std::optional<StagingWriter> writer_;
};

}  // namespace edgemill

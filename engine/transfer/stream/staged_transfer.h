// Brings the blocks that an edge pass wants and that are not on the GPU. Uses the reader, staging
// buffers and streams, and launches kernels over each batch.
//
// Every staging buffer has a stream of its own, for a batch's copies and then its kernels. Kernels
// get only addresses. Marks in the stream measure the times of each batch.
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
#include "engine/transfer/stream/block_locations.h"
#include "engine/transfer/stream/pass_timer.h"
#include "engine/transfer/transfer_plan.h"
#include "kernels/gpu/device_edges.h"

namespace edgemill {

/// Launches a kernel over `source` (at most `num_tiles` warp tiles, or as much work in SubCSRs) on
/// `stream`. Launches with the same `number` run in order.
using EdgeLaunch = std::function<Status(const TileSelection& source, uint64_t num_tiles,
                                        GpuStream& stream, uint32_t number)>;

/// Belongs to one run. One thread drives it.
class StagedTransfer {
 public:
  /// The part of a pass whose blocks are not on the GPU.
  struct Pass {
    const TransferPlan& plan;
    const TransferSide& side;
    Direction direction = Direction::kOut;
    const uint32_t* groups = nullptr;       // on the GPU: groups to visit; null: all
    const uint32_t* host_groups = nullptr;  // on the host, for compaction
    std::span<const uint64_t> members;      // on the host, for SubCSRs: a bit for each vertex
  };

  StagedTransfer(Gpu& gpu, LoadedGraph& graph, BlockLocations& places, PassTimer& timer)
      : gpu_(gpu), graph_(graph), places_(places), timer_(timer) {}

  /// Makes staging buffers, reserved in the graph's budget. The zero-copied blocks of all buffers
  /// together take at most `tlb_coverage_bytes`; but a buffer may always hold one block.
  Status Create(const StagingSizes& sizes, double tlb_coverage_bytes, bool combines);
  /// Shares out memory on the GPU. Each buffer gets memory for block numbers and, with
  /// sizes.on_device, for bytes. The resident capacity follows. If `managed`, allocates unified
  /// memory for the capacity instead.
  Status Start(std::byte* memory, bool managed);

  /// Brings the plan's missing blocks and launches over each batch, after the timer's ready().
  /// Waits for the reader and all batches. Returns errors of the reader and the device.
  Status Bring(const Pass& pass, const EdgeLaunch& launch);
  /// Returns a buffer's pinned memory, for other copies between passes.
  std::span<std::byte> idle_buffer();

 private:
  /// One staging buffer and its stream.
  struct Buffer {
    PinnedBuffer memory;
    std::byte* device = nullptr;         // buffer_bytes on the GPU; null if all blocks stay
    uint32_t* device_numbers = nullptr;  // of the batch's blocks
    GpuStream stream;
    PassTimer::BatchMarks marks;
  };

  /// The reader's side: puts the blocks that it reads into staging buffers.
  Status Read(const Pass& pass);
  /// The GPU's side: submits full batches, and frees those that are done.
  Status Feed(const Pass& pass, const EdgeLaunch& launch);
  /// Fills a free batch with pinned blocks, from number `*next` of the plan on. Returns null if no
  /// batch is free.
  StagedBatch* FillFromPinned(const Pass& pass, size_t* next);
  Status Submit(const Pass& pass, StagedBatch& batch, const EdgeLaunch& launch);
  /// Queues the kernels over a batch whose copies are queued.
  Status Launch(const Pass& pass, const StagedBatch& batch, Buffer& buffer, const BatchParts& parts,
                const EdgeLaunch& launch);
  /// Queues the batch's copies, and makes its places point to where the bytes will be. The first
  /// `num_resident` blocks go into the resident capacity.
  Status QueueCopies(StagedBatch& batch, Buffer& buffer, uint32_t num_resident);
  /// Writes to the GPU's table where the batch's packed blocks are. Those that are resident from
  /// now on keep their entries.
  Status PlaceBlocks(const Pass& pass, StagedBatch& batch, Buffer& buffer, const BatchParts& parts);

  Gpu& gpu_;
  LoadedGraph& graph_;
  BlockLocations& places_;
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

// Puts checked blocks into staging buffers, in the form in which they are to be moved.
//
// Blocks in pinned memory are used in place. Other blocks are copied into the buffer, and the
// wanted groups of compacted blocks are gathered there. The caller keeps its leases on the block
// cache's memory. The batch keeps leases on buffers that the disk waits for, until the batch's own
// buffer is free again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/status.h"
#include "engine/device/transfer.h"
#include "engine/graph/block_edges.h"
#include "engine/transfer/resident_set.h"
#include "engine/transfer/staging_queue.h"

namespace edgemill {

/// Returns where kernels read a checked block in registered memory.
inline DeviceBlock PointersOf(const BlockLease& lease) {
  return {reinterpret_cast<const uint64_t*>(lease.payload(0).data()), lease.payload(1).data()};
}

/// Belongs to one run. Thread-safe.
class StagingWriter {
 public:
  /// How to move a block.
  struct Order {
    Transfer transfer = Transfer::kFilter;  // kResident: kFilter if no capacity is left
    uint32_t wanted_groups = 0;             // how many groups will be visited
    /// For kCompaction: the wanted groups of the direction, a bit for each; null: all.
    const uint32_t* groups = nullptr;
    bool keeps_cached = false;  // the caller keeps leases of cached blocks until the pass has ended
  };

  /// `managed`: memory for Transfer::kManaged, as large as the resident set's capacity.
  StagingWriter(StagingQueue& queue, ResidentSet& resident, std::byte* managed)
      : queue_(queue), resident_(resident), managed_(managed) {}

  /// Adds a block that a reader has checked. Waits while no buffer is free. Takes the block's lease
  /// if the batch must keep it. Returns an error after StagingQueue::Fail.
  Status Put(const BlockEdges& edges, const Order& order);
  /// Adds a block of `num_groups` groups in registered memory to `batch`, which AcquireFree
  /// returned. The block is moved as kResident, kFilter or kZeroCopy. Returns false when the batch
  /// is full or has blocks of the other kind. Copied and zero-copied blocks go into different
  /// batches.
  bool PutPinned(StagedBatch& batch, uint64_t block, const BlockLease& lease, const Order& order,
                 uint32_t num_groups);

 private:
  /// How a block's bytes are moved.
  struct Form {
    StagingUse use;
    Transfer transfer = Transfer::kFilter;
    bool in_place = false;     // the payloads are in pinned memory
    bool copy_weights = true;  // else kernels read them in place
    double seconds = 0;        // time that it took to find the sizes
  };
  /// A block's payloads, or the gathered or copied parts that replace them.
  struct Payloads {
    std::span<const std::byte> neighbors;
    std::span<const std::byte> weights;
  };

  static Form FormOf(const BlockEdges& edges, const Order& order);
  static Form CompactedForm(const BlockEdges& edges, const uint32_t* groups, bool in_place);
  /// Reserves capacity of `bytes` for a block if `transfer` makes it stay. Returns `transfer`, or
  /// kFilter in place of kResident if there is not enough capacity.
  Transfer ReserveToStay(Transfer transfer, uint64_t bytes);
  /// Copies or gathers the block's bytes to `to`, as far as `form` needs it.
  static Payloads Fill(const BlockEdges& edges, const Form& form, const uint32_t* groups,
                       std::byte* to);
  /// Returns the bytes that cross the link when `wanted_groups` of the block are visited.
  static uint64_t MovedBytes(const BlockEdges& edges, const Form& form, const Payloads& payloads,
                             uint32_t wanted_groups);

  StagingQueue& queue_;
  ResidentSet& resident_;
  std::byte* const managed_;
};

}  // namespace edgemill

// Puts checked blocks into staging buffers, in the form in which they are to be moved.
//
// Blocks in pinned memory are used where they are, other blocks are copied into the buffer, and
// compacted ones are gathered there. The caller that took leases on the block cache's memory keeps
// them. The batch keeps leases on buffers that the disk waits for, until the batch's own buffer is
// free again.
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

/// Where kernels read a checked block in registered memory.
inline DeviceBlock PointersOf(const BlockLease& lease) {
  return {reinterpret_cast<const uint64_t*>(lease.payload(0).data()), lease.payload(1).data()};
}

/// Belongs to one run. Thread-safe.
class StagingWriter {
 public:
  /// How a block is to be moved.
  struct Order {
    Transfer transfer = Transfer::kFilter;  // kResident: as kFilter without capacity
    uint32_t wanted_groups = 0;             // of it will be visited
    /// kCompaction: which of the direction's groups, a bit each; null: all.
    const uint32_t* groups = nullptr;
    bool keeps_cached = false;  // the caller keeps leases of cached blocks until the pass has ended
  };

  /// `managed`: the memory of Transfer::kManaged, of the resident set's capacity.
  StagingWriter(StagingQueue& queue, ResidentSet& resident, std::byte* managed)
      : queue_(queue), resident_(resident), managed_(managed) {}

  /// Adds a block that a reader has checked; waits while no buffer is free. Takes its lease where
  /// the batch is to keep it. Returns the error of StagingQueue::Fail after that was called.
  Status Put(const BlockEdges& edges, const Order& order);
  /// Adds a block of `num_groups` groups in registered memory to `batch`, which is AcquireFree's,
  /// to be moved as kResident, kFilter or kZeroCopy. False when the batch is full, or holds blocks
  /// that are moved otherwise: copied blocks and those read by zero-copy go apart.
  bool PutPinned(StagedBatch& batch, uint64_t block, const BlockLease& lease, const Order& order,
                 uint32_t num_groups);

 private:
  /// What becomes of a block's bytes.
  struct Form {
    StagingUse use;
    Transfer transfer = Transfer::kFilter;
    bool in_place = false;     // the payloads are used where they are
    bool copy_weights = true;  // else kernels read them where they are
    double seconds = 0;        // seconds that finding this out took
  };
  /// A block's payloads, and then the places where kernels or copies find the wanted parts.
  struct Payloads {
    std::span<const std::byte> neighbors;
    std::span<const std::byte> weights;
  };

  static Form FormOf(const BlockEdges& edges, const Order& order);
  static Form CompactedForm(const BlockEdges& edges, const uint32_t* groups, bool in_place);
  /// Reserves capacity for a block that is to stay and takes at most `bytes`. Returns `transfer`;
  /// without capacity kFilter in place of kResident.
  Transfer ReserveToStay(Transfer transfer, uint64_t bytes);
  /// Brings the block's bytes to `to`, as far as its form needs them there.
  static Payloads Fill(const BlockEdges& edges, const Form& form, const uint32_t* groups,
                       std::byte* to);
  /// What crosses the link when `wanted_groups` of the block are visited.
  static uint64_t MovedBytes(const BlockEdges& edges, const Form& form, const Payloads& payloads,
                             uint32_t wanted_groups);

  StagingQueue& queue_;
  ResidentSet& resident_;
  std::byte* const managed_;
};

}  // namespace edgemill

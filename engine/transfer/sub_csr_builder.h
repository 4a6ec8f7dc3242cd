// Builds SubCSRs: decodes the active lists of blocks that a reader has checked, and puts them as
// plain arrays into the batch that is being filled (Subway, EuroSys 2020, section 3.1).
//
// Blocks come in the order in which disks deliver them, on several threads. So each block has a
// SubCSR of its own, and a part of the active graph is a batch of SubCSRs. Threads build one part
// while the part before is in use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/status.h"
#include "engine/graph/block_edges.h"
#include "engine/transfer/staging_queue.h"
#include "kernels/sub_csr.h"

namespace edgemill {

/// Belongs to one pass. Thread-safe.
class SubCsrBuilder {
 public:
  /// `index`: of the direction of the blocks. `members`: a bit for each active vertex, in whole
  /// words. Both must outlive it.
  SubCsrBuilder(const VertexIndexView& index, std::span<const uint64_t> members)
      : index_(index), members_(members) {}

  /// Returns the sizes of the SubCSR of a block, without its edges.
  SubCsr Measure(const BlockEdges& edges) const;
  /// Writes that SubCSR to `to`, which is aligned to 16 bytes and has sizes.bytes(). Returns false
  /// if a target is not a vertex: the block is damaged. The SubCSR then is empty.
  bool Build(const BlockEdges& edges, const SubCsr& sizes, std::byte* to) const;

  enum class Outcome : uint8_t {
    kBuilt,
    kWhole,  // the SubCSR would save too little: the block should be used as it is
    kDamaged,
  };
  /// Adds the block's SubCSR to the batch that `queue` fills, unless the block should be used
  /// whole. The batch has the SubCSR's address in BlockPlace::bytes.neighbors. Waits while no
  /// buffer is free. Returns an error after StagingQueue::Fail.
  StatusOr<Outcome> Put(const BlockEdges& edges, StagingQueue& queue) const;

 private:
  /// Calls `visit(vertex, first, last)` for each active vertex with edges in the block, in rising
  /// order, until it returns false. [first, last) is the whole list. Returns false in that case.
  template <typename Visit>
  bool VisitActive(const BlockEdges& edges, Visit visit) const;
  template <typename Weight>
  bool BuildWith(const BlockEdges& edges, SubCsr* to) const;

  const VertexIndexView index_;
  const std::span<const uint64_t> members_;
};

}  // namespace edgemill

// Maps internal ids back to the ids of the user's input.
#pragma once

#include "common/buffer.h"
#include "common/os/memory_budget.h"
#include "common/status.h"
#include "common/types.h"
#include "storage/read/block_reader.h"
#include "storage/read/graph_store.h"

namespace edgemill {

/// The external id of every internal id. Immutable; thread-safe. Takes no memory for dense ids that
/// were not renumbered, 4 bytes a vertex for renumbered dense ids, 8 for sparse ones.
class ExternalIds {
 public:
  /// The bytes that Load reserves.
  static uint64_t SizeBytes(const GraphStore& store);

  /// Reads the id columns. BudgetError, BadDataError (ids out of bounds), IoError.
  static StatusOr<ExternalIds> Load(const GraphStore& store, BlockReader& reader, int threads,
                                    MemoryBudget& budget);

  ExternalId Of(VertexId vertex) const {
    if (!wide_.empty()) return wide_[vertex];
    return base_ + (narrow_.empty() ? vertex : narrow_[vertex]);
  }

 private:
  Status ReadBlock(const GraphStore& store, bool renumbered, const BlockLease& lease);

  ExternalId base_ = 0;
  MemoryReservation reservation_;
  Array<uint64_t> wide_;    // sparse: external ids
  Array<uint32_t> narrow_;  // dense and renumbered: ranks
};

}  // namespace edgemill

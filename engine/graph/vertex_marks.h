// A set of vertices that many threads add to.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#include "common/buffer.h"
#include "common/os/memory_budget.h"
#include "common/status.h"
#include "common/types.h"
#include "kernels/portable_atomics.h"

namespace edgemill {

/// A bit for each vertex, which any thread may set.
class VertexMarks {
 public:
  static uint64_t SizeBytes(uint64_t num_vertices) { return (num_vertices + 63) / 64 * 8; }

  /// Marks no vertex yet. `what` names the memory in a BudgetError.
  static StatusOr<VertexMarks> Allocate(uint64_t num_vertices, MemoryBudget& budget,
                                        std::string_view what) {
    VertexMarks marks;
    const uint64_t bytes = SizeBytes(num_vertices);
    ASSIGN_OR_RETURN(marks.reservation_, budget.Reserve(bytes, what));
    ASSIGN_OR_RETURN(marks.words_, Array<uint64_t>::Allocate(bytes / 8));
    return marks;
  }

  bool has(VertexId vertex) const { return TestBit(words_.data(), vertex); }
  /// Returns whether it was not marked before.
  bool Add(VertexId vertex) { return AtomicSetBit(words_.data(), vertex); }
  /// How many are marked. Costs one pass. Not while other threads add.
  uint64_t Count() const {
    uint64_t count = 0;
    for (const uint64_t word : words_) count += static_cast<uint64_t>(std::popcount(word));
    return count;
  }

 private:
  MemoryReservation reservation_;
  Array<uint64_t> words_;
};

}  // namespace edgemill

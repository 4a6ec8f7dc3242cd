// Memory for labels that the parsers of inputs keep.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "common/os/memory_budget.h"
#include "common/status.h"
#include "common/thread_annotations.h"

namespace edgemill {

/// Memory of a budget that all inputs of one reader share: one of them is parsed at a time, so that
/// the most that one of them needs is enough. Thread-safe.
class LabelMemory {
 public:
  /// Without a budget, labels take at most so much; from a pipe, never more.
  static constexpr uint64_t kFixedBytes = uint64_t{64} << 20;

  /// `budget` may be null.
  explicit LabelMemory(MemoryBudget* budget) : budget_(budget) {}

  /// Reserves memory so that `bytes` are there. BudgetError when there is too little.
  Status Need(uint64_t bytes, std::string_view purpose);
  /// The bytes for an input that does not tell how many it needs: they can be reserved.
  uint64_t UsualBytes() const;

 private:
  MemoryBudget* const budget_;
  mutable Mutex mutex_;
  std::vector<MemoryReservation> parts_ GUARDED_BY(mutex_);
  uint64_t bytes_ GUARDED_BY(mutex_) = 0;
};

}  // namespace edgemill

#include "loaders/options/label_memory.h"

#include <algorithm>
#include <utility>

#include "common/units.h"

namespace edgemill {

Status LabelMemory::Need(uint64_t bytes, std::string_view purpose) {
  if (budget_ == nullptr) {
    if (bytes <= kFixedBytes) return OkStatus();
    return BudgetError(
        StrCat(purpose, " need ", FormatBytes(bytes), ", more than ", FormatBytes(kFixedBytes)));
  }
  MutexLock lock(mutex_);
  if (bytes <= bytes_) return OkStatus();
  ASSIGN_OR_RETURN(MemoryReservation more, budget_->Reserve(bytes - bytes_, purpose));
  parts_.push_back(std::move(more));
  bytes_ = bytes;
  return OkStatus();
}

uint64_t LabelMemory::UsualBytes() const {
  if (budget_ == nullptr) return kFixedBytes;
  constexpr uint64_t kShare = 6;  // as much as the reader of tables takes
  MutexLock lock(mutex_);
  return std::min(kFixedBytes, std::max(bytes_, budget_->available_bytes() / kShare));
}

}  // namespace edgemill

// One allocation on the GPU, shared out among arrays that were planned.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "common/check.h"
#include "engine/device/arena_plan.h"
#include "engine/device/gpu.h"

namespace edgemill {

/// What was planned, in one allocation.
class DeviceArena : public ArenaPlan {
 public:
  /// Allocates what was planned and `rest_bytes` more (see rest()), and sets all places, which must
  /// still be where they were. Not cleared. BudgetError as DeviceBuffer::Allocate.
  Status Allocate(Gpu& gpu, uint64_t rest_bytes, std::string_view purpose) {
    CHECK(rest_ == nullptr);  // places are set once
    ASSIGN_OR_RETURN(memory_, DeviceBuffer::Allocate(gpu, bytes() + rest_bytes, purpose));
    Place(memory_.data());
    rest_ = memory_.data() + bytes();
    return OkStatus();
  }
  /// The memory beyond what was planned.
  std::byte* rest() const { return rest_; }

 private:
  DeviceBuffer memory_;
  std::byte* rest_ = nullptr;
};

}  // namespace edgemill

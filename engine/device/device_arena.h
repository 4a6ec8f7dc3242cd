// One allocation on the GPU for all planned arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "common/check.h"
#include "engine/device/arena_plan.h"
#include "engine/device/gpu.h"

namespace edgemill {

/// The planned arrays, in one allocation.
class DeviceArena : public ArenaPlan {
 public:
  /// Allocates the planned arrays and `rest_bytes` more (see rest()), without clearing them. Sets
  /// all pointers that were given to Plan; they must still exist. Returns the errors of
  /// DeviceBuffer::Allocate.
  Status Allocate(Gpu& gpu, uint64_t rest_bytes, std::string_view purpose) {
    CHECK(rest_ == nullptr);  // Allocate is called once
    ASSIGN_OR_RETURN(memory_, DeviceBuffer::Allocate(gpu, bytes() + rest_bytes, purpose));
    Place(memory_.data());
    rest_ = memory_.data() + bytes();
    return OkStatus();
  }
  /// The memory beyond the planned arrays.
  std::byte* rest() const { return rest_; }

 private:
  DeviceBuffer memory_;
  std::byte* rest_ = nullptr;
};

}  // namespace edgemill

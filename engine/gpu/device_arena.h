// One allocation on the card, shared out among arrays that are planned first.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "engine/gpu/gpu.h"

namespace edgemill {

/// Collects what a run needs on the card, so that it is known before anything is allocated. Needs
/// no GPU.
class ArenaPlan {
 public:
  /// Arrays start at multiples of this.
  static constexpr uint64_t kAlignment = 256;

  /// Plans an array of `count` elements; `*place` is set by DeviceArena::Allocate (null when count
  /// is 0).
  template <typename T>
  void Plan(T** place, uint64_t count) {
    *place = nullptr;
    if (count == 0) return;
    const uint64_t offset = bytes_;
    bytes_ += (count * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
    placements_.push_back([=](std::byte* base) { *place = reinterpret_cast<T*>(base + offset); });
  }
  /// Bytes planned so far.
  uint64_t bytes() const { return bytes_; }

 protected:
  void Place(std::byte* base) const {
    for (const auto& place : placements_) place(base);
  }

 private:
  uint64_t bytes_ = 0;
  std::vector<std::function<void(std::byte*)>> placements_;
};

/// What was planned, in one allocation.
class DeviceArena : public ArenaPlan {
 public:
  /// Allocates what was planned and `rest_bytes` more (see rest()), and sets all places, which must
  /// still be where they were. Not cleared. BudgetError as DeviceBuffer::Allocate.
  Status Allocate(Gpu& gpu, uint64_t rest_bytes, std::string_view purpose) {
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

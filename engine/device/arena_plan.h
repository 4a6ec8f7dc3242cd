// Plans the arrays that one allocation will hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace edgemill {

/// Adds up the memory that a run needs on the GPU before anything is allocated. Needs no GPU.
class ArenaPlan {
 public:
  /// Arrays start at multiples of this many bytes.
  static constexpr uint64_t kAlignment = 256;

  /// Plans an array of `count` elements. DeviceArena::Allocate sets `*place` (null when `count` is
  /// 0).
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

}  // namespace edgemill

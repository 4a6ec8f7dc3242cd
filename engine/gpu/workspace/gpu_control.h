// Small things that cross between host and GPU: counters, lists of few vertices, what blocks want.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "common/os/memory_budget.h"
#include "common/types.h"
#include "engine/device/gpu.h"
#include "storage/format/graph_info.h"

namespace edgemill {

/// Pinned memory of a page for the former, and what a pass over edges reads back of its blocks.
/// What is in the page stays until the next call. One thread uses it.
class GpuControl {
 public:
  /// The page: what Write, Read and ListMembers move at a time.
  static constexpr uint64_t kPageBytes = 4096;
  static constexpr uint64_t kMaxMembers = kPageBytes / sizeof(VertexId) - 1;

  /// `gpu` and `stream` must outlive it. BudgetError; GpuError.
  Status Create(Gpu& gpu, GpuStream& stream, const GraphInfo& info, MemoryBudget& budget);

  /// What `bytes`, of a page at most, have, in pinned memory. Waits for earlier work.
  StatusOr<const std::byte*> Stage(std::span<const std::byte> bytes);
  /// Copies so few bytes to the GPU. Waits for earlier work.
  Status Write(void* device, std::span<const std::byte> bytes);
  /// Copies from the GPU; waits.
  Status Read(std::span<std::byte> bytes, const void* device);
  /// The members of `words` of `num_vertices`, in any order; nullopt where there are more than
  /// kMaxMembers. `*counter` is a word on the GPU. Waits.
  StatusOr<std::optional<std::span<const VertexId>>> ListMembers(const uint32_t* words,
                                                                 uint64_t num_vertices,
                                                                 uint32_t* counter);
  /// A word a block, then a bit a group.
  uint32_t* block_counts() { return reinterpret_cast<uint32_t*>(memory_.data() + kPageBytes); }

 private:
  Gpu* gpu_ = nullptr;
  GpuStream* stream_ = nullptr;
  MemoryReservation reservation_;
  PinnedBuffer memory_;
};

}  // namespace edgemill

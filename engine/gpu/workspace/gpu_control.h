// Small data that crosses between host and GPU: counters, lists of few vertices, wanted groups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "common/os/memory_budget.h"
#include "common/types.h"
#include "engine/device/gpu.h"
#include "engine/device/transfer.h"
#include "storage/format/graph_info.h"

namespace edgemill {

/// Owns pinned memory: a page for counters and lists, and the wanted groups or active vertices that
/// the host reads back for a pass. The page's content stays valid until the next call. Not
/// thread-safe.
class GpuControl {
 public:
  /// The bytes that Write, Read and ListMembers move at a time.
  static constexpr uint64_t kPageBytes = 4096;
  static constexpr uint64_t kMaxMembers = kPageBytes / sizeof(VertexId) - 1;

  /// `gpu` and `stream` must outlive it. `transfer` decides what the host reads back for a pass.
  /// Errors: BudgetError, GpuError.
  Status Create(Gpu& gpu, GpuStream& stream, const GraphInfo& info, Transfer transfer,
                MemoryBudget& budget);

  /// Copies `bytes`, a page at most, to the pinned page, and returns its address. Waits for earlier
  /// work.
  StatusOr<const std::byte*> Stage(std::span<const std::byte> bytes);
  /// Copies at most a page to the GPU. Waits for earlier work.
  Status Write(void* device, std::span<const std::byte> bytes);
  /// Copies from the GPU, page by page. Waits for the copies.
  Status Read(std::span<std::byte> bytes, const void* device);
  /// Returns the members of `words`, a set of `num_vertices` bits, in any order; nullopt where
  /// there are more than kMaxMembers. Uses `*counter`, a word on the GPU. Waits for the GPU.
  StatusOr<std::optional<std::span<const VertexId>>> ListMembers(const uint32_t* words,
                                                                 uint64_t num_vertices,
                                                                 uint32_t* counter);
  /// A word for each block with its number of wanted groups.
  uint32_t* block_counts() { return reinterpret_cast<uint32_t*>(memory_.data() + kPageBytes); }
  /// After these, a word for each block with what its active vertices have to pass on.
  float* pending() { return reinterpret_cast<float*>(block_counts() + num_blocks_); }
  /// A bit for each group or, for SubCSRs, for each vertex.
  std::byte* bits() { return memory_.data() + bits_at_; }

 private:
  Gpu* gpu_ = nullptr;
  GpuStream* stream_ = nullptr;
  MemoryReservation reservation_;
  PinnedBuffer memory_;
  uint64_t num_blocks_ = 0;
  uint64_t bits_at_ = 0;
};

}  // namespace edgemill

// Brings messages that another processor sends to the vertices on a GPU.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "common/os/memory_budget.h"
#include "common/thread_annotations.h"
#include "common/types.h"
#include "engine/device/gpu.h"

namespace edgemill {

/// Gathers messages in pinned memory. A kernel reads them across the link and gives them to the
/// vertices. One half is filled while the other is read. The kernels have their own stream, so they
/// run beside the pass.
class GpuMessages {
 public:
  /// The most messages that one kernel reads.
  static constexpr uint32_t kMaxMessages = 1u << 15;
  /// Returns the bytes of pinned memory for sums of at most `max_sum_bytes` each.
  static uint64_t SizeBytes(uint64_t max_sum_bytes) {
    return 2 * kMaxMessages * (max_sum_bytes + sizeof(VertexId));
  }
  /// Queues a kernel that gives `count` vertices their sums.
  using Launch = std::function<Status(const VertexId* vertices, const std::byte* sums,
                                      uint32_t count, GpuStream& on)>;

  /// `gpu` must outlive it. Errors: BudgetError, GpuError.
  static StatusOr<std::unique_ptr<GpuMessages>> Create(Gpu& gpu, uint64_t max_sum_bytes,
                                                       MemoryBudget& budget);

  /// Begins a pass: `launch` gives its messages to vertices, after the work queued on `main` so
  /// far.
  Status Begin(uint32_t sum_bytes, Launch launch, GpuStream& main);
  /// Adds a sum for each of `vertices`. Thread-safe between Begin and End. Does not wait until the
  /// vertices have received their sums.
  Status Add(std::span<const VertexId> vertices, const void* sums);
  /// Queues work of `launch` that gives messages to vertices, in the messages' stream. Thread-safe
  /// between Begin and End.
  Status Give(const std::function<Status(GpuStream& on)>& launch);
  /// Later work on `main` starts after all messages have been given to vertices.
  Status End(GpuStream& main);

 private:
  struct Half {
    std::byte* sums = nullptr;
    VertexId* vertices = nullptr;
    GpuEvent read;
    bool in_use = false;
  };

  explicit GpuMessages(Gpu& gpu) : gpu_(gpu) {}
  /// Sends the messages in the half that is being filled, and starts to fill the other half.
  Status Send() REQUIRES(mutex_);

  Gpu& gpu_;
  MemoryReservation reservation_;
  PinnedBuffer memory_;
  GpuEvent main_event_;
  Launch launch_;
  uint32_t sum_bytes_ = 0;
  Mutex mutex_;
  std::array<Half, 2> halves_ GUARDED_BY(mutex_);
  size_t filled_ GUARDED_BY(mutex_) = 0;
  uint32_t size_ GUARDED_BY(mutex_) = 0;  // messages in that half
  GpuStream stream_;  // declared last: its destructor waits for work that uses the members above
};

}  // namespace edgemill

// Messages that another processor sends to vertices on a GPU, on their way there.
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

/// Gathers messages in pinned memory, from which a kernel reads them across the link: one half is
/// filled while the other is read. They are given to vertices in a stream of their own, beside the
/// pass.
class GpuMessages {
 public:
  /// How many cross together.
  static constexpr uint32_t kAtOnce = 1u << 15;
  /// Bytes of the host's memory for sums of at most so many bytes.
  static uint64_t SizeBytes(uint64_t max_sum_bytes) {
    return 2 * kAtOnce * (max_sum_bytes + sizeof(VertexId));
  }
  /// Queues a kernel that gives `count` vertices their sums.
  using Launch = std::function<Status(const VertexId* vertices, const std::byte* sums,
                                      uint32_t count, GpuStream& on)>;

  /// `gpu` must outlive it. BudgetError; GpuError.
  static StatusOr<std::unique_ptr<GpuMessages>> Create(Gpu& gpu, uint64_t max_sum_bytes,
                                                       MemoryBudget& budget);

  /// Messages from now on are given by `launch`, after what `main` has been given so far.
  Status Begin(uint32_t sum_bytes, Launch launch, GpuStream& main);
  /// Thread-safe, between Begin and End. Does not wait for vertices to have them.
  Status Add(std::span<const VertexId> vertices, const void* sums);
  /// What `main` is given from here on comes after all messages.
  Status End(GpuStream& main);

 private:
  struct Half {
    std::byte* sums = nullptr;
    VertexId* vertices = nullptr;
    GpuEvent read;
    bool in_use = false;
  };

  explicit GpuMessages(Gpu& gpu) : gpu_(gpu) {}
  /// Sends what the half that is being filled has, and goes on with the other.
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
  uint32_t size_ GUARDED_BY(mutex_) = 0;  // of what fills it
  GpuStream stream_;  // the last: its destructor waits for all that uses what is above
};

}  // namespace edgemill

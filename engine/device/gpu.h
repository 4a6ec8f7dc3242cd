// A GPU and what is owned of it: memory, streams, events. No CUDA header is needed to include this.
//
// Every call of the CUDA runtime goes through Gpu::Check, which counts it, turns its error into a
// Status (kGpu; kBudget for memory), and can be told to fail the nth. Nothing here is global, and
// every operation on memory names its stream.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "common/buffer.h"
#include "common/check.h"
#include "common/os/memory_budget.h"
#include "common/status.h"
#include "storage/read/memory_registrar.h"

struct CUstream_st;
struct CUevent_st;

namespace edgemill {

/// Which GPU, and how much of it.
struct GpuOptions {
  int ordinal = 0;
  /// Bound on what is allocated on the GPU; 0: nine tenths of what is free.
  uint64_t memory_bytes = 0;
  /// Tests: the nth call of the CUDA runtime (from 0) fails with `fail_error`.
  std::optional<uint64_t> fail_call;
  int fail_error = 214;  // cudaErrorECCUncorrectable
};

/// What a GPU is.
struct GpuProperties {
  std::string name;
  int multiprocessors = 0;
  int major = 0;
  int minor = 0;
  uint64_t memory_bytes = 0;
  std::string link;  // "32.0 GT/s PCIe x16", as far as the kernel tells
};

/// One GPU in use by one run. Thread-safe, but for its destructor. Must outlive what it made.
class Gpu {
 public:
  /// The least compute capability that this build has code for.
  static constexpr int kMinMajor = 8;

  /// Takes a GPU into use; makes CUDA's context. GpuError when there is none, its driver is older
  /// than this build needs, or its architecture has no code here; BudgetError when its free memory
  /// is less than options.memory_bytes.
  static StatusOr<std::unique_ptr<Gpu>> Open(const GpuOptions& options);
  /// Whether this machine has a driver for GPUs at all. Makes no context.
  static bool HasDriver();
  ~Gpu() { CHECK_EQ(used_bytes(), 0u); }
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  const GpuProperties& properties() const { return properties_; }
  /// The bound on device memory.
  uint64_t memory_bytes() const { return memory_bytes_; }
  uint64_t used_bytes() const { return used_bytes_.load(std::memory_order_relaxed); }
  uint64_t peak_bytes() const { return peak_bytes_.load(std::memory_order_relaxed); }
  /// Bytes sent to the device so far, by copies.
  uint64_t copied_bytes() const { return copied_bytes_.load(std::memory_order_relaxed); }
  /// A kernel copies `bytes` to it.
  void CountCopied(uint64_t bytes) { copied_bytes_.fetch_add(bytes, std::memory_order_relaxed); }
  uint64_t num_calls() const { return num_calls_.load(std::memory_order_relaxed); }

  /// Whether kernels launched so far were accepted. Call after each launch, with its name.
  Status AfterLaunch(std::string_view kernel);
  /// Makes this the calling thread's device: once in each thread that uses it.
  Status UseInThread();

 private:
  friend class DeviceBuffer;
  friend class PinningRegistrar;
  friend class PinnedBuffer;
  friend class GpuStream;
  friend class GpuEvent;

  explicit Gpu(const GpuOptions& options) : options_(options) {}
  /// The choke point: counts a call that is about to be made, and returns the error to inject.
  int Before();
  /// `error` of a call as a Status; where it is of memory with `advice`.
  Status Check(
      int error, std::string_view what,
      std::string_view advice = "give a smaller --gpu-memory, or end other users of the GPU");
  Status ReadProperties();
  /// Takes `bytes` of the budget into account; BudgetError when it has not so much left.
  Status Charge(uint64_t bytes, std::string_view purpose);
  void GiveBack(uint64_t bytes) {
    const uint64_t used = used_bytes_.fetch_sub(bytes);
    CHECK_LE(bytes, used);  // it was taken
  }
  /// Touches `memory` with `threads` threads and pins it.
  Status Pin(std::span<std::byte> memory, int threads);

  const GpuOptions options_;
  GpuProperties properties_;
  uint64_t memory_bytes_ = 0;
  std::atomic<uint64_t> num_calls_{0};
  std::atomic<uint64_t> used_bytes_{0};
  std::atomic<uint64_t> peak_bytes_{0};
  std::atomic<uint64_t> copied_bytes_{0};
};

/// Memory on the GPU. Move-only.
class DeviceBuffer {
 public:
  /// What an allocation of `bytes` takes on the GPU.
  static constexpr uint64_t kGranularity = uint64_t{2} << 20;
  static uint64_t Footprint(uint64_t bytes) {
    return (bytes + kGranularity - 1) / kGranularity * kGranularity;
  }

  DeviceBuffer() = default;
  /// Not cleared. BudgetError when --gpu-memory or the GPU has not so much left. Waits for the
  /// device: not while iterating.
  static StatusOr<DeviceBuffer> Allocate(Gpu& gpu, uint64_t bytes, std::string_view purpose);
  /// The same of unified memory, whose pages go where they are used: it counts as memory on the
  /// GPU, which all of it may come to, and is never more than is left there.
  static StatusOr<DeviceBuffer> AllocateManaged(Gpu& gpu, uint64_t bytes, std::string_view purpose);
  ~DeviceBuffer();
  DeviceBuffer(DeviceBuffer&& other) noexcept { *this = std::move(other); }
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    std::swap(gpu_, other.gpu_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  std::byte* data() const { return data_; }
  uint64_t size() const { return size_; }

 private:
  /// Takes the share of `bytes`; from then on the destructor gives it back.
  static StatusOr<DeviceBuffer> Reserve(Gpu& gpu, uint64_t bytes, std::string_view purpose);

  Gpu* gpu_ = nullptr;
  std::byte* data_ = nullptr;
  uint64_t size_ = 0;
};

/// Memory of the host that the device reads and writes by itself, at the same address. Move-only.
class PinnedBuffer {
 public:
  PinnedBuffer() = default;
  /// Maps `bytes`, touches them on `threads` threads and registers them, which is ten times faster
  /// than cudaMallocHost. BudgetError when the kernel or the driver refuses. The caller reserves
  /// the memory.
  static StatusOr<PinnedBuffer> Allocate(Gpu& gpu, uint64_t bytes, int threads);
  ~PinnedBuffer();
  PinnedBuffer(PinnedBuffer&& other) noexcept { *this = std::move(other); }
  PinnedBuffer& operator=(PinnedBuffer&& other) noexcept {
    std::swap(gpu_, other.gpu_);
    std::swap(memory_, other.memory_);
    return *this;
  }
  std::byte* data() { return memory_.data(); }
  uint64_t size() const { return memory_.size(); }

 private:
  Gpu* gpu_ = nullptr;  // registered there
  Buffer memory_;
};

/// Pins memory that storage is about to fill with blocks.
class PinningRegistrar final : public MemoryRegistrar {
 public:
  /// `gpu` must outlive all that is registered.
  PinningRegistrar(Gpu& gpu, int threads) : gpu_(gpu), threads_(threads) {}
  Status Register(std::span<std::byte> memory) override;
  void Unregister(std::span<std::byte> memory) noexcept override;

 private:
  Gpu& gpu_;
  const int threads_;
};

/// A point in a stream's work. Move-only.
class GpuEvent {
 public:
  GpuEvent() = default;
  /// `timed`: SecondsSince may be asked.
  static StatusOr<GpuEvent> Create(Gpu& gpu, bool timed = false);
  ~GpuEvent();
  GpuEvent(GpuEvent&& other) noexcept { *this = std::move(other); }
  GpuEvent& operator=(GpuEvent&& other) noexcept {
    std::swap(gpu_, other.gpu_);
    std::swap(event_, other.event_);
    return *this;
  }
  /// Waits until the work before the last Record is done.
  Status Synchronize();
  /// Seconds between two timed events, to about a microsecond; both must have passed.
  StatusOr<double> SecondsSince(const GpuEvent& earlier) const;

 private:
  friend class GpuStream;
  Gpu* gpu_ = nullptr;
  CUevent_st* event_ = nullptr;
};

/// A queue of work on the device, done in order. Move-only.
class GpuStream {
 public:
  GpuStream() = default;
  /// `urgent`: its kernels' thread blocks go before those that wait in other streams.
  static StatusOr<GpuStream> Create(Gpu& gpu, bool urgent = false);
  /// Waits for the work in it.
  ~GpuStream();
  GpuStream(GpuStream&& other) noexcept { *this = std::move(other); }
  GpuStream& operator=(GpuStream&& other) noexcept {
    std::swap(gpu_, other.gpu_);
    std::swap(stream_, other.stream_);
    return *this;
  }
  CUstream_st* handle() const { return stream_; }

  /// Queues copies between host and device. Host memory that is not pinned makes them wait.
  Status CopyToDevice(void* device, const void* host, uint64_t bytes);
  Status CopyToHost(void* host, const void* device, uint64_t bytes);
  /// Queues setting `bytes` bytes to `value`.
  Status Fill(void* device, uint8_t value, uint64_t bytes);
  Status Record(GpuEvent& event);
  /// What is queued from here on waits for `event`.
  Status WaitFor(const GpuEvent& event);
  /// Waits until all queued work is done; reports errors of kernels too.
  Status Synchronize();

 private:
  Gpu* gpu_ = nullptr;
  CUstream_st* stream_ = nullptr;
};

}  // namespace edgemill

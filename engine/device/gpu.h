// A GPU and the objects that belong to it: memory, streams, events. Includes no CUDA header.
//
// Calls of the CUDA runtime are counted (Gpu::Before), and tests can make the nth call fail.
// Gpu::Check turns an error into a Status (kGpu; kBudget for memory). There are no global objects.
// Every copy or fill of memory names its stream.
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

/// Which GPU to use, and how much of its memory.
struct GpuOptions {
  int ordinal = 0;
  /// The most bytes to allocate on the GPU; 0: nine tenths of the free memory.
  uint64_t memory_bytes = 0;
  /// For tests: the call of the CUDA runtime with this number (from 0) fails with `fail_error`.
  std::optional<uint64_t> fail_call;
  int fail_error = 214;  // cudaErrorECCUncorrectable
};

/// The properties of a GPU.
struct GpuProperties {
  std::string name;
  int multiprocessors = 0;
  int major = 0;
  int minor = 0;
  uint64_t memory_bytes = 0;
  uint64_t shared_bytes = 0;  // the most shared memory of a thread block
  uint64_t cache_bytes = 0;   // of the L2 cache
  std::string link;           // such as "32.0 GT/s PCIe x16"; empty if unknown
};

/// One GPU that one run uses. Thread-safe, except the destructor. Must outlive all objects that
/// were made with it.
class Gpu {
 public:
  /// The least major compute capability for which this build has code.
  static constexpr int kMinMajor = 8;

  /// Opens a GPU, and makes CUDA's context. Returns GpuError when there is no GPU, the driver is
  /// too old for this build, or this build has no code for the GPU. Returns BudgetError when the
  /// free memory is less than options.memory_bytes.
  static StatusOr<std::unique_ptr<Gpu>> Open(const GpuOptions& options);
  /// The number of GPUs that can be opened; 0 where there is no driver. Makes no context.
  static int Count();
  /// Whether this machine has a driver for GPUs at all. Makes no context.
  static bool HasDriver();
  ~Gpu() { CHECK_EQ(used_bytes(), 0u); }
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  const GpuProperties& properties() const { return properties_; }
  /// The most bytes that may be allocated on the GPU.
  uint64_t memory_bytes() const { return memory_bytes_; }
  uint64_t used_bytes() const { return used_bytes_.load(std::memory_order_relaxed); }
  uint64_t peak_bytes() const { return peak_bytes_.load(std::memory_order_relaxed); }
  /// Bytes sent to the device so far, by copies.
  uint64_t copied_bytes() const { return copied_bytes_.load(std::memory_order_relaxed); }
  /// Adds `bytes` that a kernel copies to the GPU.
  void CountCopied(uint64_t bytes) { copied_bytes_.fetch_add(bytes, std::memory_order_relaxed); }
  uint64_t num_calls() const { return num_calls_.load(std::memory_order_relaxed); }

  /// Returns the error of the last launch, if any. Call it after each launch, with the kernel's
  /// name.
  Status AfterLaunch(std::string_view kernel);
  /// Makes this GPU the calling thread's device. Each thread that uses the GPU calls it once.
  Status UseInThread();
  /// Which GPU of the machine it is.
  int ordinal() const { return options_.ordinal; }
  /// Lets kernels and copies of this GPU use the memory of `other` without the host, where the
  /// machine can do that. Returns whether it can.
  StatusOr<bool> Reach(const Gpu& other);

 private:
  friend class DeviceBuffer;
  friend class PinningRegistrar;
  friend class PinnedBuffer;
  friend class GpuStream;
  friend class GpuEvent;

  explicit Gpu(const GpuOptions& options) : options_(options) {}
  /// Call it before each call of the CUDA runtime. Counts the call, and returns the error that the
  /// call must report instead of being made (GpuOptions::fail_call), or cudaSuccess.
  int Before();
  /// Turns the result `error` of the call `what` into a Status, and clears it in the CUDA runtime.
  /// For errors of memory, the text ends with `advice`.
  Status Check(
      int error, std::string_view what,
      std::string_view advice = "give a smaller --gpu-memory, or end other users of the GPU");
  Status ReadProperties();
  /// Takes `bytes` of the GPU's budget. Returns BudgetError when less is left.
  Status Charge(uint64_t bytes, std::string_view purpose);
  void GiveBack(uint64_t bytes) {
    const uint64_t used = used_bytes_.fetch_sub(bytes);
    CHECK_LE(bytes, used);  // Charge took these bytes
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

/// Makes a GPU the calling thread's device, until this is destroyed. Costs nothing where it is that
/// already, as in every run on one GPU.
class GpuScope {
 public:
  explicit GpuScope(Gpu& gpu);
  ~GpuScope();
  GpuScope(const GpuScope&) = delete;
  GpuScope& operator=(const GpuScope&) = delete;

 private:
  const int before_;  // the device of the thread until now; -1: none was chosen
};

/// Memory on the GPU. Move-only.
class DeviceBuffer {
 public:
  /// Allocations take multiples of this many bytes on the GPU.
  static constexpr uint64_t kGranularity = uint64_t{2} << 20;
  static uint64_t Footprint(uint64_t bytes) {
    return (bytes + kGranularity - 1) / kGranularity * kGranularity;
  }

  DeviceBuffer() = default;
  /// Allocates memory and does not clear it. Returns BudgetError when less is left of --gpu-memory
  /// or of the GPU's memory. Waits for the device, so do not call it during an iteration.
  static StatusOr<DeviceBuffer> Allocate(Gpu& gpu, uint64_t bytes, std::string_view purpose);
  /// Allocates unified memory, whose pages move to where they are used. All of it may come to the
  /// GPU, so it counts fully as memory on the GPU.
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
  /// Charges `bytes` to the GPU's budget. The destructor gives them back.
  static StatusOr<DeviceBuffer> Reserve(Gpu& gpu, uint64_t bytes, std::string_view purpose);

  Gpu* gpu_ = nullptr;
  std::byte* data_ = nullptr;
  uint64_t size_ = 0;
};

/// Memory of the host that the device can read and write, at the same address. Move-only.
class PinnedBuffer {
 public:
  PinnedBuffer() = default;
  /// Maps `bytes`, touches them with `threads` threads and registers them. This is ten times faster
  /// than cudaMallocHost. Returns BudgetError when the kernel or the driver refuses. The caller
  /// reserves the memory.
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
  Gpu* gpu_ = nullptr;  // where it is registered
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
  /// `timed`: SecondsSince may be called.
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
  /// Returns the seconds between two timed events, exact to about a microsecond. Both must have
  /// passed.
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

  /// Queues copies between host and device. They wait if the host memory is not pinned.
  Status CopyToDevice(void* device, const void* host, uint64_t bytes);
  Status CopyToHost(void* host, const void* device, uint64_t bytes);
  /// Queues a copy from the memory of `other`, a GPU, to this stream's.
  Status CopyFrom(const Gpu& other, void* to, const void* from, uint64_t bytes);
  /// Queues setting `bytes` bytes to `value`.
  Status Fill(void* device, uint8_t value, uint64_t bytes);
  Status Record(GpuEvent& event);
  /// Makes work that is queued later wait for `event`.
  Status WaitFor(const GpuEvent& event);
  /// Waits until all queued work is done; reports errors of kernels too.
  Status Synchronize();

 private:
  Gpu* gpu_ = nullptr;
  CUstream_st* stream_ = nullptr;
};

}  // namespace edgemill

#include "engine/device/gpu.h"

#include <cuda_runtime_api.h>
#include <sys/mman.h>

#include <algorithm>
#include <cctype>

#include "common/check.h"
#include "common/os/file.h"
#include "common/threads/parallel.h"
#include "common/units.h"

namespace edgemill {
namespace {

/// The share of the free memory, in tenths, when no bound is given.
constexpr uint64_t kDefaultTenths = 9;
constexpr size_t kTouchGrain = size_t{8} << 20;

/// Returns what the kernel says of a device on the PCI bus, such as "32.0 GT/s PCIe x16"; empty if
/// nothing.
std::string LinkOf(std::string bus_id) {
  std::transform(bus_id.begin(), bus_id.end(), bus_id.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto read = [&](std::string_view name) {
    const auto text = ReadWholeFile(StrCat("/sys/bus/pci/devices/", bus_id, "/", name), 4096);
    return text.ok() ? std::string(StripSpace(*text)) : std::string();
  };
  const std::string speed = read("max_link_speed");
  const std::string width = read("max_link_width");
  return speed.empty() || width.empty() ? "" : StrCat(speed, " x", width);
}

bool IsMemoryError(int error) { return error == cudaErrorMemoryAllocation; }

/// The device of this thread, as UseInThread and GpuScope left it; -1: none was chosen.
thread_local int device_of_thread = -1;

}  // namespace

/// Makes a CUDA call, unless a test makes this call fail.
#define EM_CUDA(gpu, call)                                              \
  [&] {                                                                 \
    const int injected = (gpu).Before();                                \
    return injected != cudaSuccess ? injected : static_cast<int>(call); \
  }()

int Gpu::Before() {
  const uint64_t number = num_calls_.fetch_add(1, std::memory_order_relaxed);
  return options_.fail_call == number ? options_.fail_error : static_cast<int>(cudaSuccess);
}

Status Gpu::Check(int error, std::string_view what, std::string_view advice) {
  if (error == cudaSuccess) return OkStatus();
  const cudaError_t code = static_cast<cudaError_t>(error);
  const std::string message = StrCat("GPU ", options_.ordinal, ": ", what, ": ",
                                     cudaGetErrorString(code), " (", cudaGetErrorName(code), ")");
  (void)cudaGetLastError();  // else the next launch would report it too
  if (IsMemoryError(error)) {
    return BudgetError(StrCat(message, ": ", advice));
  }
  switch (error) {
    case cudaErrorNoDevice:
      return GpuError(message);
    case cudaErrorInsufficientDriver:
      if (!HasDriver()) {
        return GpuError("this machine has no driver for NVIDIA GPUs: install one");
      }
      return GpuError(StrCat(message, ": update the driver"));
    case cudaErrorNoKernelImageForDevice:
      return GpuError(StrCat(message, ": this build has no code for it"));
    default:
      return GpuError(StrCat(message, ": the graph is unharmed: run again"));
  }
}

StatusOr<std::unique_ptr<Gpu>> Gpu::Open(const GpuOptions& options) {
  std::unique_ptr<Gpu> gpu(new Gpu(options));
  int count = 0;
  RETURN_IF_ERROR(gpu->Check(EM_CUDA(*gpu, cudaGetDeviceCount(&count)), "finding GPUs"));
  if (options.ordinal < 0 || options.ordinal >= count) {
    return GpuError(StrCat("there is no GPU ", options.ordinal, ": give a number below ", count));
  }
  RETURN_IF_ERROR(gpu->ReadProperties());
  RETURN_IF_ERROR(gpu->UseInThread());
  size_t free_bytes = 0;
  size_t total_bytes = 0;
  RETURN_IF_ERROR(
      gpu->Check(EM_CUDA(*gpu, cudaMemGetInfo(&free_bytes, &total_bytes)), "asking for memory"));
  gpu->properties_.memory_bytes = total_bytes;
  gpu->memory_bytes_ =
      options.memory_bytes > 0 ? options.memory_bytes : free_bytes / 10 * kDefaultTenths;
  if (options.memory_bytes > free_bytes) {
    return BudgetError(StrCat("--gpu-memory ", FormatBytes(options.memory_bytes), ": ",
                              gpu->properties_.name, " has ", FormatBytes(free_bytes),
                              " free: give less"));
  }
  return gpu;
}

int Gpu::Count() {
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
  (void)cudaGetLastError();
  return 0;
}

bool Gpu::HasDriver() {
  int version = 0;  // stays 0 without a driver
  return cudaDriverGetVersion(&version) == cudaSuccess && version > 0;
}

Status Gpu::ReadProperties() {
  cudaDeviceProp properties;
  RETURN_IF_ERROR(Check(EM_CUDA(*this, cudaGetDeviceProperties(&properties, options_.ordinal)),
                        "reading properties"));
  properties_.name = properties.name;
  char bus_id[32] = "";
  RETURN_IF_ERROR(
      Check(EM_CUDA(*this, cudaDeviceGetPCIBusId(bus_id, sizeof(bus_id), options_.ordinal)),
            "asking for its PCI address"));
  properties_.link = LinkOf(bus_id);
  properties_.multiprocessors = properties.multiProcessorCount;
  properties_.shared_bytes = properties.sharedMemPerBlockOptin;
  properties_.cache_bytes = static_cast<uint64_t>(properties.l2CacheSize);
  properties_.major = properties.major;
  properties_.minor = properties.minor;
  if (properties.major < kMinMajor) {
    return GpuError(StrCat("GPU ", options_.ordinal, ", ", properties.name,
                           ", has compute capability ", properties.major, ".", properties.minor,
                           ", and ", kMinMajor, ".0 is the least"));
  }
  if (properties.canUseHostPointerForRegisteredMem == 0 || properties.unifiedAddressing == 0) {
    return GpuError(StrCat("GPU ", options_.ordinal, ", ", properties.name,
                           ", cannot address the host's memory"));
  }
  return OkStatus();
}

Status Gpu::UseInThread() {
  RETURN_IF_ERROR(Check(EM_CUDA(*this, cudaSetDevice(options_.ordinal)), "taking it into use"));
  device_of_thread = options_.ordinal;
  return OkStatus();
}

StatusOr<bool> Gpu::Reach(const Gpu& other) {
  if (options_.ordinal == other.ordinal()) return true;
  int can = 0;
  RETURN_IF_ERROR(
      Check(EM_CUDA(*this, cudaDeviceCanAccessPeer(&can, options_.ordinal, other.ordinal())),
            "asking for its way to another GPU"));
  if (can == 0) return false;
  const GpuScope scope(*this);
  const int error = EM_CUDA(*this, cudaDeviceEnablePeerAccess(other.ordinal(), 0));
  if (error == cudaErrorPeerAccessAlreadyEnabled) {
    (void)cudaGetLastError();  // else the next launch would report it
    return true;
  }
  if (error == cudaErrorTooManyPeers) {
    (void)cudaGetLastError();
    return false;
  }
  RETURN_IF_ERROR(Check(error, StrCat("opening its way to GPU ", other.ordinal())));
  return true;
}

GpuScope::GpuScope(Gpu& gpu) : before_(device_of_thread) {
  if (before_ == gpu.ordinal()) return;
  // The calls that follow report what this one would: the device was opened before.
  (void)cudaSetDevice(gpu.ordinal());
  device_of_thread = gpu.ordinal();
}

GpuScope::~GpuScope() {
  if (before_ < 0 || before_ == device_of_thread) return;
  (void)cudaSetDevice(before_);
  device_of_thread = before_;
}

Status Gpu::AfterLaunch(std::string_view kernel) {
  return Check(EM_CUDA(*this, cudaGetLastError()), StrCat("launching ", kernel));
}

Status Gpu::Charge(uint64_t bytes, std::string_view purpose) {
  const uint64_t used = used_bytes_.fetch_add(bytes) + bytes;
  if (used > memory_bytes_) {
    GiveBack(bytes);
    return BudgetError(StrCat("--gpu-memory ", FormatBytes(memory_bytes_),
                              " is too small: ", purpose, " needs ", FormatBytes(bytes),
                              ": give at least --gpu-memory ", FormatMebibytesUp(used)));
  }
  uint64_t peak = peak_bytes_.load();
  while (used > peak && !peak_bytes_.compare_exchange_weak(peak, used)) {
  }
  return OkStatus();
}

Status Gpu::Pin(std::span<std::byte> memory, int threads) {
  madvise(memory.data(), memory.size(), MADV_HUGEPAGE);  // may be ignored; halves the time
  // Each page is written once, with what it holds: a kept cache is pinned again with its blocks.
  RETURN_IF_ERROR(ParallelFor(memory.size(), kTouchGrain, threads, [&](size_t begin, size_t end) {
    for (size_t at = begin; at < end; at += 4096) {
      volatile std::byte* const place = &memory[at];
      *place = *place;
    }
    return OkStatus();
  }));
  return Check(EM_CUDA(*this, cudaHostRegister(memory.data(), memory.size(),
                                               cudaHostRegisterPortable | cudaHostRegisterMapped)),
               StrCat("pinning ", FormatBytes(memory.size()), " of the host's memory"),
               "give a smaller --memory, or end other users of the host's memory");
}

StatusOr<DeviceBuffer> DeviceBuffer::Reserve(Gpu& gpu, uint64_t bytes, std::string_view purpose) {
  DeviceBuffer buffer;
  if (bytes == 0) return buffer;
  RETURN_IF_ERROR(gpu.Charge(Footprint(bytes), purpose));
  buffer.gpu_ = &gpu;
  buffer.size_ = bytes;
  return buffer;
}

StatusOr<DeviceBuffer> DeviceBuffer::Allocate(Gpu& gpu, uint64_t bytes, std::string_view purpose) {
  ASSIGN_OR_RETURN(DeviceBuffer buffer, Reserve(gpu, bytes, purpose));
  void* data = nullptr;
  if (bytes > 0) {
    RETURN_IF_ERROR(gpu.Check(EM_CUDA(gpu, cudaMalloc(&data, bytes)),
                              StrCat("allocating ", FormatBytes(bytes), " for ", purpose)));
  }
  buffer.data_ = static_cast<std::byte*>(data);
  return buffer;
}

StatusOr<DeviceBuffer> DeviceBuffer::AllocateManaged(Gpu& gpu, uint64_t bytes,
                                                     std::string_view purpose) {
  ASSIGN_OR_RETURN(DeviceBuffer buffer, Reserve(gpu, bytes, purpose));
  void* data = nullptr;
  if (bytes > 0) {
    RETURN_IF_ERROR(
        gpu.Check(EM_CUDA(gpu, cudaMallocManaged(&data, bytes, cudaMemAttachGlobal)),
                  StrCat("allocating ", FormatBytes(bytes), " of unified memory for ", purpose)));
  }
  buffer.data_ = static_cast<std::byte*>(data);
  return buffer;
}

DeviceBuffer::~DeviceBuffer() {
  if (gpu_ == nullptr) return;
  if (data_ != nullptr) (void)cudaFree(data_);
  gpu_->GiveBack(Footprint(size_));
}

StatusOr<PinnedBuffer> PinnedBuffer::Allocate(Gpu& gpu, uint64_t bytes, int threads) {
  PinnedBuffer buffer;
  if (bytes == 0) return buffer;
  ASSIGN_OR_RETURN(buffer.memory_, Buffer::Allocate(bytes));
  RETURN_IF_ERROR(gpu.Pin(buffer.memory_.bytes(), threads));
  buffer.gpu_ = &gpu;
  return buffer;
}

PinnedBuffer::~PinnedBuffer() {
  if (gpu_ != nullptr) (void)cudaHostUnregister(memory_.data());
}

Status PinningRegistrar::Register(std::span<std::byte> memory) {
  return gpu_.Pin(memory, threads_);
}

void PinningRegistrar::Unregister(std::span<std::byte> memory) noexcept {
  (void)cudaHostUnregister(memory.data());
}

StatusOr<GpuEvent> GpuEvent::Create(Gpu& gpu, bool timed) {
  GpuEvent event;
  const unsigned flags = timed ? cudaEventDefault : cudaEventDisableTiming;
  RETURN_IF_ERROR(
      gpu.Check(EM_CUDA(gpu, cudaEventCreateWithFlags(&event.event_, flags)), "making an event"));
  event.gpu_ = &gpu;
  return event;
}

GpuEvent::~GpuEvent() {
  if (event_ != nullptr) (void)cudaEventDestroy(event_);
}

Status GpuEvent::Synchronize() {
  CHECK(event_ != nullptr);  // Create made it
  const WaitScope waiting(WaitCause::kDevice);
  return gpu_->Check(EM_CUDA(*gpu_, cudaEventSynchronize(event_)), "waiting for a batch of work");
}

StatusOr<double> GpuEvent::SecondsSince(const GpuEvent& earlier) const {
  CHECK(event_ != nullptr && earlier.event_ != nullptr);
  float milliseconds = 0;
  RETURN_IF_ERROR(
      gpu_->Check(EM_CUDA(*gpu_, cudaEventElapsedTime(&milliseconds, earlier.event_, event_)),
                  "reading its clock"));
  return static_cast<double>(milliseconds) * 1e-3;
}

StatusOr<GpuStream> GpuStream::Create(Gpu& gpu, bool urgent) {
  GpuStream stream;
  RETURN_IF_ERROR(gpu.Check(
      EM_CUDA(gpu, cudaStreamCreateWithPriority(&stream.stream_, cudaStreamNonBlocking,
                                                urgent ? -1 : 0)),  // lower numbers go first
      "making a stream"));
  stream.gpu_ = &gpu;
  return stream;
}

GpuStream::~GpuStream() {
  if (stream_ == nullptr) return;
  (void)cudaStreamSynchronize(stream_);
  (void)cudaStreamDestroy(stream_);
}

Status GpuStream::CopyToDevice(void* device, const void* host, uint64_t bytes) {
  gpu_->copied_bytes_.fetch_add(bytes, std::memory_order_relaxed);
  return gpu_->Check(
      EM_CUDA(*gpu_, cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream_)),
      StrCat("copying ", FormatBytes(bytes), " to it"));
}

Status GpuStream::CopyToHost(void* host, const void* device, uint64_t bytes) {
  return gpu_->Check(
      EM_CUDA(*gpu_, cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream_)),
      StrCat("copying ", FormatBytes(bytes), " from it"));
}

Status GpuStream::CopyFrom(const Gpu& other, void* to, const void* from, uint64_t bytes) {
  return gpu_->Check(EM_CUDA(*gpu_, cudaMemcpyPeerAsync(to, gpu_->ordinal(), from, other.ordinal(),
                                                        bytes, stream_)),
                     StrCat("copying ", FormatBytes(bytes), " from GPU ", other.ordinal()));
}

Status GpuStream::Fill(void* device, uint8_t value, uint64_t bytes) {
  return gpu_->Check(EM_CUDA(*gpu_, cudaMemsetAsync(device, value, bytes, stream_)),
                     "clearing memory");
}

Status GpuStream::Record(GpuEvent& event) {
  CHECK(stream_ != nullptr && event.event_ != nullptr);
  return gpu_->Check(EM_CUDA(*gpu_, cudaEventRecord(event.event_, stream_)), "marking work");
}

Status GpuStream::WaitFor(const GpuEvent& event) {
  CHECK(stream_ != nullptr && event.event_ != nullptr);
  return gpu_->Check(EM_CUDA(*gpu_, cudaStreamWaitEvent(stream_, event.event_, 0)),
                     "ordering work");
}

Status GpuStream::Synchronize() {
  CHECK(stream_ != nullptr);  // null would be CUDA's default stream
  const WaitScope waiting(WaitCause::kDevice);
  return gpu_->Check(EM_CUDA(*gpu_, cudaStreamSynchronize(stream_)), "waiting for it");
}

}  // namespace edgemill

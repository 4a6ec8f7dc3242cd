#include "engine/device/device_home.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "common/check.h"
#include "common/parallel.h"
#include "kernels/array_kernels.h"

namespace edgemill {
namespace {

/// What one host thread copies at a time.
constexpr size_t kHostGrain = size_t{256} << 10;

}  // namespace

StatusOr<std::unique_ptr<DeviceHome>> DeviceHome::Create(Gpu& gpu, GpuStream& stream,
                                                         uint64_t staging_bytes, int threads) {
  CHECK_GE(staging_bytes, 2 * kLeastHalfBytes);
  std::unique_ptr<DeviceHome> home(new DeviceHome(gpu, stream, threads));
  ASSIGN_OR_RETURN(home->staging_, PinnedBuffer::Allocate(gpu, staging_bytes, threads));
  const uint64_t half_bytes = staging_bytes / 2;
  for (size_t i = 0; i < home->halves_.size(); ++i) {
    home->halves_[i].memory = {home->staging_.data() + i * half_bytes, half_bytes};
    ASSIGN_OR_RETURN(home->halves_[i].copied, GpuEvent::Create(gpu));
  }
  return home;
}

DeviceHome::~DeviceHome() {
  (void)stream_.Synchronize();  // also after an error that left copies uncounted
}

Status DeviceHome::Wait(Half& half) {
  if (!std::exchange(half.in_use, false)) return OkStatus();
  return half.copied.Synchronize();
}

StatusOr<DeviceHome::Half*> DeviceHome::Take() {
  Half& half = halves_[next_];
  next_ = 1 - next_;
  RETURN_IF_ERROR(Wait(half));
  return &half;
}

Status DeviceHome::Used(Half* half) {
  half->in_use = true;
  return stream_.Record(half->copied);
}

Status DeviceHome::Send(Half* half, std::byte* place, uint64_t bytes) {
  RETURN_IF_ERROR(stream_.CopyToDevice(place, half->memory.data(), bytes));
  return Used(half);
}

void DeviceHome::CopyOnHost(std::byte* to, const std::byte* from, uint64_t bytes) const {
  ForEachChunk(
      bytes, kHostGrain, bytes <= kHostGrain ? 1 : threads_,
      [&](size_t begin, size_t end) { std::memcpy(to + begin, from + begin, end - begin); });
}

Status DeviceHome::Prepare(std::span<std::byte> host) {
  if (host.empty()) return OkStatus();
  ASSIGN_OR_RETURN(RegisteredMemory pinned, RegisteredMemory::Register(&registrar_, host));
  prepared_.push_back(host);
  pinned_.push_back(std::move(pinned));
  return OkStatus();
}

bool DeviceHome::IsPrepared(std::span<const std::byte> host) const {
  return std::any_of(prepared_.begin(), prepared_.end(), [&](std::span<const std::byte> memory) {
    return host.data() >= memory.data() &&
           host.data() + host.size() <= memory.data() + memory.size();
  });
}

Status DeviceHome::Fill(std::byte* place, std::span<const std::byte> element, uint64_t count) {
  CHECK(!element.empty() && element.size() <= kMostFillBytes);
  if (count == 0) return OkStatus();
  ElementBytes bytes{.size = static_cast<uint32_t>(element.size())};
  std::memcpy(bytes.bytes, element.data(), element.size());
  LaunchFillElements(place, bytes, count, stream_.handle());
  return gpu_.AfterLaunch("fill an array");
}

Status DeviceHome::CopyToDevice(std::byte* place, std::span<const std::byte> host) {
  if (IsPrepared(host)) {
    RETURN_IF_ERROR(stream_.CopyToDevice(place, host.data(), host.size()));
    return stream_.Synchronize();
  }
  for (uint64_t at = 0; at < host.size();) {
    ASSIGN_OR_RETURN(Half* const half, Take());
    const uint64_t bytes = std::min<uint64_t>(half->memory.size(), host.size() - at);
    CopyOnHost(half->memory.data(), host.data() + at, bytes);
    RETURN_IF_ERROR(Send(half, place + at, bytes));
    at += bytes;
  }
  return OkStatus();
}

Status DeviceHome::CopyToHost(std::span<std::byte> host, const std::byte* place) {
  if (IsPrepared(host)) {
    RETURN_IF_ERROR(stream_.CopyToHost(host.data(), place, host.size()));
    return stream_.Synchronize();
  }
  std::span<std::byte> arriving;  // where what is in `before` belongs
  Half* before = nullptr;
  const auto unload = [&]() -> Status {
    if (before == nullptr) return OkStatus();
    RETURN_IF_ERROR(Wait(*before));
    CopyOnHost(arriving.data(), before->memory.data(), arriving.size());
    return OkStatus();
  };
  for (uint64_t at = 0; at < host.size(); at += arriving.size()) {
    ASSIGN_OR_RETURN(Half* const half, Take());
    const uint64_t bytes = std::min<uint64_t>(half->memory.size(), host.size() - at);
    RETURN_IF_ERROR(stream_.CopyToHost(half->memory.data(), place + at, bytes));
    RETURN_IF_ERROR(Used(half));
    RETURN_IF_ERROR(unload());  // beside this copy
    arriving = host.subspan(at, bytes);
    before = half;
  }
  return unload();
}

Status DeviceHome::Gather(std::byte* host, const std::byte* place, uint32_t element_bytes,
                          std::span<const VertexId> indexes) {
  while (!indexes.empty()) {
    ASSIGN_OR_RETURN(Half* const half, Take());
    // The elements first, for their alignment; then their indexes.
    const size_t count = std::min<size_t>(
        indexes.size(), half->memory.size() / (element_bytes + sizeof(VertexId)) / 4 * 4);
    CHECK_GT(count, 0u);
    std::byte* const elements = half->memory.data();
    auto* const staged = reinterpret_cast<VertexId*>(elements + count * element_bytes);
    std::copy_n(indexes.begin(), count, staged);
    LaunchGatherElements(elements, place, element_bytes, staged, count, stream_.handle());
    RETURN_IF_ERROR(gpu_.AfterLaunch("gather elements"));
    RETURN_IF_ERROR(Used(half));
    RETURN_IF_ERROR(Wait(*half));
    std::memcpy(host, elements, count * element_bytes);
    host += count * element_bytes;
    indexes = indexes.subspan(count);
  }
  return OkStatus();
}

}  // namespace edgemill

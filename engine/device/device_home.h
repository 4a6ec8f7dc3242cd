// The memory of a GPU, as a home of a State's arrays.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/device/array_home.h"
#include "engine/device/gpu.h"
#include "kernels/gpu/array_kernels.h"

namespace edgemill {

/// Moves elements by one stream, that of the kernels that use the arrays. What moves passes through
/// pinned memory, in two halves: host threads fill or empty one while the other crosses the link.
class DeviceHome final : public ArrayHome {
 public:
  /// Bytes of pinned memory for arrays of at most so many bytes each.
  static uint64_t StagingBytes(uint64_t max_array_bytes) {
    return 2 * std::clamp((max_array_bytes + 4095) / 4096 * 4096, kMinHalfBytes, kMaxHalfBytes);
  }
  /// `gpu` and `stream` must outlive it. Takes `staging_bytes` (StagingBytes) of the host's memory,
  /// for which the caller answers, and copies there by `threads` threads. The errors of
  /// PinnedBuffer::Allocate; GpuError.
  static StatusOr<std::unique_ptr<DeviceHome>> Create(Gpu& gpu, GpuStream& stream,
                                                      uint64_t staging_bytes, int threads);
  /// Waits for the stream.
  ~DeviceHome() override;

  /// Pins it.
  Status Prepare(std::span<std::byte> host) override;
  /// Does not wait.
  Status Fill(std::byte* place, std::span<const std::byte> element, uint64_t count) override;
  /// Waits until all is in pinned memory.
  Status CopyToDevice(std::byte* place, std::span<const std::byte> host) override;
  Status CopyToHost(std::span<std::byte> host, const std::byte* place) override;
  /// By a kernel that reads the indexes across the link.
  Status Gather(std::byte* host, const std::byte* place, uint32_t element_bytes,
                std::span<const VertexId> indexes) override;
  /// By kernels that write and read across the link what threads unpack and pack beside them.
  Status CopyMembersToHost(std::byte* host, const std::byte* place, uint32_t element_bytes,
                           const IndexSet& members) override;
  Status CopyMembersToDevice(std::byte* place, const std::byte* host, uint32_t element_bytes,
                             const IndexSet& members) override;

 private:
  static constexpr uint64_t kMinHalfBytes = uint64_t{64} << 10;
  static constexpr uint64_t kMaxHalfBytes = uint64_t{1} << 20;

  struct Half {
    std::span<std::byte> memory;
    GpuEvent copied;  // what last used it
    bool in_use = false;
  };

  DeviceHome(Gpu& gpu, GpuStream& stream, int threads)
      : gpu_(gpu), stream_(stream), threads_(threads), registrar_(gpu, threads) {}
  bool IsPrepared(std::span<const std::byte> host) const;
  /// Some members, packed in a half of the pinned memory.
  struct Packed {
    Half* half = nullptr;
    PackedMembers members;  // of what is in the half
    uint64_t count = 0;
  };
  /// Members from word `*word` on, as many as the next half has room for with their elements; moves
  /// `*word` on. No member: no half.
  StatusOr<Packed> PackNext(uint32_t element_bytes, const IndexSet& members, uint64_t* word);
  /// Calls `copy(index, rank)` for each by several threads.
  template <typename Copy>
  void ForEachPacked(const Packed& packed, Copy copy) const;
  /// Calls `copy(index, rank, bytes)` likewise; `bytes` is element_bytes, often as a constant.
  template <typename Copy>
  void CopyPacked(const Packed& packed, uint32_t element_bytes, Copy copy) const;
  /// The half that was used longer ago, once it is free.
  StatusOr<Half*> AcquireHalf();
  Status Wait(Half& half);
  /// Notes that what the stream has been given so far uses the half.
  Status Used(Half* half);
  Status Send(Half* half, std::byte* place, uint64_t bytes);
  void CopyOnHost(std::byte* to, const std::byte* from, uint64_t bytes) const;

  Gpu& gpu_;
  GpuStream& stream_;
  const int threads_;
  PinningRegistrar registrar_;
  std::vector<std::span<const std::byte>> prepared_;
  std::vector<RegisteredMemory> pinned_;
  PinnedBuffer staging_;
  std::array<Half, 2> halves_;
  size_t next_ = 0;
};

}  // namespace edgemill

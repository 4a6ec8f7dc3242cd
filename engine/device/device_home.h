// Keeps the arrays of a State in the memory of a GPU.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/device/array_home.h"
#include "engine/device/gpu.h"
#include "kernels/gpu/array_kernels.h"

namespace edgemill {

/// Moves elements in one stream, which is also the stream of the kernels that use the arrays.
/// Elements pass through pinned memory with two halves. Host threads fill or empty one half while
/// the other crosses the link.
class DeviceHome final : public ArrayHome {
 public:
  /// Returns the bytes of pinned memory for arrays of at most `max_array_bytes` each.
  static uint64_t StagingBytes(uint64_t max_array_bytes) {
    return 2 * std::clamp((max_array_bytes + 4095) / 4096 * 4096, kMinHalfBytes, kMaxHalfBytes);
  }
  /// `gpu` and `stream` must outlive it. Allocates `staging_bytes` (StagingBytes) of the host's
  /// memory, which the caller must reserve. Copies there with `threads` threads. Returns GpuError
  /// and the errors of PinnedBuffer::Allocate.
  static StatusOr<std::unique_ptr<DeviceHome>> Create(Gpu& gpu, GpuStream& stream,
                                                      uint64_t staging_bytes, int threads);
  /// Waits for the stream.
  ~DeviceHome() override;

  /// Pins `host`.
  Status Prepare(std::span<std::byte> host) override;
  /// Does not wait.
  Status Fill(std::byte* place, std::span<const std::byte> element, uint64_t count) override;
  /// Waits until all of `host` was copied to pinned memory.
  Status CopyToDevice(std::byte* place, std::span<const std::byte> host) override;
  Status CopyToHost(std::span<std::byte> host, const std::byte* place) override;
  /// Uses a kernel that reads the indexes across the link.
  Status Gather(std::byte* host, const std::byte* place, uint32_t element_bytes,
                std::span<const VertexId> indexes) override;
  /// Uses kernels that write or read packed elements across the link. Host threads pack and unpack
  /// at the same time.
  Status CopyMembersToHost(std::byte* host, const std::byte* place, uint32_t element_bytes,
                           const IndexSet& members) override;
  Status CopyMembersToDevice(std::byte* place, const std::byte* host, uint32_t element_bytes,
                             const IndexSet& members) override;
  /// From another GPU. Waits for nothing.
  Status CopyFrom(ArrayHome& other, const std::byte* from, std::byte* place,
                  uint64_t bytes) override;
  bool Reaches(const ArrayHome& other) const override {
    return dynamic_cast<const DeviceHome*>(&other) != nullptr;
  }
  Status CopyMembersFrom(ArrayHome& other, const Elements& elements) override;
  bool Sees(const ArrayHome& other) const override { return in_reach_ && Reaches(other); }
  /// Notes that the GPUs of all homes can use each other's memory.
  void NoteInReach() { in_reach_ = true; }
  /// Makes later work in this home's stream wait for the work in `other`'s so far.
  Status WaitFor(DeviceHome& other);

 private:
  static constexpr uint64_t kMinHalfBytes = uint64_t{64} << 10;
  static constexpr uint64_t kMaxHalfBytes = uint64_t{8} << 20;

  struct Half {
    std::span<std::byte> memory;
    GpuEvent copied;  // the last use of this half
    bool in_use = false;
  };

  DeviceHome(Gpu& gpu, GpuStream& stream, int threads)
      : gpu_(gpu), stream_(stream), threads_(threads), registrar_(gpu, threads) {}
  bool IsPrepared(std::span<const std::byte> host) const;
  /// Some members, packed in a half of the pinned memory.
  struct Packed {
    Half* half = nullptr;
    PackedMembers members;  // the members whose elements are in the half
    uint64_t count = 0;
  };
  /// Packs members from word `*word` on, as many as fit in the next half with their elements. Moves
  /// `*word` behind them. If there are no more members, the result has no half.
  StatusOr<Packed> PackNext(uint32_t element_bytes, const IndexSet& members, uint64_t* word);
  /// Calls `copy(index, rank)` for each packed member, in several threads.
  template <typename Copy>
  void ForEachPacked(const Packed& packed, Copy copy) const;
  /// Calls `copy(index, rank, bytes)` likewise. `bytes` is `element_bytes`, as a constant for
  /// common sizes.
  template <typename Copy>
  void CopyPacked(const Packed& packed, uint32_t element_bytes, Copy copy) const;
  /// Returns the half that was used longer ago. Waits until it is free.
  StatusOr<Half*> AcquireHalf();
  Status Wait(Half& half);
  /// Notes that work queued on the stream so far uses the half.
  Status Used(Half* half);
  Status Send(Half* half, std::byte* place, uint64_t bytes);
  void CopyOnHost(std::byte* to, const std::byte* from, uint64_t bytes) const;

  Gpu& gpu_;
  GpuStream& stream_;
  const int threads_;
  PinningRegistrar registrar_;
  std::vector<std::span<const std::byte>> prepared_;
  std::vector<RegisteredMemory> pinned_;
  bool in_reach_ = false;
  std::optional<GpuEvent> so_far_;  // for other homes that wait for this one
  PinnedBuffer staging_;
  std::array<Half, 2> halves_;
  size_t next_ = 0;
};

}  // namespace edgemill

// A second memory for a State's arrays without a GPU: memory of the host.
#pragma once

#include <cstring>
#include <optional>
#include <vector>

#include "engine/state/state_copies.h"

namespace edgemill {

/// Does what a DeviceArena does, in memory of the host. No byte of the memory is zero at first.
class FakeArena : public ArenaPlan {
 public:
  void Allocate() {
    memory_.assign(bytes(), std::byte{0xa5});
    Place(memory_.data());
  }

 private:
  std::vector<std::byte> memory_;
};

/// Counts the bytes that are copied. The call with the number `fail_call` fails before it does
/// anything.
class FakeHome final : public ArrayHome {
 public:
  static constexpr std::string_view kError = "the GPU has failed";

  explicit FakeHome(std::optional<uint64_t> fail_call = {}) : fail_call_(fail_call) {}

  Status Fill(std::byte* place, std::span<const std::byte> element, uint64_t count) override {
    RETURN_IF_ERROR(Call());
    EXPECT_LE(element.size(), kMaxFillBytes);
    ++fills;
    for (uint64_t i = 0; i < count; ++i) {
      std::memcpy(place + i * element.size(), element.data(), element.size());
    }
    return OkStatus();
  }
  Status CopyToDevice(std::byte* place, std::span<const std::byte> host) override {
    RETURN_IF_ERROR(Call());
    bytes_to_device += host.size();
    std::memcpy(place, host.data(), host.size());
    return OkStatus();
  }
  Status CopyToHost(std::span<std::byte> host, const std::byte* place) override {
    RETURN_IF_ERROR(Call());
    bytes_to_host += host.size();
    std::memcpy(host.data(), place, host.size());
    return OkStatus();
  }
  Status Gather(std::byte* host, const std::byte* place, uint32_t element_bytes,
                std::span<const VertexId> indexes) override {
    RETURN_IF_ERROR(Call());
    bytes_to_host += indexes.size() * element_bytes;
    for (const VertexId index : indexes) {
      std::memcpy(host, place + uint64_t{index} * element_bytes, element_bytes);
      host += element_bytes;
    }
    return OkStatus();
  }
  Status CopyMembersToHost(std::byte* host, const std::byte* place, uint32_t element_bytes,
                           const IndexSet& members) override {
    return CopyMembers(host, place, element_bytes, members, &bytes_to_host);
  }
  Status CopyMembersToDevice(std::byte* place, const std::byte* host, uint32_t element_bytes,
                             const IndexSet& members) override {
    return CopyMembers(place, host, element_bytes, members, &bytes_to_device);
  }

  bool Reaches(const ArrayHome& other) const override {
    return reaches && dynamic_cast<const FakeHome*>(&other) != nullptr;
  }
  Status CopyFrom(ArrayHome& other, const std::byte* from, std::byte* place,
                  uint64_t bytes) override {
    RETURN_IF_ERROR(Call());
    EXPECT_TRUE(Reaches(other));
    bytes_from_others += bytes;
    std::memcpy(place, from, bytes);
    return OkStatus();
  }

  uint64_t calls() const { return calls_; }
  /// The bytes copied to the device since the last call of this function.
  uint64_t DrainBytesToDevice() { return std::exchange(bytes_to_device, 0); }
  uint64_t DrainBytesToHost() { return std::exchange(bytes_to_host, 0); }

  uint64_t fills = 0;
  uint64_t bytes_to_device = 0;
  uint64_t bytes_to_host = 0;
  bool reaches = false;  // the memories of other such homes
  uint64_t bytes_from_others = 0;

 private:
  Status CopyMembers(std::byte* to, const std::byte* from, uint32_t element_bytes,
                     const IndexSet& members, uint64_t* bytes) {
    RETURN_IF_ERROR(Call());
    for (uint64_t i = members.begin; i < members.end; ++i) {
      if ((members.words[i / 64] >> i % 64 & 1) == 0) continue;
      std::memcpy(to + i * element_bytes, from + i * element_bytes, element_bytes);
      *bytes += element_bytes;
    }
    return OkStatus();
  }
  Status Call() { return fail_call_ == calls_++ ? GpuError(kError) : OkStatus(); }

  const std::optional<uint64_t> fail_call_;
  uint64_t calls_ = 0;
};

/// A State with copies of its arrays in a FakeHome.
template <typename S>
class CopiedState {
 public:
  explicit CopiedState(uint64_t num_vertices, FirstElements first = FirstElements::kZeros,
                       std::optional<uint64_t> fail_call = {})
      : home(fail_call), state(num_vertices, 1), copies_(state) {
    EXPECT_TRUE(state.Allocate(budget_).ok());
    copies_.Plan(&arena);
    arena.Allocate();
    begun = copies_.Begin(home, first);
  }

 private:
  MemoryBudget budget_{uint64_t{256} << 20};

 public:
  FakeArena arena;
  FakeHome home;
  S state;
  Status begun;

 private:
  StateCopies copies_;
};

}  // namespace edgemill

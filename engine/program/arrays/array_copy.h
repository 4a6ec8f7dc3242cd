// An array of a State in several memories, the host's and others: which memories have its current
// elements, and what must be copied before one of them reads or writes these.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "common/check.h"
#include "common/types.h"
#include "engine/device/array_home.h"

namespace edgemill {

/// The number of a memory of a State's arrays: the host's is 0, others count from 1.
using MemoryId = uint32_t;
inline constexpr MemoryId kHostMemory = 0;
inline constexpr MemoryId kFirstOtherMemory = 1;

/// A set of memories, one bit for each.
class MemorySet {
 public:
  static constexpr MemoryId kMaxMemories = 32;

  constexpr MemorySet() = default;
  constexpr explicit MemorySet(MemoryId memory) : bits_(uint32_t{1} << memory) {}
  constexpr bool has(MemoryId memory) const { return (bits_ >> memory & 1) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  /// The first memory of a set that is not empty.
  constexpr MemoryId first() const { return static_cast<MemoryId>(std::countr_zero(bits_)); }
  constexpr MemorySet operator|(MemorySet other) const {
    MemorySet both;
    both.bits_ = bits_ | other.bits_;
    return both;
  }
  bool operator==(const MemorySet&) const = default;

 private:
  uint32_t bits_ = 0;
};

/// What is about to be done with an array in one memory. kWrite: some elements are written, and the
/// others stay. kReplace: all elements are written, and none is read before.
enum class ElementUse : uint8_t { kRead, kWrite, kReplace };

/// What must be copied before a use, and which memories have the current elements afterwards.
struct ElementStep {
  bool to_host = false;  // from the first memory that has them
  bool from_host = false;
  MemorySet next;
  bool operator==(const ElementStep&) const = default;
};

/// The step before `use` in `memory`. `now`: the memories that have the elements. Elements move
/// from one other memory to another through the host's, unless one home reaches the other.
constexpr ElementStep StepOf(MemorySet now, ElementUse use, MemoryId memory) {
  ElementStep step;
  step.next = MemorySet(memory);
  if (use == ElementUse::kReplace) return step;
  const bool lacks = !now.has(memory);
  step.to_host = lacks && !now.has(kHostMemory);
  step.from_host = lacks && memory != kHostMemory;
  if (use == ElementUse::kWrite) return step;
  step.next = now | MemorySet(memory);
  if (step.to_host) step.next = step.next | MemorySet(kHostMemory);
  return step;
}

/// The place of the array in another memory: the home, and the address there.
struct ArrayPlace {
  ArrayHome* home = nullptr;
  std::byte* address = nullptr;
};

/// The memories of one array. Not thread-safe, with one exception: where a memory has the elements
/// already, many threads may read them there at the same time.
class ArrayCopy {
 public:
  /// `host` is the array's memory, where its elements are current. `places`: one for each other
  /// memory, from kFirstOtherMemory on. Their homes must outlive this, and so must `all`, the
  /// copies of all arrays of the State.
  ArrayCopy(std::span<std::byte> host, std::vector<ArrayPlace> places, std::vector<ArrayCopy>& all)
      : host_(host), places_(std::move(places)), all_(all) {
    CHECK(!places_.empty());
    CHECK_LE(num_memories(), MemorySet::kMaxMemories);  // a bit each
  }

  /// The memories that have the current elements.
  MemorySet current() const { return current_; }
  MemoryId num_memories() const {
    return static_cast<MemoryId>(kFirstOtherMemory + places_.size());
  }
  /// The home of a memory that is not the host's.
  ArrayHome& home(MemoryId memory) const { return *PlaceIn(memory).home; }
  std::span<std::byte> host() const { return host_; }
  /// The array that has the address `host`; null where no array has it. It need not be this array:
  /// views keep their memory when arrays are swapped.
  ArrayCopy* Find(const void* host);
  /// The address in `memory` that corresponds to `host`, an address in the array.
  std::byte* PlaceOf(const void* host, MemoryId memory) const {
    return PlaceIn(memory).address + (static_cast<const std::byte*>(host) - host_.data());
  }
  /// The first error that one of the homes keeps.
  Status status() const;

  /// Copies what must be copied before `use` in `memory`. After an error, the same memories have
  /// the current elements as before, and the home keeps the error too.
  Status Prepare(ElementUse use, MemoryId memory);
  /// Notes that exactly `memories` have the current elements: something else has written there.
  void NoteCurrentIn(std::span<const MemoryId> memories) {
    MemorySet current;
    for (const MemoryId memory : memories) current = current | MemorySet(memory);
    current_ = current;
  }
  /// Prepare for accessors, which work on the host and cannot return the error.
  void PrepareOnHost(ElementUse use) { (void)Prepare(use, kHostMemory); }

  // For accessors of arrays that need only some elements. The home keeps errors.
  /// Sets all elements, `count` of them, in the other memories. An element has 1 to 16 bytes.
  void Fill(std::span<const std::byte> element, uint64_t count);
  void Set(uint64_t index, std::span<const std::byte> element);
  /// `elements` has space for one element for each index.
  void Get(std::span<const VertexId> indexes, std::span<std::byte> elements) const;
  void Get(uint64_t index, std::span<std::byte> element) const;

 private:
  /// Copies the elements to `memory`, if it lacks them, from another one that it reaches.
  Status CopyWithoutHost(MemoryId memory);
  bool Holds(const void* host) const {
    return std::less_equal<>()(host_.data(), host) &&
           std::less<>()(host, host_.data() + host_.size());
  }

  const ArrayPlace& PlaceIn(MemoryId memory) const {
    CHECK(memory >= kFirstOtherMemory && memory < num_memories());
    return places_[memory - kFirstOtherMemory];
  }

  const std::span<std::byte> host_;
  const std::vector<ArrayPlace> places_;
  std::vector<ArrayCopy>& all_;
  MemorySet current_{kHostMemory};
};

}  // namespace edgemill

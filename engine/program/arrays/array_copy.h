// An array of a State in two memories, the host's and a card's: which of them has its elements, and
// what has to move before either is read or written.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "common/types.h"
#include "engine/device/array_home.h"

namespace edgemill {

/// Which memory holds the elements as they are now.
enum class ElementsAt : uint8_t { kHost, kBoth, kDevice };
/// What is about to be done with an array. To write is to write some elements in their place; to
/// replace is to write all, without a look at what was there.
enum class ElementUse : uint8_t {
  kReadOnHost,
  kWriteOnHost,
  kReadOnDevice,
  kWriteOnDevice,
  kReplaceOnDevice,
  kReplaceOnHost,
};
/// What must be copied before that.
enum class ElementMove : uint8_t { kNone, kToHost, kToDevice };

struct ElementStep {
  ElementMove move = ElementMove::kNone;
  ElementsAt next = ElementsAt::kHost;
  bool operator==(const ElementStep&) const = default;
};

/// The table of transitions.
constexpr ElementStep StepOf(ElementsAt now, ElementUse use) {
  using enum ElementMove;
  using enum ElementsAt;
  constexpr std::array<std::array<ElementStep, 6>, 3> kSteps = {{
      // read on host, write on host, read on device, write on device, replace on device, on host
      {{{kNone, kHost},
        {kNone, kHost},
        {kToDevice, kBoth},
        {kToDevice, kDevice},
        {kNone, kDevice},
        {kNone, kHost}}},
      {{{kNone, kBoth},
        {kNone, kHost},
        {kNone, kBoth},
        {kNone, kDevice},
        {kNone, kDevice},
        {kNone, kHost}}},
      {{{kToHost, kBoth},
        {kToHost, kHost},
        {kNone, kDevice},
        {kNone, kDevice},
        {kNone, kDevice},
        {kNone, kHost}}},
  }};
  return kSteps[static_cast<size_t>(now)][static_cast<size_t>(use)];
}

/// The memories of one array. Not thread-safe; but where the host has the elements already, threads
/// may ask for them at once.
class ArrayCopy {
 public:
  /// `host` is the array's memory; its elements are current there. `home`, and `all`, the copies of
  /// all arrays of the State, must outlive this.
  ArrayCopy(ArrayHome& home, std::span<std::byte> host, std::byte* place,
            std::vector<ArrayCopy>& all)
      : home_(home), host_(host), place_(place), all_(all) {}

  ElementsAt elements_at() const { return at_; }
  ArrayHome& home() const { return home_; }
  std::span<std::byte> host() const { return host_; }
  /// Of which array `host`, an address on the host, is: not always of this, since views keep their
  /// memory when arrays are swapped. Null where it is of none.
  ArrayCopy* Find(const void* host);
  /// The place on the device of what is at `host`, an address in the array.
  std::byte* PlaceOf(const void* host) const {
    return place_ + (static_cast<const std::byte*>(host) - host_.data());
  }

  /// Copies what must be copied first. After an error the elements are where they were, and the
  /// home keeps the error too.
  Status Prepare(ElementUse use);
  /// The same of accessors, which cannot return the error.
  void Use(ElementUse use) { (void)Prepare(use); }

  // For accessors of arrays: a few elements alone. The home keeps errors.
  /// Sets `count` elements, which are all, on the device. 1 to 16 bytes.
  void Fill(std::span<const std::byte> element, uint64_t count);
  void Set(uint64_t index, std::span<const std::byte> element);
  /// `elements` is room for as many elements as there are indexes.
  void Get(std::span<const VertexId> indexes, std::span<std::byte> elements) const;
  void Get(uint64_t index, std::span<std::byte> element) const;

 private:
  bool Holds(const void* host) const {
    return std::less_equal<>()(host_.data(), host) &&
           std::less<>()(host, host_.data() + host_.size());
  }

  ArrayHome& home_;
  const std::span<std::byte> host_;
  std::byte* const place_;
  std::vector<ArrayCopy>& all_;
  ElementsAt at_ = ElementsAt::kHost;
};

}  // namespace edgemill

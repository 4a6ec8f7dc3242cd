// Another memory for the arrays of a State: that of a GPU, or of a test. Includes no CUDA header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/check.h"
#include "common/status.h"
#include "common/types.h"

namespace edgemill {

/// A set of indexes in [begin, end). It has index i if bit i % 64 of words[i / 64] is set.
struct IndexSet {
  std::span<const uint64_t> words;
  uint64_t begin = 0;
  uint64_t end = 0;

  /// Returns the word after the last one with bits of [begin, end).
  uint64_t end_word() const { return (end + 63) / 64; }
  /// Returns the members in word `word`, without bits outside [begin, end).
  uint64_t BitsOf(uint64_t word) const {
    uint64_t bits = words[word];
    if (word == begin / 64) bits &= ~uint64_t{0} << begin % 64;
    if (word == end / 64) bits &= (uint64_t{1} << end % 64) - 1;
    return bits;
  }
};

/// Moves the elements of arrays between the host and places in another memory. A place is an
/// address there, which the host must not follow. All calls, and the kernels between them, take
/// effect in the order in which they are made. When a call returns, its host memory may be read
/// and written again. One thread calls.
class ArrayHome {
 public:
  ArrayHome() = default;
  virtual ~ArrayHome() = default;
  ArrayHome(const ArrayHome&) = delete;
  ArrayHome& operator=(const ArrayHome&) = delete;

  /// The most bytes of an element of Fill.
  static constexpr size_t kMaxFillBytes = 16;
  /// Writes `count` copies of `element`, of 1 to 16 bytes, one after the other. May return before
  /// the copies are written.
  virtual Status Fill(std::byte* place, std::span<const std::byte> element, uint64_t count) = 0;
  virtual Status CopyToDevice(std::byte* place, std::span<const std::byte> host) = 0;
  virtual Status CopyToHost(std::span<std::byte> host, const std::byte* place) = 0;
  /// Copies elements of `element_bytes` each from the array at `place` to `host`. Element k of
  /// `host` gets element indexes[k] of the array.
  virtual Status Gather(std::byte* host, const std::byte* place, uint32_t element_bytes,
                        std::span<const VertexId> indexes) = 0;
  /// Copies the elements with indexes in `members` to the same indexes in the other memory. `host`
  /// and `place` point to the array's first element. An element has at most 512 bytes.
  virtual Status CopyMembersToHost(std::byte* host, const std::byte* place, uint32_t element_bytes,
                                   const IndexSet& members) = 0;
  virtual Status CopyMembersToDevice(std::byte* place, const std::byte* host,
                                     uint32_t element_bytes, const IndexSet& members) = 0;

  /// Prepares `host`, memory of an array, for faster copies, if that helps in this home. Copies of
  /// the whole array will follow. It stays prepared until this object is destroyed.
  virtual Status Prepare(std::span<std::byte> host) {
    static_cast<void>(host);
    return OkStatus();
  }

  /// Copies `bytes` from `from`, a place in the home `other`, without the host. Takes effect in the
  /// order of the calls to both homes. May return before the bytes are copied. Call it only where
  /// Reaches(other).
  virtual Status CopyFrom(ArrayHome& other, const std::byte* from, std::byte* place,
                          uint64_t bytes) {
    static_cast<void>(from), static_cast<void>(place), static_cast<void>(bytes);
    CHECK(Reaches(other));
    return OkStatus();
  }
  /// The same for those of `count` elements, of `element_bytes` each, whose bits are set in
  /// `words`, a set in the other home. Call it only where Sees(other).
  struct Elements {
    const std::byte* from;
    std::byte* place;
    uint32_t element_bytes;
    const uint32_t* words;
    uint64_t count;
  };
  virtual Status CopyMembersFrom(ArrayHome& other, const Elements& elements) {
    static_cast<void>(elements);
    CHECK(Sees(other));
    return OkStatus();
  }
  /// Whether this home's memory and that of `other` are in reach of each other.
  virtual bool Sees(const ArrayHome& other) const {
    static_cast<void>(other);
    return false;
  }
  /// Whether bytes of `other` can come to this home without the host.
  virtual bool Reaches(const ArrayHome& other) const {
    static_cast<void>(other);
    return false;
  }

  /// The first error of an accessor of an array, which cannot return a Status.
  const Status& status() const { return status_; }
  void RecordError(const Status& status) {
    if (status_.ok()) status_ = status;
  }

 private:
  Status status_;
};

}  // namespace edgemill

// Another memory for the arrays of a State: a GPU's, or a test's. No CUDA header is needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/status.h"
#include "common/types.h"

namespace edgemill {

/// Indexes in [begin, end): i is in where bit i % 64 of words[i / 64] is set.
struct IndexSet {
  std::span<const uint64_t> words;
  uint64_t begin = 0;
  uint64_t end = 0;

  /// One past the last word with some of them.
  uint64_t end_word() const { return (end + 63) / 64; }
  /// Which of the indexes of word `word`, one with some of [begin, end), are in.
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

  /// What an element of Fill has at most.
  static constexpr size_t kMaxFillBytes = 16;
  /// Writes `count` copies of `element`, of 1 to 16 bytes, one after the other. Need not wait.
  virtual Status Fill(std::byte* place, std::span<const std::byte> element, uint64_t count) = 0;
  virtual Status CopyToDevice(std::byte* place, std::span<const std::byte> host) = 0;
  virtual Status CopyToHost(std::span<std::byte> host, const std::byte* place) = 0;
  /// Copies those of the elements at `place`, of `element_bytes` each, that have these indexes: in
  /// their order to `host`, which has indexes.size() elements.
  virtual Status Gather(std::byte* host, const std::byte* place, uint32_t element_bytes,
                        std::span<const VertexId> indexes) = 0;
  /// Copies those elements of an array that `members` has, to the same indexes of the other memory.
  /// `host` and `place`: of the array's first element, of 512 bytes at most.
  virtual Status CopyMembersToHost(std::byte* host, const std::byte* place, uint32_t element_bytes,
                                   const IndexSet& members) = 0;
  virtual Status CopyMembersToDevice(std::byte* place, const std::byte* host,
                                     uint32_t element_bytes, const IndexSet& members) = 0;

  /// `host`, memory of an array, will be copied as a whole: where that is faster from prepared
  /// memory, prepares it, for as long as this lives.
  virtual Status Prepare(std::span<std::byte> host) {
    static_cast<void>(host);
    return OkStatus();
  }

  /// The first error of what could not return it: the accessors of arrays.
  const Status& status() const { return status_; }
  void RecordError(const Status& status) {
    if (status_.ok()) status_ = status;
  }

 private:
  Status status_;
};

}  // namespace edgemill

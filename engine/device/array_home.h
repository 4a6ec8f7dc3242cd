// A second memory for the arrays of a State: a card's, or a test's. No CUDA header is needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/status.h"
#include "common/types.h"

namespace edgemill {

/// Moves the elements of arrays between the host and places in a second memory. A place is an
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
  static constexpr size_t kMostFillBytes = 16;
  /// Writes `count` copies of `element`, of 1 to 16 bytes, one after the other. Need not wait.
  virtual Status Fill(std::byte* place, std::span<const std::byte> element, uint64_t count) = 0;
  virtual Status CopyToDevice(std::byte* place, std::span<const std::byte> host) = 0;
  virtual Status CopyToHost(std::span<std::byte> host, const std::byte* place) = 0;
  /// Copies those of the elements at `place`, of `element_bytes` each, that have these indexes: in
  /// their order to `host`, which has indexes.size() elements.
  virtual Status Gather(std::byte* host, const std::byte* place, uint32_t element_bytes,
                        std::span<const VertexId> indexes) = 0;
  /// The other way: elements at `host`, in the order of the indexes, which rise. As this does it, a
  /// copy a stretch of indexes.
  virtual Status Scatter(std::byte* place, uint32_t element_bytes,
                         std::span<const VertexId> indexes, const std::byte* host) {
    for (size_t i = 0; i < indexes.size();) {
      size_t end = i + 1;
      while (end < indexes.size() && indexes[end] == indexes[end - 1] + 1) ++end;
      RETURN_IF_ERROR(CopyToDevice(place + uint64_t{indexes[i]} * element_bytes,
                                   {host + i * element_bytes, (end - i) * element_bytes}));
      i = end;
    }
    return OkStatus();
  }

  /// `host`, memory of an array, will be copied as a whole: where that is faster from prepared
  /// memory, prepares it, for as long as this lives.
  virtual Status Prepare(std::span<std::byte> host) {
    static_cast<void>(host);
    return OkStatus();
  }

  /// The first error of what could not return it: the accessors of arrays.
  const Status& status() const { return status_; }
  void Keep(const Status& status) {
    if (status_.ok()) status_ = status;
  }

 private:
  Status status_;
};

}  // namespace edgemill

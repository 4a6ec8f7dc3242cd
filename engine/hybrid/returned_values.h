// Values of touched vertices on their way from their owner's copy of the state to the other.
#pragma once

#include <bit>
#include <span>
#include <vector>

#include "common/memory_budget.h"
#include "engine/hybrid/both_copies.h"

namespace edgemill {

/// Which way values go.
enum class ReturnTo : uint8_t { kHost, kPlace };

/// Returns values of Views, element by element, or a whole range where that is fewer bytes. One
/// thread uses it.
class ReturnedValues {
 public:
  static uint64_t SizeBytes() { return kWindow * (sizeof(VertexId) + kMostElementBytes); }
  explicit ReturnedValues(int threads) : threads_(threads) {}

  /// Of the vertices in [begin, end), those whose bits in `touched` are set; all, without.
  Status Return(ReturnTo to, std::span<const OwnElements> views, std::span<const uint64_t> touched,
                uint64_t begin, uint64_t end);
  /// Bytes so far: ids and values.
  uint64_t bytes() const { return bytes_; }

 private:
  static constexpr uint64_t kWindow = uint64_t{1} << 16;  // vertices at a time
  static constexpr uint64_t kMostElementBytes = 16;       // of larger ones, fewer at a time

  Status ReturnRange(ReturnTo to, const OwnElements& view, uint64_t begin, uint64_t end);
  Status ReturnSome(ReturnTo to, const OwnElements& view, std::span<const VertexId> vertices);

  const int threads_;
  std::vector<VertexId> vertices_;
  std::vector<std::byte> elements_;
  uint64_t bytes_ = 0;
};

}  // namespace edgemill

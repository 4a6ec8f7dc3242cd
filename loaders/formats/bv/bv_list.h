// One list of a BV graph: parts of an earlier list, intervals, and what is left.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "loaders/formats/bv/bit_reader.h"
#include "loaders/formats/bv/bv_shape.h"

namespace edgemill {

/// A list may have so many neighbours: it is in memory as a whole.
inline constexpr uint64_t kMaxBvList = uint64_t{1} << 24;

/// Reads lists in the order of their vertices. Not thread-safe. Its functions return what is wrong
/// with the list; empty: nothing. The reader then stands behind the list.
class BvListReader {
 public:
  explicit BvListReader(const BvShape& shape) : shape_(shape) {}

  /// Reads the front of the list of `vertex`: its length, and which earlier list it refers to.
  std::string_view ReadFront(BitReader& bits, uint64_t vertex);
  uint64_t degree() const { return degree_; }
  /// How many vertices before this one the earlier list is. 0: the list refers to none.
  uint64_t reference() const { return reference_; }

  /// Reads the rest. `referred` is the earlier list. Appends the neighbours, which rise, to `list`.
  std::string_view ReadRest(BitReader& bits, std::span<const uint64_t> referred,
                            std::vector<uint64_t>* list);
  /// Passes over the rest. `referred_degree` is the length of the earlier list.
  std::string_view SkipRest(BitReader& bits, uint64_t referred_degree);

 private:
  struct Interval {
    uint64_t begin, end;
  };

  /// Reads all but the residuals.
  std::string_view ReadParts(BitReader& bits, uint64_t referred_degree);
  std::string_view ReadBlocks(BitReader& bits, uint64_t referred_degree);
  std::string_view ReadIntervals(BitReader& bits);
  std::string_view ReadResiduals(BitReader& bits);
  std::string_view Merge(std::span<const uint64_t> referred, std::vector<uint64_t>* list) const;

  const BvShape& shape_;
  uint64_t vertex_ = 0;
  uint64_t degree_ = 0;
  uint64_t reference_ = 0;
  uint64_t num_residuals_ = 0;
  std::vector<Interval> copied_;     // places in the earlier list
  std::vector<Interval> intervals_;  // of vertices
  std::vector<uint64_t> residuals_;
};

}  // namespace edgemill

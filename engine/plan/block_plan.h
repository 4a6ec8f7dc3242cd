// The blocks that an iteration needs: only those with edges of the vertices that it works on.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "common/check.h"
#include "common/types.h"
#include "engine/graph/vertex_index.h"
#include "kernels/portable_atomics.h"

namespace edgemill {

/// A range of block numbers.
struct BlockRange {
  uint64_t begin = 0;
  uint64_t end = 0;
  uint64_t size() const { return end - begin; }
  bool operator==(const BlockRange&) const = default;
};

/// A set of block numbers of one direction, filled by many threads.
class BlockPlan {
 public:
  /// `block_edges` is a power of two.
  BlockPlan(uint64_t num_blocks, uint32_t block_edges)
      : words_((num_blocks + 63) / 64), shift_(std::countr_zero(block_edges)) {
    CHECK(std::has_single_bit(block_edges));
  }

  /// Adds the blocks of the edges [first, last). Thread-safe.
  void AddEdges(EdgeIndex first, EdgeIndex last) {
    if (first == last) return;
    for (uint64_t block = first >> shift_; block <= (last - 1) >> shift_; ++block) {
      AtomicSetBit(words_.data(), block);
    }
  }
  uint64_t BlockOf(EdgeIndex edge) const { return edge >> shift_; }
  /// Calls `visit(block)` for each block of the set that lies in [begin, end), in rising order.
  template <typename Visitor>
  void Visit(Visitor visit, uint64_t begin = 0, uint64_t end = ~uint64_t{0}) const {
    for (uint64_t word = begin / 64; word < words_.size() && word * 64 < end; ++word) {
      uint64_t bits = words_[word];
      if (word == begin / 64) bits &= ~uint64_t{0} << begin % 64;
      for (; bits != 0; bits &= bits - 1) {
        const uint64_t block = word * 64 + static_cast<uint64_t>(std::countr_zero(bits));
        if (block >= end) return;
        visit(block);
      }
    }
  }
  /// The blocks of the set that lie in [begin, end), in rising order.
  std::vector<uint64_t> Blocks(uint64_t begin = 0, uint64_t end = ~uint64_t{0}) const {
    size_t count = 0;
    Visit([&](uint64_t) { ++count; }, begin, end);
    std::vector<uint64_t> blocks;
    blocks.reserve(count);
    Visit([&](uint64_t block) { blocks.push_back(block); }, begin, end);
    return blocks;
  }

 private:
  std::vector<uint64_t> words_;
  int shift_;
};

}  // namespace edgemill

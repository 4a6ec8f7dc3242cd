// Which blocks an iteration needs: those that hold edges of the vertices that matter, and no
// others.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "common/types.h"
#include "engine/vertex_index.h"
#include "kernels/device.h"

namespace edgemill {

/// A set of block numbers of one direction, filled by many threads.
class BlockPlan {
 public:
  /// `block_edges` is a power of two.
  BlockPlan(uint64_t num_blocks, uint32_t block_edges)
      : words_((num_blocks + 63) / 64), shift_(std::countr_zero(block_edges)) {}

  /// Adds the blocks of the edges [first, last). Thread-safe.
  void AddEdges(EdgeIndex first, EdgeIndex last) {
    if (first == last) return;
    for (uint64_t block = first >> shift_; block <= (last - 1) >> shift_; ++block) {
      AtomicSetBit(words_.data(), block);
    }
  }
  uint64_t BlockOf(EdgeIndex edge) const { return edge >> shift_; }
  /// Calls `visit(block)` for each block, rising.
  template <typename Visitor>
  void Visit(Visitor visit) const {
    for (size_t word = 0; word < words_.size(); ++word) {
      for (uint64_t bits = words_[word]; bits != 0; bits &= bits - 1) {
        visit(word * 64 + static_cast<uint64_t>(std::countr_zero(bits)));
      }
    }
  }
  /// The blocks, rising.
  std::vector<uint64_t> Blocks() const {
    size_t count = 0;
    for (const uint64_t word : words_) count += static_cast<size_t>(std::popcount(word));
    std::vector<uint64_t> blocks;
    blocks.reserve(count);
    Visit([&](uint64_t block) { blocks.push_back(block); });
    return blocks;
  }

 private:
  std::vector<uint64_t> words_;
  int shift_;
};

}  // namespace edgemill

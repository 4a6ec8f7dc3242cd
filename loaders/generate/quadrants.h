// Edges of Kronecker and R-MAT graphs, by GAP's random stream.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "loaders/generate/mt19937.h"
#include "loaders/source/edge_source.h"

namespace edgemill {

/// Where the quadrants of an adjacency matrix end among the numbers drawn.
struct QuadrantEnds {
  uint32_t a;
  uint32_t ab;
  uint32_t abc;
};

/// Draws quadrants of an adjacency matrix, one from each number of a Mersenne Twister.
class QuadrantStream {
 public:
  QuadrantStream(uint32_t seed, const QuadrantEnds& ends) : random_(seed), ends_(ends) {}

  /// Each edge is at the end of `scale` quadrants, 0 to 31, each a quarter of the one before. About
  /// 8 ns an edge of scale 25 in vectors of 64 bytes.
  void Draw(int scale, std::span<NarrowEdge> edges);

 private:
  /// Bits of which the first drawn is the highest, so that an edge's are a number.
  using Bits = std::array<uint8_t, Mt19937::kBatch / 8 + 8>;
  void Refill();

  Mt19937 random_;
  const QuadrantEnds ends_;
  /// The lowest num_left_ bits are drawn and not used.
  Bits source_bits_{};
  Bits target_bits_{};
  size_t num_left_ = 0;
};

/// A bijection of `bits`-bit numbers, 0 to 31: multiplications by odd numbers and shifts, each of
/// them invertible.
class LabelShuffle {
 public:
  LabelShuffle(int bits, uint64_t seed);
  /// Puts new labels in the place of those of `edges`.
  void Apply(std::span<NarrowEdge> edges) const;

  static constexpr int kRounds = 3;
  struct Round {
    uint32_t multiplier;
    uint32_t increment;
  };

 private:
  uint32_t mask_;
  int shift_;
  std::array<Round, kRounds> rounds_;
};

}  // namespace edgemill

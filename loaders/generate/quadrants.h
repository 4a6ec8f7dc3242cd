// Edges of Kronecker and R-MAT graphs, by GAP's random stream.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "loaders/generate/mt19937.h"
#include "loaders/source/edge_source.h"

namespace edgemill {

/// The borders between the quadrants of an adjacency matrix, in the range of drawn numbers.
struct QuadrantEnds {
  uint32_t a;
  uint32_t ab;
  uint32_t abc;
};

/// Draws quadrants of an adjacency matrix, one from each number of a Mersenne Twister.
class QuadrantStream {
 public:
  QuadrantStream(uint32_t seed, const QuadrantEnds& ends) : random_(seed), ends_(ends) {}

  /// Draws each edge by `scale` quadrants (0 to 31), each a quarter of the previous one. An edge of
  /// scale 25 takes about 8 ns, with vectors of 64 bytes.
  void Draw(int scale, std::span<NarrowEdge> edges);

 private:
  /// The bit that is drawn first is the highest, so that the bits of an edge are its id.
  using Bits = std::array<uint8_t, Mt19937::kBatch / 8 + 8>;
  void Refill();

  Mt19937 random_;
  const QuadrantEnds ends_;
  /// The lowest num_left_ bits are drawn, but not used yet.
  Bits source_bits_{};
  Bits target_bits_{};
  size_t num_left_ = 0;
};

/// A bijection of numbers of `bits` bits (0 to 31). Its steps, such as multiplications by odd
/// numbers, are all invertible.
class LabelShuffle {
 public:
  LabelShuffle(int bits, uint64_t seed);
  /// Replaces the labels of `edges` by their new ones.
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

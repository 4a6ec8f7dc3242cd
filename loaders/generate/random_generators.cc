// Kronecker, R-MAT and uniform graphs: independent edges from GAP's random streams.
#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "common/mt19937.h"
#include "common/random.h"
#include "loaders/generate/generator_source.h"

namespace edgemill {
namespace {

/// Edges drawn from one seed: GAP's block (GAPBS, generator.h), so that its graphs come out the
/// same.
constexpr uint64_t kBlockEdges = uint64_t{1} << 18;

/// A bijection of `bits`-bit numbers: multiplications by odd numbers and shifts, each of them
/// invertible.
class LabelShuffle {
 public:
  LabelShuffle(int bits, uint64_t seed)
      : mask_((uint64_t{1} << bits) - 1), shift_(std::max(1, bits / 2)) {
    for (int i = 0; i < 3; ++i) {
      multiplier_[i] = Mix64(seed + 2 * static_cast<uint64_t>(i)) | 1;
      increment_[i] = Mix64(seed + 2 * static_cast<uint64_t>(i) + 1);
    }
  }
  uint32_t operator()(uint64_t x) const {
    for (int i = 0; i < 3; ++i) {
      x = (x * multiplier_[i] + increment_[i]) & mask_;
      x ^= x >> shift_;
    }
    return static_cast<uint32_t>(x);
  }

 private:
  uint64_t mask_;
  int shift_;
  uint64_t multiplier_[3];
  uint64_t increment_[3];
};

/// The seed of block `number`, by GAP's rule.
uint32_t BlockSeed(uint64_t seed, uint64_t number) { return static_cast<uint32_t>(seed + number); }

/// Where the quadrants of an adjacency matrix end among the numbers drawn.
struct QuadrantEnds {
  uint32_t a;
  uint32_t ab;
  uint32_t abc;
};

/// Draws quadrants of an adjacency matrix, one from each random number.
class QuadrantStream {
 public:
  QuadrantStream(uint32_t seed, const QuadrantEnds& ends) : random_(seed), ends_(ends) {}

  /// The edge at the end of `scale` quadrants, each a quarter of the one before. Without branches
  /// on what was drawn: half of them would be mispredicted.
  NarrowEdge Next(size_t scale) {
    if (end_ - next_ < scale) Refill();
    NarrowEdge edge{0, 0};
    for (size_t depth = 0; depth < scale; depth += 8) {
      uint64_t quadrants;
      std::memcpy(&quadrants, &quadrants_[next_ + depth], sizeof(quadrants));
      edge.source = edge.source << 8 | LowestBits(quadrants >> 1);
      edge.target = edge.target << 8 | LowestBits(quadrants);
    }
    next_ += scale;
    // The last eight quadrants may be the next edge's in part.
    const size_t beyond = (8 - scale % 8) % 8;
    return {edge.source >> beyond, edge.target >> beyond};
  }

 private:
  /// The lowest bit of each of eight bytes; the first byte's comes highest. The product shifts each
  /// bit to its place, and no two of its terms meet.
  static uint32_t LowestBits(uint64_t bytes) {
    return static_cast<uint32_t>((bytes & 0x0101010101010101) * 0x8040201008040201 >> 56);
  }

  void Refill() {
    std::memmove(&quadrants_[0], &quadrants_[next_], end_ - next_);
    end_ -= next_;
    next_ = 0;
    std::array<uint32_t, Mt19937::kBatch> points;
    random_.Fill(points);
    const QuadrantEnds ends = ends_;  // a copy, which no byte written can change
    uint8_t* const drawn = &quadrants_[end_];
    for (size_t i = 0; i < points.size(); ++i) {
      const uint32_t point = points[i];
      const uint32_t down = point >= ends.ab;
      const uint32_t right = ((point > ends.a) & (point < ends.ab)) | (point > ends.abc);
      drawn[i] = static_cast<uint8_t>(down << 1 | right);
    }
    end_ += points.size();
  }

  Mt19937 random_;
  const QuadrantEnds ends_;
  /// Drawn and not used: bit 1 is the next bit of the source, bit 0 that of the target. An edge
  /// takes 31 at the most and reads in words of eight.
  std::array<uint8_t, Mt19937::kBatch + 32 + 8> quadrants_{};
  size_t next_ = 0;
  size_t end_ = 0;
};

}  // namespace

GeneratorPlan PlanRmat(int scale, uint64_t num_edges, double a, double b, double c, uint64_t seed,
                       bool shuffle) {
  constexpr double kMax = std::numeric_limits<uint32_t>::max();
  QuadrantEnds ends;
  ends.a = static_cast<uint32_t>(a * kMax);
  ends.ab = ends.a + static_cast<uint32_t>(b * kMax);
  ends.abc = ends.ab + static_cast<uint32_t>(c * kMax);
  const LabelShuffle label(scale, seed);
  GeneratorPlan plan;
  plan.num_vertices = uint64_t{1} << scale;
  plan.expected_edges = num_edges;
  plan.undirected = shuffle;
  plan.num_chunks = (num_edges + kBlockEdges - 1) / kBlockEdges;
  plan.make = [=](uint64_t number, EdgeChunk* chunk) {
    QuadrantStream quadrants(BlockSeed(seed, number), ends);
    const uint64_t count = std::min(kBlockEdges, num_edges - number * kBlockEdges);
    chunk->narrow.resize(count);
    for (NarrowEdge& edge : chunk->narrow) {
      edge = quadrants.Next(static_cast<size_t>(scale));
      if (shuffle) edge = {label(edge.source), label(edge.target)};
    }
  };
  return plan;
}

GeneratorPlan PlanUniform(uint64_t num_vertices, uint64_t num_edges, uint64_t seed) {
  GeneratorPlan plan;
  plan.num_vertices = num_vertices;
  plan.expected_edges = num_edges;
  plan.num_chunks = (num_edges + kBlockEdges - 1) / kBlockEdges;
  plan.make = [=](uint64_t number, EdgeChunk* chunk) {
    Random random(Mix64(seed) + number);
    const uint64_t count = std::min(kBlockEdges, num_edges - number * kBlockEdges);
    chunk->narrow.resize(count);
    for (NarrowEdge& edge : chunk->narrow) {
      edge.source = static_cast<uint32_t>(random.Below(num_vertices));
      edge.target = static_cast<uint32_t>(random.Below(num_vertices));
    }
  };
  return plan;
}

}  // namespace edgemill

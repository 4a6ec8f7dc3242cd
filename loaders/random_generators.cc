// Kronecker, R-MAT and uniform graphs: independent edges from GAP's random streams.
#include <algorithm>
#include <limits>
#include <random>

#include "common/random.h"
#include "loaders/generator_source.h"

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

}  // namespace

GeneratorPlan PlanRmat(int scale, uint64_t num_edges, double a, double b, double c, uint64_t seed,
                       bool shuffle) {
  constexpr double kMax = std::numeric_limits<uint32_t>::max();
  const auto a_end = static_cast<uint32_t>(a * kMax);
  const auto b_share = static_cast<uint32_t>(b * kMax);
  const auto c_share = static_cast<uint32_t>(c * kMax);
  const uint32_t ab_end = a_end + b_share;
  const uint32_t abc_end = ab_end + c_share;
  const LabelShuffle label(scale, seed);
  GeneratorPlan plan;
  plan.num_vertices = uint64_t{1} << scale;
  plan.expected_edges = num_edges;
  plan.undirected = shuffle;
  plan.num_chunks = (num_edges + kBlockEdges - 1) / kBlockEdges;
  plan.make = [=](uint64_t number, EdgeChunk* chunk) {
    std::mt19937 random(BlockSeed(seed, number));
    const uint64_t count = std::min(kBlockEdges, num_edges - number * kBlockEdges);
    chunk->narrow.resize(count);
    for (NarrowEdge& edge : chunk->narrow) {
      uint32_t source = 0, target = 0;
      for (int depth = 0; depth < scale; ++depth) {
        const auto point = static_cast<uint32_t>(random());
        // Without branches: half of them would be mispredicted.
        const uint32_t down = point >= ab_end;
        const uint32_t right = ((point > a_end) & (point < ab_end)) | (point > abc_end);
        source = source << 1 | down;
        target = target << 1 | right;
      }
      edge = shuffle ? NarrowEdge{label(source), label(target)} : NarrowEdge{source, target};
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

// Kronecker, R-MAT and uniform graphs: independent edges from GAP's random streams.
#include <algorithm>
#include <limits>

#include "common/random.h"
#include "loaders/generate/generator_source.h"
#include "loaders/generate/quadrants.h"

namespace edgemill {
namespace {

/// Edges that are drawn from one seed. The number is that of GAP's blocks (GAPBS, generator.h), so
/// that the graphs are the same.
constexpr uint64_t kBlockEdges = uint64_t{1} << 18;

/// The seed of block `number`, by GAP's rule.
uint32_t BlockSeed(uint64_t seed, uint64_t number) { return static_cast<uint32_t>(seed + number); }

}  // namespace

GeneratorPlan PlanRmat(int scale, uint64_t num_edges, const QuadrantChances& chances, uint64_t seed,
                       bool shuffle) {
  constexpr double kMax = std::numeric_limits<uint32_t>::max();
  QuadrantEnds ends;
  ends.a = static_cast<uint32_t>(chances.a * kMax);
  ends.ab = ends.a + static_cast<uint32_t>(chances.b * kMax);
  ends.abc = ends.ab + static_cast<uint32_t>(chances.c * kMax);
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
    quadrants.Draw(scale, chunk->narrow);
    if (shuffle) label.Apply(chunk->narrow);
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

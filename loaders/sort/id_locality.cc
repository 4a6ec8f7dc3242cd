#include "loaders/sort/id_locality.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "common/random.h"
#include "loaders/buckets/bucket_set.h"

namespace edgemill {
namespace {

/// Measured LocalityBits: 0.0 for Kronecker and uniform graphs with shuffled ids; 0.5 for R-MAT in
/// its own order; 3 and more for crawls, roads and grids.
constexpr double kLocalBits = 2;

/// With fewer edges, the vertices fit the caches of a processor in any order.
constexpr size_t kMinEdges = size_t{1} << 16;

/// Sorts `keys`. Returns the mean of log2(1 + length), with the length of LocalityBits.
double MeanBits(std::vector<uint64_t>& keys) {
  std::sort(keys.begin(), keys.end());
  double bits = 0;
  uint64_t before = ~uint64_t{0};
  for (const uint64_t key : keys) {
    const uint64_t source = key >> 32, target = key & 0xffffffff;
    uint64_t gap = source < target ? target - source : source - target;
    if (before >> 32 == source) gap = std::min(gap, key - before);
    bits += std::log2(1 + static_cast<double>(gap));
    before = key;
  }
  return bits / static_cast<double>(keys.size());
}

}  // namespace

double LocalityBits(std::span<const NarrowEdge> edges) {
  edges = edges.first(std::min(edges.size(), kLocalityEdges));
  if (edges.empty()) return 0;
  std::vector<uint64_t> keys, shuffled;
  std::vector<uint32_t> targets;
  for (const NarrowEdge& edge : edges) {
    keys.push_back(EdgeKey(edge.source, edge.target));
    targets.push_back(edge.target);
  }
  Random random(1);
  for (size_t i = targets.size() - 1; i > 0; --i) {
    std::swap(targets[i], targets[random.Below(i + 1)]);
  }
  for (size_t i = 0; i < edges.size(); ++i) {
    shuffled.push_back(EdgeKey(edges[i].source, targets[i]));
  }
  return MeanBits(shuffled) - MeanBits(keys);
}

bool WantsOrderByDegree(std::span<const NarrowEdge> edges) {
  return edges.size() >= kMinEdges && LocalityBits(edges) < kLocalBits;
}

}  // namespace edgemill

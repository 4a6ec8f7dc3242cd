#include <algorithm>
#include <atomic>
#include <map>

#include "bench/plain/plain_algorithms.h"
#include "bench/plain/thread_team.h"
#include "common/random.h"

namespace edgemill::bench {
namespace {

constexpr uint64_t kNeighborRounds = 2;
constexpr int kSamples = 1024;

uint32_t Load(uint32_t* value) {
  return std::atomic_ref<uint32_t>(*value).load(std::memory_order_relaxed);
}

/// Makes the lower of two roots the parent of the other. A parent never has a higher id than its
/// child.
void Link(uint32_t* parent, VertexId a, VertexId b) {
  uint32_t x = Load(&parent[a]);
  uint32_t y = Load(&parent[b]);
  while (x != y) {
    uint32_t high = std::max(x, y);
    const uint32_t low = std::min(x, y);
    const uint32_t above = Load(&parent[high]);
    if (above == low) return;
    if (above == high && std::atomic_ref<uint32_t>(parent[high])
                             .compare_exchange_strong(high, low, std::memory_order_relaxed)) {
      return;
    }
    x = Load(&parent[above]);
    y = low;
  }
}

/// Makes the root of each vertex its parent.
void Compress(ThreadTeam& team, uint32_t* parent, uint64_t size) {
  team.Chunks(size, kVertexGrain, [&](int, uint64_t begin, uint64_t end) {
    for (uint64_t v = begin; v < end; ++v) {
      uint32_t root = Load(&parent[v]);
      for (uint32_t above; (above = Load(&parent[root])) != root;) root = above;
      std::atomic_ref<uint32_t>(parent[v]).store(root, std::memory_order_relaxed);
    }
  });
}

/// The most frequent root in a sample of vertices.
uint32_t LikelyGiant(const uint32_t* parent, uint64_t size) {
  Random random(1);
  std::map<uint32_t, int> counts;
  for (int i = 0; i < kSamples; ++i) ++counts[parent[random.Below(size)]];
  return std::max_element(counts.begin(), counts.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

}  // namespace

StatusOr<PlainValues<uint32_t>> PlainComponents(const PlainCsr& graph, int threads,
                                                MemoryBudget& budget) {
  const uint64_t size = graph.num_vertices();
  ASSIGN_OR_RETURN(auto result, PlainValues<uint32_t>::Allocate(size, budget));
  if (size == 0) return result;
  uint32_t* const parent = result.values.data();
  const PlainLists& out = graph.out();
  ThreadTeam team(threads);
  team.Chunks(size, kVertexGrain, [&](int, uint64_t begin, uint64_t end) {
    for (uint64_t v = begin; v < end; ++v) parent[v] = static_cast<uint32_t>(v);
  });
  for (uint64_t round = 0; round < kNeighborRounds; ++round) {
    team.Chunks(size, kVertexGrain, [&](int, uint64_t begin, uint64_t end) {
      for (uint64_t v = begin; v < end; ++v) {
        const uint64_t edge = out.offsets[v] + round;
        if (edge < out.offsets[v + 1]) Link(parent, static_cast<VertexId>(v), out.neighbors[edge]);
      }
    });
    Compress(team, parent, size);
  }
  const uint32_t giant = LikelyGiant(parent, size);
  team.Chunks(size, kVertexGrain, [&](int, uint64_t begin, uint64_t end) {
    for (uint64_t v = begin; v < end; ++v) {
      if (Load(&parent[v]) == giant) continue;
      const VertexId vertex = static_cast<VertexId>(v);
      for (uint64_t edge = out.offsets[v] + kNeighborRounds; edge < out.offsets[v + 1]; ++edge) {
        Link(parent, vertex, out.neighbors[edge]);
      }
      if (!graph.directed()) continue;
      for (const VertexId u : graph.in().of(vertex)) Link(parent, vertex, u);
    }
  });
  Compress(team, parent, size);
  return result;
}

}  // namespace edgemill::bench

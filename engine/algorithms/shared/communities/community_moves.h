// Moves of vertices between communities, on all threads, with one outcome.
//
// A window of vertices looks at communities as they are, all at the same time, and each vertex
// proposes the move of largest gain. A community then takes proposals in the order of vertices, as
// long as they gain beside those that it has taken. All sums are of whole numbers, so that neither
// threads nor the order of additions change the outcome. Only vertices that are awake look: those
// with a neighbour that moved since they looked last.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <span>

#include "common/threads/parallel.h"
#include "common/types.h"
#include "engine/algorithms/shared/seeded_order.h"
#include "kernels/portable_atomics.h"

namespace edgemill {

/// What communities are measured by, in the units of weights.
struct ModularityRule {
  double resolution = 1;
  uint64_t weight = 0;  // of all arcs and loops: twice that of all edges

  /// By how much expected weight grows with the product of two strengths.
  double ratio() const { return weight == 0 ? 0 : resolution / static_cast<double>(weight); }
  /// The weight that chance would put between a vertex of `strength` and others of the strength
  /// `others` together.
  double Expected(uint64_t strength, double others) const {
    return ratio() * static_cast<double>(strength) * others;
  }
  /// The least gain for which a vertex of `strength` moves: above what rounding can feign.
  double LeastGain(uint64_t strength) const {
    return 1e-12 * (1 + resolution) * static_cast<double>(strength);
  }
  /// Of a community, or a vertex: its share of modularity. `inside` is twice the weight of its
  /// edges.
  double ShareOf(uint64_t inside, uint64_t strength) const {
    if (weight == 0) return 0;
    const double all = static_cast<double>(weight), part = static_cast<double>(strength) / all;
    return static_cast<double>(inside) / all - resolution * part * part;
  }
};

/// What a vertex is about to do: bits.
inline constexpr uint8_t kAwake = 1, kProposes = 2, kAlone = 4, kMoves = 8, kStays = 16;

/// Finds the best move of a vertex, from the weights of its edges to each community, which come in
/// any order.
struct BestMove {
  VertexId own;
  uint64_t strength, seed;
  double ratio, resolution;
  bool alone;  // no other vertex is in its community
  VertexId best = own;
  uint64_t at_home = 0, there = 0;
  double most = 0;

  /// `may_leave(other)`: whether the community is one vertex, of the same window. Of two vertices
  /// that are both alone, only the one whose key is higher may join the other.
  template <typename MayLeave>
  EM_HOST_DEVICE void Look(VertexId other, uint64_t weight, uint64_t total, MayLeave may_leave) {
    if (other == own) {
      at_home = weight;
      return;
    }
    const double gain = static_cast<double>(weight) -
                        ratio * static_cast<double>(strength) * static_cast<double>(total);
    const bool wins = best == own || gain > most ||
                      (gain == most && OrderKey(other, seed) < OrderKey(best, seed));
    if (!wins) return;
    if (alone && OrderKey(other, seed) > OrderKey(own, seed) && may_leave(other)) return;
    best = other;
    most = gain;
    there = weight;
  }
  /// The strength that the best community must be below for the move to gain; 0 if it gains
  /// nowhere. `total` is the strength of the vertex's own community.
  EM_HOST_DEVICE uint64_t Limit(uint64_t total) const {
    if (best == own || strength == 0) return 0;
    const double least = 1e-12 * (1 + resolution) * static_cast<double>(strength);
    const double more = static_cast<double>(static_cast<int64_t>(there - at_home)) - least;
    const double limit =
        static_cast<double>(total - strength) + more / (ratio * static_cast<double>(strength));
    if (!(limit > 0)) return 0;
    return limit < 9e18 ? static_cast<uint64_t>(ceil(limit)) : uint64_t{1} << 63;
  }
};

/// By vertex: label, choice, limit, strength and bits; by community: total strength and size.
struct MoveSpans {
  std::span<VertexId> label, choice;
  std::span<uint64_t> limit;
  std::span<const uint64_t> strength;
  std::span<uint64_t> total;
  std::span<uint32_t> size;
  std::span<uint8_t> bits;
};

inline void SetBits(uint8_t& place, uint8_t bits) {
  if ((LoadRelaxed(&place) & bits) == bits) return;
  std::atomic_ref<uint8_t>(place).fetch_or(bits, std::memory_order_relaxed);
}

/// Takes proposals of the vertices in [begin, end). Afterwards those that moved have kMoves.
/// Returns how many did.
uint64_t TakeProposals(const MoveSpans& spans, VertexId begin, VertexId end, int threads);

}  // namespace edgemill

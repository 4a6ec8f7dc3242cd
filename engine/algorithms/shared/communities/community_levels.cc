// Above 400 lines: moves of one thread, those in rounds, and the levels that they make.
#include "engine/algorithms/shared/communities/community_levels.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "common/threads/parallel.h"
#include "engine/algorithms/shared/communities/group_vertices.h"
#include "engine/algorithms/shared/communities/memory_moves.h"
#include "engine/algorithms/shared/seeded_order.h"
#include "engine/program/union_find.h"

namespace edgemill {
namespace {

constexpr uint64_t kLevelGrain = uint64_t{1} << 14, kListsOfChunk = 256;

/// The weights of a vertex's arcs to each community. One vertex at a time.
class ArcSums {
 public:
  static StatusOr<ArcSums> Of(uint64_t num_communities, ArrayPool& pool) {
    ArcSums sums;
    ASSIGN_OR_RETURN(sums.weight_, CountedArray<uint64_t>::Of(num_communities, pool));
    ASSIGN_OR_RETURN(sums.met_, CountedArray<VertexId>::Unset(num_communities, pool));
    return sums;
  }
  void Add(VertexId community, uint64_t weight) {
    if (weight_[community] == 0) met_[num_met_++] = community;
    weight_[community] += weight;
  }
  uint64_t WeightTo(VertexId community) const { return weight_[community]; }
  std::span<const VertexId> met() const { return met_.span().first(num_met_); }
  void Clear() {
    for (const VertexId community : met()) weight_[community] = 0;
    num_met_ = 0;
  }

 private:
  CountedArray<uint64_t> weight_;
  CountedArray<VertexId> met_;
  uint64_t num_met_ = 0;
};

/// The vertices that may gain by a move, first in, first out. Each is in it once.
class VertexQueue {
 public:
  static StatusOr<VertexQueue> Of(uint64_t num_vertices, uint64_t seed, ArrayPool& pool) {
    VertexQueue queue;
    ASSIGN_OR_RETURN(queue.ring_, CountedArray<VertexId>::Unset(num_vertices, pool));
    ASSIGN_OR_RETURN(queue.waits_, CountedArray<uint8_t>::Unset(num_vertices, pool));
    const std::span<VertexId> order = queue.ring_.span();
    std::iota(order.begin(), order.end(), VertexId{0});
    std::sort(order.begin(), order.end(),
              [seed](VertexId u, VertexId v) { return OrderKey(u, seed) < OrderKey(v, seed); });
    std::fill(queue.waits_.span().begin(), queue.waits_.span().end(), uint8_t{1});
    queue.size_ = num_vertices;
    return queue;
  }
  bool empty() const { return size_ == 0; }
  VertexId Take() {
    const VertexId v = ring_[begin_];
    begin_ = begin_ + 1 < ring_.size() ? begin_ + 1 : 0;
    --size_;
    waits_[v] = 0;
    return v;
  }
  void Add(VertexId v) {
    if (waits_[v] != 0) return;
    waits_[v] = 1;
    const uint64_t end = begin_ + size_++;
    ring_[end < ring_.size() ? end : end - ring_.size()] = v;
  }

 private:
  CountedArray<VertexId> ring_;
  CountedArray<uint8_t> waits_;
  uint64_t begin_ = 0, size_ = 0;
};

/// Moves vertices to neighbouring communities, or out of one to be alone, until none gains.
/// Vertices look again when a neighbour has moved (Traag et al.'s fast local moving).
Status Move(const WeightedGraph& graph, const LevelOptions& options,
            std::span<VertexId> community) {
  const ModularityRule& rule = options.rule;
  ArrayPool& pool = options.pool;
  const uint64_t n = graph.num_vertices();
  ASSIGN_OR_RETURN(auto total, CountedArray<uint64_t>::Of(n, pool));
  ASSIGN_OR_RETURN(auto size, CountedArray<VertexId>::Of(n, pool));
  ASSIGN_OR_RETURN(ArcSums sums, ArcSums::Of(n, pool));
  ASSIGN_OR_RETURN(VertexQueue queue, VertexQueue::Of(n, options.seed, pool));
  for (uint64_t v = 0; v < n; ++v) {
    total[community[v]] += graph.strength[v];
    ++size[community[v]];
  }
  ASSIGN_OR_RETURN(auto empty, CountedArray<VertexId>::Unset(n, pool));  // communities
  uint64_t num_empty = 0;
  for (uint64_t c = 0; c < n; ++c) {
    if (size[c] == 0) empty[num_empty++] = static_cast<VertexId>(c);
  }
  for (uint64_t looks = 0; !queue.empty(); ++looks) {
    RETURN_IF_ERROR(CheckCancelledAt(looks));
    const VertexId v = queue.Take(), own = community[v];
    const uint64_t strength = graph.strength[v];
    graph.ForEachArc(v, [&](VertexId to, uint64_t weight) { sums.Add(community[to], weight); });
    total[own] -= strength;
    const auto gain = [&](VertexId c) {
      return static_cast<double>(sums.WeightTo(c)) -
             rule.Expected(strength, static_cast<double>(total[c]));
    };
    VertexId best = own;
    double most = gain(own) + rule.LeastGain(strength);
    for (const VertexId c : sums.met()) {
      const double other = gain(c);
      if (c != own && other > most) best = c, most = other;
    }
    const bool alone = most < 0 && size[own] > 1;  // alone it has a gain of 0
    if (alone) best = empty[--num_empty];
    sums.Clear();
    total[best] += strength;
    if (best == own) continue;
    if (--size[own] == 0) empty[num_empty++] = own;
    ++size[best];
    community[v] = best;
    graph.ForEachArc(v, [&](VertexId to, uint64_t) {
      if (community[to] != best) queue.Add(to);
    });
  }
  return OkStatus();
}

/// Makes communities of the connected parts of communities. That never makes modularity less.
Status Split(const WeightedGraph& graph, std::span<VertexId> community, int threads,
             ArrayPool& pool) {
  const uint64_t n = graph.num_vertices();
  ASSIGN_OR_RETURN(auto parent, CountedArray<VertexId>::Unset(n, pool));
  std::iota(parent.span().begin(), parent.span().end(), VertexId{0});
  RETURN_IF_ERROR(ParallelFor(n, kListsOfChunk, threads, [&](size_t begin, size_t end) {
    for (size_t v = begin; v < end; ++v) {
      graph.ForEachArc(static_cast<VertexId>(v), [&](VertexId to, uint64_t) {
        if (to < v && community[to] == community[v]) {
          LinkTrees(parent.span().data(), static_cast<VertexId>(v), to);
        }
      });
    }
    return OkStatus();
  }));
  ForEachChunk(n, kLevelGrain, threads, [&](size_t begin, size_t end) {
    for (size_t v = begin; v < end; ++v) {
      community[v] = RootOf(parent.span().data(), static_cast<VertexId>(v));
    }
  });
  return OkStatus();
}

/// Joins vertices, each at most once, to groups inside of communities: to the one of largest gain.
/// Only vertices and groups that hold to the rest of their community well enough take part. So
/// groups are connected. Writes the groups into `group`.
Status Refine(const WeightedGraph& graph, const LevelOptions& options,
              std::span<const VertexId> community, std::span<VertexId> group) {
  const ModularityRule& rule = options.rule;
  ArrayPool& pool = options.pool;
  const uint64_t n = graph.num_vertices();
  ASSIGN_OR_RETURN(auto of_community, CountedArray<uint64_t>::Of(n, pool));  // strengths
  ASSIGN_OR_RETURN(auto total, CountedArray<uint64_t>::Of(n, pool));
  ASSIGN_OR_RETURN(auto cut, CountedArray<uint64_t>::Of(n, pool));  // to the community's rest
  ASSIGN_OR_RETURN(auto size, CountedArray<VertexId>::Of(n, pool));
  ASSIGN_OR_RETURN(ArcSums sums, ArcSums::Of(n, pool));
  ASSIGN_OR_RETURN(VertexQueue queue, VertexQueue::Of(n, options.seed, pool));
  for (uint64_t v = 0; v < n; ++v) {
    group[v] = static_cast<VertexId>(v);
    total[v] = graph.strength[v];
    size[v] = 1;
    of_community[community[v]] += graph.strength[v];
    graph.ForEachArc(static_cast<VertexId>(v), [&](VertexId to, uint64_t weight) {
      if (community[to] == community[v]) cut[v] += weight;
    });
  }
  const auto holds = [&](VertexId g, uint64_t whole) {
    return static_cast<double>(cut[g]) >=
           rule.Expected(total[g], static_cast<double>(whole - total[g]));
  };
  for (uint64_t looks = 0; !queue.empty(); ++looks) {
    RETURN_IF_ERROR(CheckCancelledAt(looks));
    const VertexId v = queue.Take();
    const uint64_t strength = graph.strength[v], whole = of_community[community[v]];
    if (size[group[v]] != 1 || !holds(v, whole)) continue;
    graph.ForEachArc(v, [&](VertexId to, uint64_t weight) {
      if (community[to] == community[v]) sums.Add(group[to], weight);
    });
    VertexId best = v;
    double most = rule.LeastGain(strength);
    for (const VertexId g : sums.met()) {
      const double gain = static_cast<double>(sums.WeightTo(g)) -
                          rule.Expected(strength, static_cast<double>(total[g]));
      if (gain > most && holds(g, whole)) best = g, most = gain;
    }
    if (best != v) {
      cut[best] = cut[best] + cut[v] - 2 * sums.WeightTo(best);
      total[best] += strength;
      size[best] += 1;
      size[v] = 0;
      group[v] = best;
    }
    sums.Clear();
  }
  return OkStatus();
}

StatusOr<double> ModularityOf(const WeightedGraph& graph, const LevelOptions& options,
                              std::span<const VertexId> community, uint64_t count) {
  ASSIGN_OR_RETURN(auto inside, CountedArray<uint64_t>::Of(count, options.pool));
  ASSIGN_OR_RETURN(auto total, CountedArray<uint64_t>::Of(count, options.pool));
  ForEachChunk(graph.num_vertices(), kListsOfChunk, options.threads, [&](size_t begin, size_t end) {
    for (size_t v = begin; v < end; ++v) {
      uint64_t within = graph.inside[v];
      graph.ForEachArc(static_cast<VertexId>(v), [&](VertexId to, uint64_t weight) {
        if (community[to] == community[v]) within += weight;
      });
      AtomicAdd(&inside[community[v]], within);
      AtomicAdd(&total[community[v]], graph.strength[v]);
    }
  });
  double sum = 0;
  for (uint64_t c = 0; c < count; ++c) sum += options.rule.ShareOf(inside[c], total[c]);
  return sum;
}

uint64_t NumArcs(const WeightedGraph& graph) {
  uint64_t arcs = 0;
  for (uint64_t v = 0; v < graph.num_vertices(); ++v) arcs += graph.end[v] - graph.first[v];
  return arcs;
}

/// The borders of windows of about as many arcs.
std::vector<VertexId> BordersOf(const WeightedGraph& graph, uint64_t window) {
  std::vector<VertexId> borders = {0};
  uint64_t arcs = 0;
  for (uint64_t v = 0; v < graph.num_vertices(); ++v) {
    if (arcs >= window) {
      borders.push_back(static_cast<VertexId>(v));
      arcs = 0;
    }
    arcs += graph.end[v] - graph.first[v];
  }
  borders.push_back(static_cast<VertexId>(graph.num_vertices()));
  return borders;
}

/// Arrays for moves in rounds.
struct RoundArrays {
  CountedArray<VertexId> choice;
  CountedArray<uint64_t> limit, total;
  CountedArray<uint32_t> size;
  CountedArray<uint8_t> bits;
  static StatusOr<RoundArrays> Of(uint64_t n, ArrayPool& pool) {
    RoundArrays made;
    ASSIGN_OR_RETURN(made.choice, CountedArray<VertexId>::Unset(n, pool));
    ASSIGN_OR_RETURN(made.limit, CountedArray<uint64_t>::Unset(n, pool));
    ASSIGN_OR_RETURN(made.total, CountedArray<uint64_t>::Of(n, pool));
    ASSIGN_OR_RETURN(made.size, CountedArray<uint32_t>::Of(n, pool));
    ASSIGN_OR_RETURN(made.bits, CountedArray<uint8_t>::Unset(n, pool));
    return made;
  }
};

/// Graphs of fewer arcs are improved by one thread, and one vertex after the other.
constexpr uint64_t kSerialArcs = uint64_t{1} << 16;
constexpr uint64_t kMostRounds = 16, kMostRefinements = 2, kFewOf = 1024, kFewRefinements = 64;
constexpr uint64_t kWindows = 64, kLeastWindow = uint64_t{1} << 13;

/// Move, or, with `bounds`, Refine, in rounds on all threads.
Status MoveInRounds(const WeightedGraph& graph, const LevelOptions& options, uint64_t arcs,
                    std::span<const VertexId> bounds, std::span<VertexId> label) {
  const uint64_t n = graph.num_vertices();
  ASSIGN_OR_RETURN(RoundArrays arrays, RoundArrays::Of(n, options.pool));
  ForEachChunk(n, kLevelGrain, options.threads, [&](size_t begin, size_t end) {
    for (size_t v = begin; v < end; ++v) {
      arrays.bits[v] = kAwake;
      if (!bounds.empty()) label[v] = static_cast<VertexId>(v);
      AtomicAdd(&arrays.total[label[v]], graph.strength[v]);
      AtomicAdd(&arrays.size[label[v]], uint32_t{1});
    }
  });
  uint64_t longest = 0;
  for (uint64_t v = 0; v < n; ++v) longest = std::max(longest, graph.end[v] - graph.first[v]);
  ASSIGN_OR_RETURN(
      ThreadTables tables,
      ThreadTables::Of(longest, TeamFor(arcs, uint64_t{1} << 14, options.threads), options.pool));
  const std::vector<VertexId> borders = BordersOf(graph, std::max(arcs / kWindows, kLeastWindow));
  MemoryMoves<WeightedGraph> moves(
      graph,
      {label, arrays.choice.span(), arrays.limit.span(), graph.strength.span(), arrays.total.span(),
       arrays.size.span(), arrays.bits.span()},
      tables,
      {options.rule, options.seed, options.threads, bounds, borders,
       bounds.empty() ? kMostRounds : kMostRefinements,
       n / (bounds.empty() ? kFewOf : kFewRefinements)});
  uint64_t passes = 0;
  return moves.Run(&passes);
}

/// So that what is done in the order of arcs is always the same.
void SortArcs(WeightedGraph& graph, int threads) {
  ForEachChunk(graph.num_vertices(), kListsOfChunk, threads, [&](size_t begin, size_t end) {
    std::vector<std::pair<VertexId, uint64_t>> own;
    for (size_t v = begin; v < end; ++v) {
      own.clear();
      graph.ForEachArc(static_cast<VertexId>(v),
                       [&](VertexId to, uint64_t weight) { own.emplace_back(to, weight); });
      std::sort(own.begin(), own.end());
      for (size_t i = 0; i < own.size(); ++i) {
        graph.to[graph.first[v] + i] = own[i].first;
        graph.weight[graph.first[v] + i] = own[i].second;
      }
    }
  });
}

}  // namespace

StatusOr<uint64_t> NumberByFirst(std::span<VertexId> community, int threads, ArrayPool& pool) {
  const uint64_t n = community.size();
  ASSIGN_OR_RETURN(auto number, CountedArray<VertexId>::Unset(n, pool));  // first: the first member
  std::vector<uint64_t> counts(n / kLevelGrain + 2);
  ForEachChunk(n, kLevelGrain, threads, [&](size_t begin, size_t end) {
    std::fill_n(number.span().begin() + begin, end - begin, kInvalidVertex);
  });
  ForEachChunk(n, kLevelGrain, threads, [&](size_t begin, size_t end) {
    for (size_t v = begin; v < end; ++v) {
      AtomicMin(&number[community[v]], static_cast<VertexId>(v));
    }
  });
  ForEachChunk(n, kLevelGrain, threads, [&](size_t begin, size_t end) {
    for (size_t v = begin; v < end; ++v) {
      counts[begin / kLevelGrain + 1] += number[community[v]] == v ? 1 : 0;
    }
  });
  for (size_t i = 1; i < counts.size(); ++i) counts[i] += counts[i - 1];
  ASSIGN_OR_RETURN(auto of_first,
                   CountedArray<VertexId>::Unset(n, pool));  // number by first member
  ForEachChunk(n, kLevelGrain, threads, [&](size_t begin, size_t end) {
    uint64_t next = counts[begin / kLevelGrain];
    for (size_t v = begin; v < end; ++v) {
      if (number[community[v]] == v) of_first[v] = static_cast<VertexId>(next++);
    }
  });
  ForEachChunk(n, kLevelGrain, threads, [&](size_t begin, size_t end) {
    for (size_t v = begin; v < end; ++v) community[v] = of_first[number[community[v]]];
  });
  return counts.back();
}

StatusOr<Communities> ImproveCommunities(WeightedGraph& given, std::span<const VertexId> start,
                                         const LevelOptions& options) {
  const bool refines = options.refines;
  const int threads = options.threads;
  ArrayPool& pool = options.pool;
  WeightedGraph grouped;
  WeightedGraph* graph = &given;
  Communities found;
  ASSIGN_OR_RETURN(found.of,
                   CountedArray<VertexId>::Unset(given.num_vertices(), pool));  // first: vertices
  std::iota(found.of.span().begin(), found.of.span().end(), VertexId{0});
  ASSIGN_OR_RETURN(auto community, CountedArray<VertexId>::Unset(given.num_vertices(), pool));
  std::copy(start.begin(), start.end(), community.span().begin());
  while (true) {
    ++found.levels;
    const uint64_t n = graph->num_vertices(), arcs = NumArcs(*graph);
    const bool serial = arcs < kSerialArcs;
    if (serial) SortArcs(*graph, threads);
    LevelOptions of_level = options;
    of_level.seed += found.levels;
    if (serial) {
      if (refines) RETURN_IF_ERROR(Split(*graph, community.span(), threads, pool));
      RETURN_IF_ERROR(Move(*graph, of_level, community.span()));
    } else {
      RETURN_IF_ERROR(MoveInRounds(*graph, of_level, arcs, {}, community.span()));
    }
    if (refines) RETURN_IF_ERROR(Split(*graph, community.span(), threads, pool));
    ASSIGN_OR_RETURN(found.count, NumberByFirst(community.span(), threads, pool));
    ASSIGN_OR_RETURN(auto group, CountedArray<VertexId>::Unset(n, pool));
    std::copy(community.span().begin(), community.span().end(), group.span().begin());
    if (refines) {
      RETURN_IF_ERROR(serial
                          ? Refine(*graph, of_level, community.span(), group.span())
                          : MoveInRounds(*graph, of_level, arcs, community.span(), group.span()));
    }
    ASSIGN_OR_RETURN(const uint64_t groups, NumberByFirst(group.span(), threads, pool));
    if (groups == n) break;
    GroupMaker<WeightedGraph> maker(*graph, graph->strength.span(), group.span(), groups,
                                    {threads, pool});
    ASSIGN_OR_RETURN(WeightedGraph next, maker.Make(graph->inside.span()));
    ASSIGN_OR_RETURN(auto of_groups, CountedArray<VertexId>::Unset(groups, pool));
    for (uint64_t v = 0; v < n; ++v) {
      of_groups[group[v]] = refines ? community[v] : group[v];
    }
    for (VertexId& v : found.of.span()) v = group[v];
    grouped = std::move(next);
    graph = &grouped;
    community = std::move(of_groups);
  }
  ASSIGN_OR_RETURN(found.modularity, ModularityOf(*graph, options, community.span(), found.count));
  for (VertexId& v : found.of.span()) v = community[v];
  return found;
}

}  // namespace edgemill

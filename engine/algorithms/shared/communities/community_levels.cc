#include "engine/algorithms/shared/communities/community_levels.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "engine/algorithms/shared/seeded_order.h"

namespace edgemill {
namespace {

constexpr uint64_t kMostIterations = 4, kSeedsOfIteration = 1000;
constexpr double kLeastGainOfIteration = 1e-4;  // of modularity

/// The weights of a vertex's arcs to each community. One vertex at a time.
class ArcSums {
 public:
  static StatusOr<ArcSums> Of(uint64_t num_communities, MemoryBudget& budget) {
    ArcSums sums;
    ASSIGN_OR_RETURN(sums.weight_, CountedArray<uint64_t>::Of(num_communities, budget));
    ASSIGN_OR_RETURN(sums.met_, CountedArray<VertexId>::Of(num_communities, budget));
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
  static StatusOr<VertexQueue> Of(uint64_t num_vertices, uint64_t seed, MemoryBudget& budget) {
    VertexQueue queue;
    ASSIGN_OR_RETURN(queue.ring_, CountedArray<VertexId>::Of(num_vertices, budget));
    ASSIGN_OR_RETURN(queue.waits_, CountedArray<uint8_t>::Of(num_vertices, budget));
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

/// Gives numbers from 0 on, in the order of first members. Returns how many there are.
StatusOr<uint64_t> Renumber(std::span<VertexId> community, MemoryBudget& budget) {
  ASSIGN_OR_RETURN(auto number, CountedArray<VertexId>::Of(community.size(), budget));
  VertexId count = 0;
  for (VertexId& own : community) {
    VertexId& known = number[own];  // and 1
    if (known == 0) known = ++count;
    own = known - 1;
  }
  return count;
}

/// Moves vertices to neighbouring communities, or out of one to be alone, until none gains.
/// Vertices look again when a neighbour has moved (Traag et al.'s fast local moving).
Status Move(const WeightedGraph& graph, const LevelOptions& options,
            std::span<VertexId> community) {
  const ModularityRule& rule = options.rule;
  MemoryBudget& budget = options.budget;
  const uint64_t n = graph.num_vertices();
  ASSIGN_OR_RETURN(auto total, CountedArray<uint64_t>::Of(n, budget));
  ASSIGN_OR_RETURN(auto size, CountedArray<VertexId>::Of(n, budget));
  ASSIGN_OR_RETURN(ArcSums sums, ArcSums::Of(n, budget));
  ASSIGN_OR_RETURN(VertexQueue queue, VertexQueue::Of(n, options.seed, budget));
  for (uint64_t v = 0; v < n; ++v) {
    total[community[v]] += graph.strength[v];
    ++size[community[v]];
  }
  ASSIGN_OR_RETURN(auto empty, CountedArray<VertexId>::Of(n, budget));  // communities
  uint64_t num_empty = 0;
  for (uint64_t c = 0; c < n; ++c) {
    if (size[c] == 0) empty[num_empty++] = static_cast<VertexId>(c);
  }
  for (uint64_t looks = 0; !queue.empty(); ++looks) {
    RETURN_IF_ERROR(CheckCancelledAt(looks));
    const VertexId v = queue.Take(), own = community[v];
    const uint64_t strength = graph.strength[v];
    for (const WeightedArc& arc : graph.ArcsOf(v)) sums.Add(community[arc.to], arc.weight);
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
    for (const WeightedArc& arc : graph.ArcsOf(v)) {
      if (community[arc.to] != best) queue.Add(arc.to);
    }
  }
  return OkStatus();
}

/// Makes communities of the connected parts of communities. That never makes modularity less.
Status Split(const WeightedGraph& graph, std::span<VertexId> community, MemoryBudget& budget) {
  const uint64_t n = graph.num_vertices();
  ASSIGN_OR_RETURN(auto part, CountedArray<VertexId>::Of(n, budget));  // and 1; 0: none yet
  ASSIGN_OR_RETURN(auto found, CountedArray<VertexId>::Of(n, budget));
  VertexId parts = 0;
  for (uint64_t first = 0; first < n; ++first) {
    RETURN_IF_ERROR(CheckCancelledAt(first));
    if (part[first] != 0) continue;
    part[first] = ++parts;
    uint64_t num_found = 0;
    found[num_found++] = static_cast<VertexId>(first);
    for (uint64_t next = 0; next < num_found; ++next) {
      for (const WeightedArc& arc : graph.ArcsOf(found[next])) {
        if (part[arc.to] != 0 || community[arc.to] != community[first]) continue;
        part[arc.to] = parts;
        found[num_found++] = arc.to;
      }
    }
  }
  for (uint64_t v = 0; v < n; ++v) community[v] = part[v] - 1;
  return OkStatus();
}

/// Joins vertices, each at most once, to groups inside of communities: to the one of largest gain.
/// Only vertices and groups that hold to the rest of their community well enough take part. So
/// groups are connected. Writes the groups into `group`.
Status Refine(const WeightedGraph& graph, const LevelOptions& options,
              std::span<const VertexId> community, std::span<VertexId> group) {
  const ModularityRule& rule = options.rule;
  MemoryBudget& budget = options.budget;
  const uint64_t n = graph.num_vertices();
  ASSIGN_OR_RETURN(auto of_community, CountedArray<uint64_t>::Of(n, budget));  // strengths
  ASSIGN_OR_RETURN(auto total, CountedArray<uint64_t>::Of(n, budget));
  ASSIGN_OR_RETURN(auto cut, CountedArray<uint64_t>::Of(n, budget));  // to the community's rest
  ASSIGN_OR_RETURN(auto size, CountedArray<VertexId>::Of(n, budget));
  ASSIGN_OR_RETURN(ArcSums sums, ArcSums::Of(n, budget));
  ASSIGN_OR_RETURN(VertexQueue queue, VertexQueue::Of(n, options.seed, budget));
  for (uint64_t v = 0; v < n; ++v) {
    group[v] = static_cast<VertexId>(v);
    total[v] = graph.strength[v];
    size[v] = 1;
    of_community[community[v]] += graph.strength[v];
    for (const WeightedArc& arc : graph.ArcsOf(static_cast<VertexId>(v))) {
      if (community[arc.to] == community[v]) cut[v] += arc.weight;
    }
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
    for (const WeightedArc& arc : graph.ArcsOf(v)) {
      if (community[arc.to] == community[v]) sums.Add(group[arc.to], arc.weight);
    }
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

double ModularityOf(const WeightedGraph& graph, const ModularityRule& rule,
                    std::span<const VertexId> community, CountedArray<uint64_t>& inside,
                    CountedArray<uint64_t>& total) {
  for (uint64_t v = 0; v < graph.num_vertices(); ++v) {
    inside[community[v]] += graph.inside[v];
    total[community[v]] += graph.strength[v];
    for (const WeightedArc& arc : graph.ArcsOf(static_cast<VertexId>(v))) {
      if (community[arc.to] == community[v]) inside[community[v]] += arc.weight;
    }
  }
  double sum = 0;
  for (uint64_t c = 0; c < total.size(); ++c) sum += rule.ShareOf(inside[c], total[c]);
  return sum;
}

StatusOr<Communities> OneIteration(const WeightedGraph& given, std::span<const VertexId> start,
                                   const LevelOptions& options) {
  const ModularityRule& rule = options.rule;
  const bool refines = options.refines;
  MemoryBudget& budget = options.budget;
  WeightedGraph grouped;
  const WeightedGraph* graph = &given;
  Communities found;
  ASSIGN_OR_RETURN(found.of,
                   CountedArray<VertexId>::Of(given.num_vertices(), budget));  // first: vertices
  std::iota(found.of.span().begin(), found.of.span().end(), VertexId{0});
  ASSIGN_OR_RETURN(auto community, CountedArray<VertexId>::Of(given.num_vertices(), budget));
  std::copy(start.begin(), start.end(), community.span().begin());
  while (true) {
    ++found.levels;
    const uint64_t n = graph->num_vertices();
    LevelOptions of_level = options;
    of_level.seed += found.levels;
    if (refines) RETURN_IF_ERROR(Split(*graph, community.span(), budget));
    RETURN_IF_ERROR(Move(*graph, of_level, community.span()));
    if (refines) RETURN_IF_ERROR(Split(*graph, community.span(), budget));
    ASSIGN_OR_RETURN(found.count, Renumber(community.span(), budget));
    ASSIGN_OR_RETURN(auto group, CountedArray<VertexId>::Of(n, budget));
    std::copy(community.span().begin(), community.span().end(), group.span().begin());
    if (refines) {
      RETURN_IF_ERROR(Refine(*graph, of_level, community.span(), group.span()));
    }
    ASSIGN_OR_RETURN(const uint64_t groups, Renumber(group.span(), budget));
    if (groups == n) break;
    ASSIGN_OR_RETURN(WeightedGraph next, GroupVertices(*graph, group.span(), groups, budget));
    ASSIGN_OR_RETURN(auto of_groups, CountedArray<VertexId>::Of(groups, budget));
    for (uint64_t v = 0; v < n; ++v) {
      of_groups[group[v]] = refines ? community[v] : group[v];
    }
    for (VertexId& v : found.of.span()) v = group[v];
    grouped = std::move(next);
    graph = &grouped;
    community = std::move(of_groups);
  }
  ASSIGN_OR_RETURN(auto inside, CountedArray<uint64_t>::Of(found.count, budget));
  ASSIGN_OR_RETURN(auto total, CountedArray<uint64_t>::Of(found.count, budget));
  found.modularity = ModularityOf(*graph, rule, community.span(), inside, total);
  for (VertexId& v : found.of.span()) v = community[v];
  return found;
}

}  // namespace

StatusOr<Communities> ImproveCommunities(const WeightedGraph& graph,
                                         std::span<const VertexId> start,
                                         const LevelOptions& options) {
  ASSIGN_OR_RETURN(Communities best, OneIteration(graph, start, options));
  for (uint64_t i = 1; i < kMostIterations; ++i) {
    LevelOptions of_iteration = options;
    of_iteration.seed += i * kSeedsOfIteration;
    ASSIGN_OR_RETURN(Communities next, OneIteration(graph, best.of.span(), of_iteration));
    const double gain = next.modularity - best.modularity;
    if (gain > 0) best = std::move(next);
    if (gain < kLeastGainOfIteration) break;
  }
  return best;
}

}  // namespace edgemill

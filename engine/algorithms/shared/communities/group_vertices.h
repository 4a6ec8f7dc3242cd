// The graph of groups of vertices, from lists in memory.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/algorithms/shared/communities/memory_moves.h"
#include "engine/algorithms/shared/communities/weighted_graph.h"

namespace edgemill {

/// What makes the graph of groups.
struct GroupMeans {
  int threads;
  ArrayPool& pool;
};

/// Makes the graph of groups. `group` has a number below `num_groups` for each vertex of `lists`,
/// and every number occurs.
template <typename Lists>
class GroupMaker {
 public:
  GroupMaker(const Lists& lists, std::span<const uint64_t> strength,
             std::span<const VertexId> group, uint64_t num_groups, const GroupMeans& means)
      : lists_(lists),
        strength_(strength),
        group_(group),
        num_groups_(num_groups),
        threads_(means.threads),
        pool_(means.pool) {}

  /// `inside` of `lists`' vertices; empty where loops are in the lists. BudgetError.
  StatusOr<WeightedGraph> Make(std::span<const uint64_t> inside) {
    RETURN_IF_ERROR(FindMembers());
    ASSIGN_OR_RETURN(WeightedGraph made, Bare());
    if (!inside.empty()) {
      ForEachChunk(group_.size(), kGrain, threads_, [&](size_t begin, size_t end) {
        for (size_t v = begin; v < end; ++v) {
          if (inside[v] > 0) AtomicAdd(&made.inside[group_[v]], inside[v]);
        }
      });
    }
    RETURN_IF_ERROR(FillSmall(made));
    RETURN_IF_ERROR(FillLarge(made));
    return made;
  }

 private:
  static constexpr uint64_t kGrain = uint64_t{1} << 14, kLargeGroup = uint64_t{1} << 17;

  /// The vertices of each group, in any order.
  Status FindMembers() {
    const uint64_t n = group_.size();
    ASSIGN_OR_RETURN(begin_, CountedArray<uint64_t>::Of(num_groups_ + 1, pool_));
    ASSIGN_OR_RETURN(members_, CountedArray<VertexId>::Unset(n, pool_));
    ASSIGN_OR_RETURN(arcs_, CountedArray<uint64_t>::Of(num_groups_, pool_));
    ForEachChunk(n, kGrain, threads_, [&](size_t begin, size_t end) {
      for (size_t v = begin; v < end; ++v) {
        AtomicAdd(&begin_[group_[v] + 1], uint64_t{1});
        const uint64_t arcs = lists_.NumArcs(static_cast<VertexId>(v));
        if (arcs > 0) AtomicAdd(&arcs_[group_[v]], arcs);
      }
    });
    for (uint64_t g = 0; g < num_groups_; ++g) begin_[g + 1] += begin_[g];
    ASSIGN_OR_RETURN(auto next, CountedArray<uint64_t>::Unset(num_groups_, pool_));
    std::copy_n(begin_.span().begin(), num_groups_, next.span().begin());
    ForEachChunk(n, kGrain, threads_, [&](size_t begin, size_t end) {
      for (size_t v = begin; v < end; ++v) {
        members_[AtomicAdd(&next[group_[v]], uint64_t{1})] = static_cast<VertexId>(v);
      }
    });
    return OkStatus();
  }
  std::span<const VertexId> MembersOf(uint64_t g) const {
    return members_.span().subspan(begin_[g], begin_[g + 1] - begin_[g]);
  }

  StatusOr<WeightedGraph> Bare() {
    uint64_t places = 0;
    for (uint64_t g = 0; g < num_groups_; ++g) places += std::min(arcs_[g], num_groups_ - 1);
    ASSIGN_OR_RETURN(WeightedGraph made, WeightedGraph::Of(num_groups_, places, pool_));
    uint64_t next = 0;
    for (uint64_t g = 0; g < num_groups_; ++g) {
      made.first[g] = made.end[g] = next;
      next += std::min(arcs_[g], num_groups_ - 1);
    }
    ForEachChunk(group_.size(), kGrain, threads_, [&](size_t begin, size_t end) {
      for (size_t v = begin; v < end; ++v) AtomicAdd(&made.strength[group_[v]], strength_[v]);
    });
    return made;
  }

  /// Calls `add(other group, weight)` for arcs that leave `g`, and returns the weight inside.
  template <typename Add>
  uint64_t ForEachArcOf(uint64_t g, VertexId v, Add add) const {
    uint64_t inside = 0;
    lists_.ForEachArc(v, [&](VertexId to, uint64_t weight) {
      const VertexId other = group_[to];
      if (other == g) {
        inside += to == v ? 2 * weight : weight;
      } else if (weight > 0) {
        add(other, weight);
      }
    });
    return inside;
  }

  bool IsLarge(uint64_t g) const { return arcs_[g] >= std::max(kLargeGroup, num_groups_ / 2); }

  /// Groups of few arcs: each on one thread.
  Status FillSmall(WeightedGraph& made) {
    uint64_t most = 0;
    for (uint64_t g = 0; g < num_groups_; ++g) {
      if (!IsLarge(g)) most = std::max(most, std::min(arcs_[g], num_groups_));
    }
    const int team = TeamFor(lists_.num_places(), kGrain, threads_);
    ASSIGN_OR_RETURN(ThreadTables tables, ThreadTables::Of(most, team, pool_));
    const uint64_t grain =
        std::clamp<uint64_t>(num_groups_ * 4096 / (lists_.num_places() + 1), 1, 1024);
    ForEachPart(0, num_groups_, grain, tables.threads(),
                [&](int thread, uint64_t from, uint64_t to) {
                  LabelWeights& table = tables[thread];
                  for (uint64_t g = from; g < to; ++g) {
                    if (IsLarge(g)) continue;
                    table.Begin(std::min(arcs_[g], num_groups_));
                    uint64_t inside = 0;
                    for (const VertexId v : MembersOf(g)) {
                      inside += ForEachArcOf(
                          g, v, [&](VertexId other, uint64_t weight) { table.Add(other, weight); });
                    }
                    made.inside[g] += inside;
                    uint64_t& end = made.end[g];
                    table.Drain([&](VertexId other, uint64_t weight) {
                      made.to[end] = other;
                      made.weight[end++] = weight;
                    });
                  }
                });
    return OkStatus();
  }

  /// Groups of many arcs: one after the other, each on all threads.
  Status FillLarge(WeightedGraph& made) {
    CountedArray<uint64_t> sums;
    ThreadTables tables;
    for (uint64_t g = 0; g < num_groups_; ++g) {
      if (!IsLarge(g)) continue;
      RETURN_IF_ERROR(CheckCancelled());
      if (sums.size() == 0) {
        ASSIGN_OR_RETURN(sums, CountedArray<uint64_t>::Of(num_groups_, pool_));
        ASSIGN_OR_RETURN(tables, ThreadTables::Of(2 * kTableLabels, threads_, pool_));
        for (int i = 0; i < tables.threads(); ++i) tables[i].Begin(2 * kTableLabels);
      }
      FillLargeGroup(made, g, sums.span(), tables);
    }
    return OkStatus();
  }
  static constexpr uint64_t kTableLabels = 4096;

  void FillLargeGroup(WeightedGraph& made, uint64_t g, std::span<uint64_t> sums,
                      ThreadTables& tables) {
    const std::span<const VertexId> members = MembersOf(g);
    const uint64_t grain = std::clamp<uint64_t>(members.size() * 8192 / (arcs_[g] + 1), 1, 4096);
    const auto flush = [&](LabelWeights& table) {
      table.Drain([&](VertexId other, uint64_t weight) { AtomicAdd(&sums[other], weight); });
    };
    ForEachPart(0, members.size(), grain, tables.threads(),
                [&](int thread, uint64_t from, uint64_t to) {
                  LabelWeights& table = tables[thread];
                  uint64_t inside = 0;
                  for (uint64_t i = from; i < to; ++i) {
                    inside += ForEachArcOf(g, members[i], [&](VertexId other, uint64_t weight) {
                      if (table.size() >= kTableLabels) flush(table);
                      table.Add(other, weight);
                    });
                  }
                  flush(table);
                  AtomicAdd(&made.inside[g], inside);
                });
    // Each chunk of groups has its places, in order.
    std::vector<uint64_t> counts(num_groups_ / kGrain + 2);
    ForEachChunk(num_groups_, kGrain, threads_, [&](size_t begin, size_t end) {
      uint64_t count = 0;
      for (size_t other = begin; other < end; ++other) count += sums[other] != 0 ? 1 : 0;
      counts[begin / kGrain + 1] = count;
    });
    for (size_t i = 1; i < counts.size(); ++i) counts[i] += counts[i - 1];
    ForEachChunk(num_groups_, kGrain, threads_, [&](size_t begin, size_t end) {
      uint64_t at = made.first[g] + counts[begin / kGrain];
      for (size_t other = begin; other < end; ++other) {
        if (sums[other] == 0) continue;
        made.to[at] = static_cast<VertexId>(other);
        made.weight[at++] = std::exchange(sums[other], 0);
      }
    });
    made.end[g] = made.first[g] + counts.back();
  }

  const Lists& lists_;
  const std::span<const uint64_t> strength_;
  const std::span<const VertexId> group_;
  const uint64_t num_groups_;
  const int threads_;
  ArrayPool& pool_;
  CountedArray<uint64_t> begin_, arcs_;  // of each group: the first member, and how many arcs
  CountedArray<VertexId> members_;
};

}  // namespace edgemill

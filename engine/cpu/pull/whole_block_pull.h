// Pull from a block of which most lists are wanted: all its ids are decoded first.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "common/check.h"
#include "engine/cpu/pull/pull_target.h"
#include "engine/cpu/pull/sampled_neighbor_pull.h"
#include "kernels/cpu/block_ids.h"
#include "kernels/cpu/members.h"

namespace edgemill {

/// Pulls whole blocks of the lists of one direction, in one pull. Threads pull different blocks.
template <typename P>
class WholeBlockPull {
 public:
  WholeBlockPull(PullTarget<P>& target, SampledNeighborPull<P>& sampled)
      : target_(target), sampled_(sampled) {}

  /// Whether decoding all edges of the block is faster than decoding each wanted list alone,
  /// because so many lists are wanted.
  bool Pays(const P& program, const BlockEdges& edges) const {
    uint64_t receivers = 0;
    for (uint64_t word = edges.owned_begin / 64; word * 64 < edges.owned_end; ++word) {
      receivers += static_cast<uint64_t>(
          std::popcount(target_.Receivers(program, word, edges.owned_begin, edges.owned_end)));
    }
    return edges.WholePays(receivers);
  }
  /// Decodes the block into `ids`. False when the block is damaged.
  bool Pull(const BlockEdges& edges, BlockIds& ids, PulledBlock<P>& pulled);

 private:
  /// Lists of a block whose vertices get a message, and the first edge of each that brings one.
  struct FoundLists {
    static constexpr uint32_t kMax = 256;
    uint32_t count = 0;
    std::array<uint32_t, kMax> lists, edges;
  };
  /// Finds such lists among the first FoundLists::kMax lists of `left`, and removes these kMax
  /// lists from `left`.
  void FindLists(const P& program, const BlockIds& ids, const uint64_t* members, ListRange* left,
                 FoundLists* found);

  PullTarget<P>& target_;
  SampledNeighborPull<P>& sampled_;
};

template <typename P>
void WholeBlockPull<P>::FindLists(const P& program, const BlockIds& ids, const uint64_t* members,
                                  ListRange* left, FoundLists* found) {
  uint64_t word = ~uint64_t{0};
  uint64_t receivers = 0;
  uint32_t count = 0;
  const bool samples_highest = sampled_.samples_highest();
  uint32_t list = left->begin;
  const uint32_t stop = std::min(left->end, list + FoundLists::kMax);
  for (; list < stop; ++list) {
    const VertexId vertex = ids.source(list);
    if (vertex / 64 != word) {
      word = vertex / 64;
      receivers = target_.Receivers(program, word, word * 64, word * 64 + 64);
    }
    const uint32_t end = ids.begin(list + 1);
    sampled_.LearnFirst(vertex, ids.ids(list)[0]);
    const uint32_t edge = FirstMember(members, ids.begin(list), end);
    if (samples_highest && edge == end && (receivers >> vertex % 64 & 1) != 0 &&
        sampled_.lacks_highest(vertex)) {
      typename SampledNeighborPull<P>::Highest highest(target_.index());
      for (const VertexId neighbor : ids.ids(list)) highest.Add(neighbor);
      sampled_.LearnHighest(vertex, highest);
    }
    found->lists[count] = list;
    found->edges[count] = edge;
    count += static_cast<uint32_t>(receivers >> vertex % 64) & 1 & (edge != end);
  }
  left->begin = stop;
  found->count = count;
}

template <typename P>
bool WholeBlockPull<P>::Pull(const BlockEdges& edges, BlockIds& ids, PulledBlock<P>& pulled) {
  CHECK(target_.pass().from() != nullptr);  // where all vertices emit, no members are searched
  const VertexIndexView& index = target_.index();
  if (!ids.Decode(edges.neighbors, edges.lists(index), index.num_vertices)) return false;
  std::array<uint64_t, kMaxBlockValues / 64 + 1> members;  // FirstMember may read the extra word
  FindMembers(ids.ids().data(), static_cast<uint32_t>(ids.ids().size()),
              target_.pass().from()->words().data(), members.data());
  const auto pull = [&](uint32_t list, uint32_t edge, PartialSum<P>* partial, bool begins_here) {
    const VertexId vertex = ids.source(list);
    for (const VertexId sender : ids.ids(list).subspan(edge - ids.begin(list))) {
      if (target_.PullFrom(pulled.program, sender, vertex, NoWeight(), partial)) continue;
      if (begins_here) sampled_.LearnFound(vertex, sender);
      break;
    }
  };
  uint32_t list = 0, end_list = ids.num_lists();
  if (edges.continues) {
    if (target_.Receives(pulled.program, ids.source(0))) pull(0, 0, &pulled.begins_before, false);
    ++list;
  }
  if (list < end_list && index.first_edge(ids.source(end_list - 1) + 1) > edges.end) {
    --end_list;
    sampled_.LearnFirst(ids.source(end_list), ids.ids(end_list)[0]);
    if (target_.Receives(pulled.program, ids.source(end_list))) {
      pull(end_list, ids.begin(end_list), &pulled.ends_after, true);
    }
  }
  // Without branches, because nothing predicts which lists have an active sender: the numbers of
  // such lists are gathered first.
  ListRange left{list, end_list};
  FoundLists found;
  while (left.begin < left.end) {
    FindLists(pulled.program, ids, members.data(), &left, &found);
    for (uint32_t i = 0; i < found.count; ++i) {
      PartialSum<P> whole;
      pull(found.lists[i], found.edges[i], &whole, true);
      target_.Take(pulled.program, ids.source(found.lists[i]), whole, pulled.active);
    }
  }
  return true;
}

}  // namespace edgemill

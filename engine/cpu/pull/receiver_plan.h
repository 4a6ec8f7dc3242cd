// The blocks that a pull reads: those with edges of receivers.
#pragma once

#include <algorithm>
#include <bit>

#include "common/threads/parallel.h"
#include "engine/cpu/pull/pull_target.h"
#include "engine/plan/block_plan.h"

namespace edgemill {

/// Adds the blocks of receivers among the vertices [begin, end). One receiver in each block is
/// enough: vertices whose lists end in a block that was added are skipped.
template <typename P>
void AddReceivers(const PullTarget<P>& target, size_t begin, size_t end, BlockPlan* plan) {
  const EdgePass<P>& pass = target.pass();
  while (begin < end) {
    const uint64_t bits = target.Receivers(pass.program(), begin / 64, begin, end);
    if (bits == 0) {
      begin = (begin / 64 + 1) * 64;
      continue;
    }
    const size_t vertex = begin / 64 * 64 + static_cast<size_t>(std::countr_zero(bits));
    const EdgeIndex first = target.index().first_edge(static_cast<VertexId>(vertex));
    const EdgeIndex last = target.index().first_edge(static_cast<VertexId>(vertex + 1));
    plan->AddEdges(first, last);
    // `beyond` is the first list that starts in a later block. The list before it may reach into
    // that block, so the search goes on from it.
    const size_t beyond =
        pass.graph().indexes().FirstOfBlock(target.lists(), plan->BlockOf(last - 1) + 1);
    begin = std::max(vertex + 1, beyond - 1);
  }
}

/// The blocks with edges of receivers. For programs that apply to all: all blocks.
template <typename P>
StatusOr<BlockPlan> PlanReceivers(const PullTarget<P>& target) {
  const EdgePass<P>& pass = target.pass();
  const LoadedGraph& graph = pass.graph();
  BlockPlan plan(graph.num_blocks(), graph.info().block_edges);
  if constexpr (kAppliesToAllOf<P>) {
    plan.AddEdges(0, graph.num_edges());
    return plan;
  }
  if (target.notified() != nullptr) {
    const VertexIndexView& index = target.index();
    RETURN_IF_ERROR(
        target.notified()->ForEach(graph.threads(), [&](std::span<const VertexId> members) {
          for (const VertexId vertex : members) {
            if (!target.Receives(pass.program(), vertex)) continue;
            plan.AddEdges(index.first_edge(vertex), index.first_edge(vertex + 1));
          }
        }));
  } else {
    RETURN_IF_ERROR(ParallelFor(graph.num_vertices(), kVertexChunk, graph.threads(),
                                [&](size_t begin, size_t end) {
                                  AddReceivers(target, begin, end, &plan);
                                  return OkStatus();
                                }));
  }
  return plan;
}

}  // namespace edgemill

// Lists that cross block borders: each block stores a partial sum, and these are combined in block
// order after the pass. So the order of every sum of a pull depends only on the graph: its bits do
// not depend on the threads, the budget and the disk.
#pragma once

#include "common/check.h"
#include "engine/cpu/pull/pull_target.h"
#include "engine/program/pass_coverage.h"

namespace edgemill {

/// The partial sums of one pull over the lists of one direction.
template <typename P>
class ListEnds {
 public:
  using Sum = SumOfProgram<P>;
  using Partial = PartialSum<P>;

  explicit ListEnds(PullTarget<P>& target) : target_(target) {
    const uint64_t num_blocks = target.pass().graph().num_blocks();
    CHECK_GE(workspace().template partial_sums<Sum>().size(), 2 * num_blocks);
    CHECK_EQ(workspace().partial_marks().size(), num_blocks);
  }

  /// Stores the partial sums of `block`: of the list in which it begins, and of the list in which
  /// it ends.
  void Store(uint64_t block, const Partial& begins_before, const Partial& ends_after) {
    const std::span<Sum> sums = workspace().template partial_sums<Sum>();
    sums[2 * block] = begins_before.sum;
    sums[2 * block + 1] = ends_after.sum;
    workspace().partial_marks()[block] =
        static_cast<uint8_t>(begins_before.any | ends_after.any << 1);
  }

  /// Gives the vertices of these lists their sums. `blocks`: the pass's blocks, in rising order.
  void Take(std::span<const uint64_t> blocks) {
    constexpr size_t kChunkBlocks = 512;
    EdgePass<P>& pass = target_.pass();
    ForEachChunk(blocks.size(), kChunkBlocks, pass.graph().threads(),
                 [&](size_t begin, size_t end) {
                   P program = pass.program();
                   TakeChunk(blocks, begin, end, program);
                   pass.copies().AddTallies(program);
                 });
  }

 private:
  Workspace& workspace() const { return target_.pass().workspace(); }
  Partial Load(uint64_t block, int side) const {
    const auto mark = workspace().partial_marks()[block];
    return {workspace().template partial_sums<Sum>()[2 * block + static_cast<size_t>(side)],
            (mark >> side & 1) != 0};
  }

  /// Handles the lists that begin in blocks[begin, end), and, if `begin` is 0, the list that begins
  /// before all `blocks`. The ends of the lists may lie in later blocks.
  void TakeChunk(std::span<const uint64_t> blocks, size_t begin, size_t end, P& program) {
    const LoadedGraph& graph = target_.pass().graph();
    Frontier& next = target_.pass().next();
    Partial pending;                     // the sum of the list that goes on, so far
    bool belongs_to_chunk = begin == 0;  // that list is one of these
    bool goes_on = false;                // that list goes on beyond the last block
    for (size_t i = begin; i < end || (goes_on && i < blocks.size()); ++i) {
      const BlockEdges edges = graph.indexes().Extent(target_.lists(), blocks[i]);
      const bool begins = edges.owned_end > edges.owned_begin;
      const bool crosses = target_.index().first_edge(edges.owned_end) > edges.end;
      if (belongs_to_chunk && edges.continues) {
        const Partial more = Load(blocks[i], 0);
        if (pending.any && more.any) EM_COVER(split_lists, 1);
        pending.Add(more);
        if (begins || !crosses) {
          target_.Take(program, edges.owned_begin - 1, pending, next);
        }
      }
      if (begins || !crosses) pending = Partial();
      belongs_to_chunk |= begins || !crosses;
      goes_on = belongs_to_chunk && crosses && (i < end || !begins);
      if (begins && goes_on) pending = Load(blocks[i], 1);
    }
    if (goes_on) TakeBeyond(blocks, pending, program);
  }
  /// Handles the list that goes on in blocks of other teams.
  void TakeBeyond(std::span<const uint64_t> blocks, const Partial& pending, P& program) {
    if (target_.beyond() != nullptr) {
      *target_.beyond() = pending;
    } else {
      const BlockEdges last =
          target_.pass().graph().indexes().Extent(target_.lists(), blocks.back());
      target_.Take(program, last.owned_end - 1, pending, target_.pass().next());
    }
  }

  PullTarget<P>& target_;
};

}  // namespace edgemill

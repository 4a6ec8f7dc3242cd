// Pull where only some vertices emit or receive. Each receiver reads its list, and stops at the
// first message where one is enough.
#pragma once

#include <span>

#include "engine/cpu/pull/list_ends.h"
#include "engine/cpu/pull/list_pull.h"
#include "engine/cpu/pull/pull_target.h"
#include "engine/cpu/pull/sampled_neighbor_pull.h"
#include "engine/cpu/pull/whole_block_pull.h"

namespace edgemill {

/// Pulls blocks of the lists of one direction. Threads pull different blocks.
template <typename P>
class SelectivePull {
 public:
  explicit SelectivePull(PullTarget<P>& target)
      : target_(target), sampled_(target), whole_blocks_(target, sampled_), ends_(target) {}

  /// Whether pulls decode blocks whole, into DecodeScratch.
  static constexpr bool kDecodesWhole = !kIsWeighted<P> && !kIsSimpleOf<P> && !kAppliesToAllOf<P>;

  /// Pulls from sampled neighbours: see SampledNeighborPull. Call it first.
  Status PullFromSampled() { return sampled_.Pull(); }
  /// False when the block is damaged.
  bool PullBlock(const BlockEdges& edges, int thread);
  /// Gives sums to the vertices of lists across blocks. `blocks`: the blocks that were pulled. Call
  /// it last.
  void End(std::span<const uint64_t> blocks) {
    sampled_.End();
    ends_.Take(blocks);
  }

 private:
  bool PullLists(const BlockEdges& edges, PulledBlock<P>& pulled) {
    return ListPull<P>(target_, sampled_, edges, pulled).Pull();
  }

  PullTarget<P>& target_;
  SampledNeighborPull<P> sampled_;
  WholeBlockPull<P> whole_blocks_;
  ListEnds<P> ends_;
};

template <typename P>
bool SelectivePull<P>::PullBlock(const BlockEdges& edges, int thread) {
  EdgePass<P>& pass = target_.pass();
  P& own = pass.copies().CopyFor(thread);
  PulledBlock<P> pulled{.program = own, .active = FrontierBatch(pass.next())};
  bool sound;
  if constexpr (kDecodesWhole) {
    sound = pass.from() != nullptr && whole_blocks_.Pays(pulled.program, edges)
                ? whole_blocks_.Pull(edges, pass.graph().decode_scratch().ids(thread), pulled)
                : PullLists(edges, pulled);
  } else {
    sound = PullLists(edges, pulled);
  }
  if (!sound) return false;
  if constexpr (kHasLanes<P>) {
    pulled.begins_before = pulled.begins_before.Taken(pulled.program);
    pulled.ends_after = pulled.ends_after.Taken(pulled.program);
  }
  ends_.Store(edges.block, pulled.begins_before, pulled.ends_after);
  own = pulled.program;
  return true;
}

}  // namespace edgemill

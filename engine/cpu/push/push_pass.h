// A pass that pushes. It reads the blocks with edges of vertices that emit.
#pragma once

#include <functional>
#include <vector>

#include "common/check.h"
#include "engine/cpu/pass/edge_pass.h"
#include "engine/cpu/pass/pass_blocks.h"
#include "engine/cpu/pass/vertex_sums.h"
#include "engine/cpu/push/block_push.h"
#include "engine/cpu/push/repeated_push.h"
#include "engine/cpu/push/sub_csr_push.h"
#include "engine/report/recorder.h"

namespace edgemill {

template <typename P>
class PushPass {
 public:
  /// `repeats`: the most passes over a block, in which vertices with priorities below `bound` emit
  /// as soon as they are active. 0: vertices that become active wait for the next pass.
  PushPass(EdgePass<P>& pass, Recorder& recorder, uint32_t repeats, double bound)
      : pass_(pass), recorder_(recorder), repeats_(repeats), bound_(bound) {
    CHECK(repeats == 0 || kMayRunAsynchronously<P>);
  }

  /// `lists`: the lists along which messages go. `active_edges`: the number of edges of vertices
  /// that emit. `shared`: null, or prepared sums to which other teams add too. The caller calls
  /// Take of these.
  Status Run(const std::vector<Direction>& lists, EdgeIndex active_edges,
             VertexSums<P>* shared = nullptr) {
    CHECK(shared == nullptr || kCollects<P>);
    if constexpr (kCollects<P>) {
      if (shared != nullptr) return PushAlong(lists, {.sums = shared});
      VertexSums<P> sums(pass_);
      RETURN_IF_ERROR(sums.Prepare());
      RETURN_IF_ERROR(PushAlong(lists, {.sums = &sums}));
      return sums.Take();
    }
    // Whether the next set is made from the closed bits.
    bool by_closed_bits = false;
    if constexpr (kTakesFirst<P>) {
      if (repeats_ > 0) closed().NoteUnlisted();
      if (active_edges > closed().words().size()) {
        closed().SetFromCond([&](VertexId vertex) { return CallCond(pass_.program(), vertex); });
        by_closed_bits = repeats_ == 0;
      }
    }
    if (by_closed_bits) AssignOpenToNext();
    const Status status =
        PushAlong(lists, {.by_closed_bits = by_closed_bits, .takes = repeats_ > 0});
    if (by_closed_bits) IntersectNextWithClosed();
    return status;
  }
  /// Vertices that emitted in the pass in which they became active.
  uint64_t emitted_in_same_pass() const { return emitted_in_same_pass_; }
  /// The edges of these vertices.
  EdgeIndex edges_in_same_pass() const { return edges_in_same_pass_; }

 private:
  using Options = typename PushTarget<P>::Options;

  Status PushAlong(const std::vector<Direction>& lists, const Options& options) {
    for (const Direction direction : lists) {
      PushTarget<P> target(pass_, direction, options);
      RETURN_IF_ERROR(PushTo(target));
    }
    return OkStatus();
  }
  Status PushTo(PushTarget<P>& target) {
    const Direction lists = target.lists();
    LoadedGraph& graph = pass_.graph();
    const VertexIndexView index = graph.index(lists);
    RepeatedPush<P> repeated(target, index, repeats_, bound_);
    ASSIGN_OR_RETURN(const BlockPlan plan, PlanEmitting(graph, lists, pass_.from()));
    const GraphBlocks::Body push_block = [&](int thread,
                                             const BlockEdges& edges) -> StatusOr<bool> {
      BlockPush<P> push(target, edges, index, pass_.copies().CopyFor(thread));
      const auto add = [&](VertexId vertex, EdgeIndex first, EdgeIndex last) {
        return push.Add(vertex, first, last);
      };
      const bool sound = repeats_ > 0 ? repeated.PushBlock(edges, push)
                                      : VisitEmitting(pass_, edges, index, add) && push.Finish();
      pass_.copies().CopyFor(thread) = push.program();
      return sound;
    };
    const auto read = [&](const GraphBlocks::Body& body) {
      return ReadBlocks(graph, recorder_,
                        {lists, kIsWeighted<P>,
                         plan.Blocks(pass_.blocks().begin, pass_.blocks().end), pass_.edges()},
                        body);
    };
    // Where all vertices emit, or emit again while their block is in memory, blocks serve better.
    const bool takes_sub_csrs = pass_.from() != nullptr && repeats_ == 0;
    SubCsrParts* const sub_csrs = takes_sub_csrs ? pass_.workspace().sub_csrs() : nullptr;
    RETURN_IF_ERROR(sub_csrs == nullptr ? read(push_block)
                                        : PushSubCsrs(target, *sub_csrs, read, push_block));
    emitted_in_same_pass_ += repeated.emitted();
    edges_in_same_pass_ += repeated.edges();
    recorder_.AddRepeated(repeated.emitted(), repeated.blocks_repeated());
    return OkStatus();
  }

  /// Pushes along SubCSRs of the blocks that `read` visits, or by `push_block`.
  Status PushSubCsrs(PushTarget<P>& target, SubCsrParts& parts,
                     const std::function<Status(const GraphBlocks::Body&)>& read,
                     const GraphBlocks::Body& push_block) {
    const SubCsrBuilder builder(pass_.graph().index(target.lists()), pass_.from()->words());
    const auto push = [&](const SubCsr& lists) {
      P program = pass_.program();
      PushSubCsr(target, lists, program);
      pass_.copies().AddTallies(program);
    };
    return parts.Run({builder, read, push_block, push});
  }

  ClosedBits& closed() { return *pass_.closed(); }
  /// For passes in which many vertices may become active: these are the vertices that are open
  /// before the pass and closed after it. This saves an atomic operation for each of them.
  void AssignOpenToNext() {
    const std::span<uint64_t> next = pass_.next().BeginAssign();
    CHECK_EQ(next.size(), closed().words().size());
    EachWord([&](size_t i) { next[i] = ~closed().words()[i]; });
  }
  void IntersectNextWithClosed() {
    const std::span<uint64_t> next = pass_.next().BeginAssign();
    EachWord([&](size_t i) { next[i] &= closed().words()[i]; });
    pass_.next().EndAssign(pass_.graph().threads());
  }
  template <typename Body>
  void EachWord(Body body) {
    ForEachChunk(closed().words().size(), kVertexChunk / 64, pass_.graph().threads(),
                 [&](size_t begin, size_t end) {
                   for (size_t i = begin; i < end; ++i) body(i);
                 });
  }

  EdgePass<P>& pass_;
  Recorder& recorder_;
  const uint32_t repeats_;
  const double bound_;
  uint64_t emitted_in_same_pass_ = 0;
  EdgeIndex edges_in_same_pass_ = 0;
};

}  // namespace edgemill

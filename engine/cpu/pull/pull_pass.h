// A pass that pulls: receivers look in their lists for vertices that emit.
#pragma once

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include "common/check.h"
#include "engine/cpu/pass/pass_blocks.h"
#include "engine/cpu/pass/vertex_sums.h"
#include "engine/cpu/pull/dense_pull.h"
#include "engine/cpu/pull/receiver_plan.h"
#include "engine/cpu/pull/selective_pull.h"

namespace edgemill {

template <typename P>
class PullPass {
 public:
  PullPass(EdgePass<P>& pass, Recorder& recorder) : pass_(pass), recorder_(recorder) {}
  ~PullPass() {
    if (notified_ != nullptr) pass_.workspace().sets().Return(std::move(notified_));
  }
  PullPass(const PullPass&) = delete;
  PullPass& operator=(const PullPass&) = delete;
  /// The blocks that the pass has read.
  uint64_t num_blocks() const { return num_blocks_; }
  /// The edges of these blocks.
  EdgeIndex num_edges() const { return num_edges_; }

  /// Marks the vertices that may take a message and have an edge, in `lists`, from a vertex that
  /// emits. Only marked vertices pull.
  Status Notify(const std::vector<Direction>& lists);
  /// `lists`: the lists that the pass reads. `shared`: null, or prepared sums to which other teams
  /// add too; the caller calls Take of these. `beyond`: see PullTarget.
  Status Run(const std::vector<Direction>& lists, VertexSums<P>* shared = nullptr,
             PartialSum<P>* beyond = nullptr) {
    const bool two = lists.size() > 1;
    CHECK(!lists.empty());
    CHECK(shared == nullptr || kCollects<P>);
    CHECK(beyond == nullptr || !two);  // with two directions, two lists could go on
    if constexpr (kCollects<P>) {
      if (shared != nullptr) return PullAlong(lists, {.sums = shared});
      if (two) {
        VertexSums<P> sums(pass_);
        RETURN_IF_ERROR(sums.Prepare());
        RETURN_IF_ERROR(PullAlong(lists, {.notified = notified_.get(), .sums = &sums}));
        return sums.Take();
      }
    }
    RETURN_IF_ERROR(
        PullAlong(lists, {.notified = notified_.get(), .closes = two, .beyond = beyond}));
    return kAppliesToAllOf<P> && pass_.graph().num_blocks() == 0 ? TakeNothing() : OkStatus();
  }

 private:
  using Options = typename PullTarget<P>::Options;

  Status PullAlong(const std::vector<Direction>& lists, const Options& options) {
    for (const Direction direction : lists) {
      PullTarget<P> target(pass_, direction, options);
      RETURN_IF_ERROR(PullFrom(target));
    }
    return OkStatus();
  }
  Status PullFrom(PullTarget<P>& target) {
    LoadedGraph& graph = pass_.graph();
    if constexpr (DensePull<P>::kSupports) {
      if (pass_.from() == nullptr && graph.num_blocks() > 0) {
        DensePull<P> puller(target);
        const BlockRange& all = pass_.blocks();
        CHECK_LE(all.begin, graph.num_blocks());
        std::vector<uint64_t> blocks(std::min(all.end, graph.num_blocks()) - all.begin);
        std::iota(blocks.begin(), blocks.end(), all.begin);
        return PullBlocks(puller, target.lists(), std::move(blocks), GraphBlocks::kAllEdges);
      }
    }
    SelectivePull<P> puller(target);
    RETURN_IF_ERROR(puller.PullFromSampled());
    ASSIGN_OR_RETURN(const BlockPlan plan, PlanReceivers(target));
    return PullBlocks(puller, target.lists(), plan.Blocks(pass_.blocks().begin, pass_.blocks().end),
                      EdgesOfReceivers(target));
  }
  /// The number of edges of vertices that may take a message, or more.
  EdgeIndex EdgesOfReceivers(const PullTarget<P>& target) const {
    if (kAppliesToAllOf<P> || target.notified() == nullptr) return GraphBlocks::kAllEdges;
    return EdgesOfFew(target.index(), *target.notified()).value_or(GraphBlocks::kAllEdges);
  }
  template <typename Puller>
  Status PullBlocks(Puller& puller, Direction lists, std::vector<uint64_t> blocks,
                    EdgeIndex edges) {
    if constexpr (Puller::kDecodesWhole) {
      RETURN_IF_ERROR(pass_.graph().decode_scratch().Reserve(kIsWeighted<P>));
    }
    num_blocks_ += blocks.size();
    num_edges_ += pass_.graph().blocks().EdgesOf(blocks);
    RETURN_IF_ERROR(ReadBlocks(pass_.graph(), recorder_, {lists, kIsWeighted<P>, blocks, edges},
                               [&](int thread, const BlockEdges& block) -> StatusOr<bool> {
                                 return puller.PullBlock(block, thread);
                               }));
    puller.End(blocks);
    return OkStatus();
  }
  /// Makes all vertices take an empty sum, in a graph without edges.
  Status TakeNothing() {
    return ForEachMember(pass_.graph(), nullptr, [&](const MemberChunk& members) {
      P program = pass_.program();
      FrontierBatch active(pass_.next());
      members.ForEach([&](VertexId vertex) {
        if (CallTake(program, vertex, P::Monoid::identity())) active.Add(vertex);
      });
      pass_.copies().AddTallies(program);
    });
  }

  EdgePass<P>& pass_;
  Recorder& recorder_;
  std::unique_ptr<Frontier> notified_;
  uint64_t num_blocks_ = 0;
  EdgeIndex num_edges_ = 0;
};

template <typename P>
Status PullPass<P>::Notify(const std::vector<Direction>& lists) {
  CHECK(notified_ == nullptr);  // Notify is called once
  LoadedGraph& graph = pass_.graph();
  ASSIGN_OR_RETURN(notified_, pass_.workspace().sets().Acquire());
  for (const Direction direction : lists) {
    ASSIGN_OR_RETURN(const BlockPlan plan, PlanEmitting(graph, direction, pass_.from()));
    const VertexIndexView index = graph.index(direction);
    const PullTarget<P> anyone(pass_, direction, {});
    const auto notify = [&](int, const BlockEdges& edges) -> StatusOr<bool> {
      ListCursor<NoWeight> cursor(edges, graph.num_vertices());
      FrontierBuffer buffer(*notified_);
      const auto mark = [&](const ListChunk<NoWeight>& chunk) {
        for (uint32_t i = 0; i < chunk.size; ++i) {
          const VertexId target = chunk.target(i);
          if (anyone.Receives(pass_.program(), target)) buffer.Add(target);
        }
        return true;
      };
      return VisitEmitting(pass_, edges, index,
                           [&](VertexId vertex, EdgeIndex first, EdgeIndex last) {
                             return cursor.VisitList(vertex, first, last, mark);
                           });
    };
    RETURN_IF_ERROR(
        ReadBlocks(graph, recorder_, {direction, false, plan.Blocks(), pass_.edges()}, notify));
  }
  notified_->Seal(graph.threads());
  return OkStatus();
}

}  // namespace edgemill

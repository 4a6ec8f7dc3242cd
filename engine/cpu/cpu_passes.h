// CpuBackend's passes: push, pull and notify-pull over blocks. Included by cpu_backend.h.
#pragma once

#include "engine/cpu/cpu_backend.h"

namespace edgemill {

template <typename P>
Status CpuBackend<P>::Pass(const P& program, bool asynchronous, double bound) {
  const Mode mode = policy_.Choose(active_.vertices, active_.edges, emitted_.edges);
  recorder_.Start(mode, active_.vertices, active_.edges);
  if constexpr (kIsSimpleOf<P>) {
    for (const Direction lists : mode == Mode::kPush ? PushLists() : PullLists()) {
      RETURN_IF_ERROR(graph_.KeepLastNeighbors(lists));
    }
  }
  EdgePass<P> pass(graph_, workspace_, program, Emitting(), next_.get());
  RETURN_IF_ERROR(pass.Consume(from()));
  if (mode == Mode::kPush) {
    RETURN_IF_ERROR(Push(pass, program, asynchronous, bound));
  } else {
    RETURN_IF_ERROR(Pull(pass, program, mode == Mode::kNotifyPull));
  }
  if constexpr (kTakesFirst<P>) KeepClosed(pass);
  pass.End();
  recorder_.Finish();
  return OkStatus();
}

/// The blocks of `lists` with edges of what emits.
template <typename P>
StatusOr<BlockPlan> CpuBackend<P>::PlanPush(Direction lists) {
  BlockPlan plan(graph_.num_blocks(), graph_.info().block_edges);
  const Frontier* const from = Emitting();
  if (from == nullptr) {
    plan.AddEdges(0, graph_.num_edges());
    return plan;
  }
  const VertexIndexView index = graph_.index(lists);
  RETURN_IF_ERROR(from->ForEach(graph_.threads(), [&](std::span<const VertexId> members) {
    for (const VertexId vertex : members) {
      plan.AddEdges(index.first_edge(vertex), index.first_edge(vertex + 1));
    }
  }));
  return plan;
}

template <typename P>
Status CpuBackend<P>::Sweep(Direction lists, bool with_weights, std::vector<uint64_t> blocks,
                            const LoadedGraph::SweepBody& body) {
  recorder_.AddBlocks(blocks.size());
  with_weights &= graph_.info().weights != WeightType::kNone;
  return graph_.Sweep(lists, with_weights, std::move(blocks), body);
}

template <typename P>
Status CpuBackend<P>::Push(EdgePass<P>& pass, const P& program, bool asynchronous, double bound) {
  const bool many = active_.edges > workspace_.closed().size();
  bool tells = false;
  Members received;
  if constexpr (kTakesFirst<P>) {
    if (many) {
      KnowClosed(program);
      tells = workspace_.options().async_passes == 0 || !asynchronous;
    }
  }
  if constexpr (kCollects<P>) {
    RETURN_IF_ERROR(PrepareSums());
    if (!kAppliesToAllOf<P>) {
      ASSIGN_OR_RETURN(received, workspace_.sets().Take());
      pass.set_received(received.get());
    }
  }
  const std::span<const uint64_t> closed = workspace_.closed();
  const auto each_word = [&](const auto& body) {
    ForEachChunk(closed.size(), kVertexChunk / 64, graph_.threads(), body);
  };
  if (tells) {  // the next set: who is open before, and closed afterwards
    const std::span<uint64_t> next = next_->BeginAssign();
    each_word([&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) next[i] = ~closed[i];
    });
  }
  Status status;
  for (const Direction lists : PushLists()) {
    if (status.ok()) status = PushAlong(pass, lists, tells, asynchronous, bound);
  }
  if (tells) {
    const std::span<uint64_t> next = next_->BeginAssign();
    each_word([&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) next[i] &= closed[i];
    });
    next_->EndAssign(graph_.threads());
  }
  if (status.ok() && kCollects<P>) status = TakeSums(pass);
  if (received != nullptr) workspace_.sets().Return(std::move(received));
  return status;
}

template <typename P>
Status CpuBackend<P>::PushAlong(EdgePass<P>& pass, Direction lists, bool tells, bool asynchronous,
                                double bound) {
  const bool repeats =
      asynchronous && workspace_.options().async_passes > 0 && PushLists().size() == 1;
  if (repeats) pass.set_has_unlisted();
  PushTarget<P> target(pass, lists,
                       {.tells = tells, .knows_closed = knows_closed_, .takes = repeats});
  const VertexIndexView index = graph_.index(lists);
  RepeatedPush<P> repeated(target, index, workspace_.options().async_passes, bound);
  ASSIGN_OR_RETURN(const BlockPlan plan, PlanPush(lists));
  RETURN_IF_ERROR(Sweep(lists, kIsWeighted<P>, plan.Blocks(),
                        [&](int thread, const BlockEdges& edges) -> StatusOr<bool> {
                          BlockPush<P> push(target, edges, index, pass.program(thread));
                          const auto add = [&](VertexId vertex, EdgeIndex first, EdgeIndex last) {
                            return push.Add(vertex, first, last);
                          };
                          const bool sound =
                              repeats ? repeated.PushBlock(edges, push)
                                      : VisitEmitting(pass, edges, index, add) && push.Finish();
                          pass.program(thread) = push.program();
                          return sound;
                        }));
  emitted_.vertices += repeated.emitted();
  recorder_.AddLive(repeated.emitted(), repeated.blocks_again());
  return OkStatus();
}

template <typename P>
Status CpuBackend<P>::Pull(EdgePass<P>& pass, const P& program, bool notify) {
  KnowClosed(program);
  Members notified, received;
  if (notify && pass.from() != nullptr) {
    ASSIGN_OR_RETURN(notified, workspace_.sets().Take());
  }
  const bool folds = kCollects<P> && PullLists().size() > 1;
  pass.set_folds(!HasRelax<P> && PullLists().size() > 1);
  if (folds) {
    RETURN_IF_ERROR(PrepareSums());
    if (!kAppliesToAllOf<P>) {
      ASSIGN_OR_RETURN(received, workspace_.sets().Take());
      pass.set_received(received.get());
    }
  }
  Status status = notified == nullptr ? OkStatus() : Notify(pass, *notified);
  for (const Direction lists : PullLists()) {
    if (!status.ok()) break;
    if constexpr (DensePull<P>::kServes) {
      if (pass.from() == nullptr && graph_.num_blocks() > 0) {
        DensePull<P> puller(pass, lists);
        std::vector<uint64_t> blocks(graph_.num_blocks());
        std::iota(blocks.begin(), blocks.end(), uint64_t{0});
        status = PullFrom(puller, lists, std::move(blocks));
        continue;
      }
    }
    SelectivePull<P> puller(pass, lists, notified.get());
    status = puller.PullFirsts();
    if (!status.ok()) break;
    StatusOr<BlockPlan> plan = puller.Plan();
    status = plan.ok() ? PullFrom(puller, lists, plan->Blocks()) : plan.status();
  }
  if (status.ok() && folds) {
    pass.set_folds(false);
    status = TakeSums(pass);
  } else if (status.ok() && kAppliesToAllOf<P> && graph_.num_blocks() == 0) {
    status = TakeNothing(pass);
  }
  for (Members* members : {&notified, &received}) {
    if (*members != nullptr) workspace_.sets().Return(std::move(*members));
  }
  return status;
}

template <typename P>
template <typename Puller>
Status CpuBackend<P>::PullFrom(Puller& puller, Direction lists, std::vector<uint64_t> blocks) {
  if constexpr (DensePull<P>::kServes || SelectivePull<P>::kDecodesWhole) {
    RETURN_IF_ERROR(graph_.KeepBlockIds());
  }
  RETURN_IF_ERROR(Sweep(lists, kIsWeighted<P>, blocks,
                        [&](int thread, const BlockEdges& edges) -> StatusOr<bool> {
                          return puller.PullBlock(edges, thread);
                        }));
  puller.End(blocks);
  return OkStatus();
}

/// Marks who has an edge from what emits, and may take something.
template <typename P>
Status CpuBackend<P>::Notify(EdgePass<P>& pass, Frontier& notified) {
  for (const Direction lists : PushLists()) {
    ASSIGN_OR_RETURN(const BlockPlan plan, PlanPush(lists));
    const VertexIndexView index = graph_.index(lists);
    RETURN_IF_ERROR(
        Sweep(lists, false, plan.Blocks(), [&](int, const BlockEdges& edges) -> StatusOr<bool> {
          ListCursor<NoWeight> cursor(edges, graph_.num_vertices());
          FrontierBuffer buffer(notified);
          return VisitEmitting(
              pass, edges, index, [&](VertexId vertex, EdgeIndex first, EdgeIndex last) {
                return cursor.VisitList(vertex, first, last, [&](const ListPiece<NoWeight>& piece) {
                  for (uint32_t i = 0; i < piece.size; ++i) {
                    const VertexId target = piece.target(i);
                    if (pass.Receives(pass.program(), nullptr, target)) buffer.Add(target);
                  }
                  return true;
                });
              });
        }));
  }
  notified.Seal(graph_.threads());
  return OkStatus();
}

/// Gives all vertices what comes where there are no edges.
template <typename P>
Status CpuBackend<P>::TakeNothing(EdgePass<P>& pass) {
  return ForEachMember(graph_, nullptr, [&](std::span<const VertexId> members) {
    P program = pass.program();
    FrontierBatch active(*next_);
    for (const VertexId vertex : members) {
      pass.TakeSum(program, vertex, P::Monoid::identity(), active);
    }
    pass.KeepTallies(program);
  });
}

/// Has the sums a vertex be identities of this monoid.
template <typename P>
Status CpuBackend<P>::PrepareSums() {
  if constexpr (kCollects<P>) {
    CHECK(workspace_.has_sums());
    if (workspace_.HoldsIdentitiesOf(&kMonoidTag<typename P::Monoid>)) return OkStatus();
    const std::span<Sum> sums = workspace_.template sums<Sum>().first(graph_.num_vertices());
    ForEachChunk(sums.size(), FirstTouchGrain(sums.size(), graph_.threads()), graph_.threads(),
                 [&](size_t begin, size_t end) {
                   std::fill(sums.begin() + begin, sums.begin() + end, P::Monoid::identity());
                 });
  }
  return OkStatus();
}

template <typename P>
Status CpuBackend<P>::TakeSums(EdgePass<P>& pass) {
  if constexpr (kCollects<P>) {
    const std::span<Sum> sums = workspace_.template sums<Sum>();
    const Frontier* const received = pass.received();
    if (received != nullptr) pass.received()->Seal(graph_.threads());
    return ForEachMember(graph_, received, [&](std::span<const VertexId> members) {
      P program = pass.program();
      FrontierBatch active(*next_);
      for (const VertexId vertex : members) {
        const Sum sum = std::exchange(sums[vertex], P::Monoid::identity());
        if (!kAppliesToAllOf<P> && !CallCond(program, vertex)) continue;
        pass.TakeSum(program, vertex, sum, active);
      }
      pass.KeepTallies(program);
    });
  }
  return OkStatus();
}

}  // namespace edgemill

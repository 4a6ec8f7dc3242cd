// Executor's push and notify: every active vertex writes along its out-edges. Included by
// engine/executor.h.
#pragma once

#include "engine/executor.h"

namespace edgemill {

template <VertexProgram P>
StatusOr<BlockPlan> Executor<P>::PlanActive() {
  BlockPlan plan = NewPlan();
  if constexpr (kTraits.all_active) {
    plan.AddEdges(0, graph_.num_edges());
  } else {
    const VertexIndexView index = graph_.index(Direction::kOut);
    RETURN_IF_ERROR(current_.ForEach(graph_.threads(), [&](std::span<const VertexId> members) {
      for (const VertexId vertex : members) {
        plan.AddEdges(index.first_edge(vertex), index.first_edge(vertex + 1));
      }
    }));
  }
  return plan;
}

template <VertexProgram P>
template <typename Visit>
bool Executor<P>::VisitActive(const BlockEdges& edges, Visit visit) {
  const VertexIndexView index = graph_.index(Direction::kOut);
  if constexpr (kTraits.all_active) {
    return VisitVertices(edges, index, visit);
  } else {
    bool sound = true;
    const VertexId begin = edges.owned_begin - (edges.continues ? 1 : 0);
    current_.VisitRange(begin, edges.owned_end, [&](VertexId vertex) {
      const EdgeIndex first = index.first_edge(vertex);
      const EdgeIndex last = index.first_edge(vertex + 1);
      sound = first == last || visit(vertex, first, last);
      return sound;
    });
    return sound;
  }
}

template <VertexProgram P>
Status Executor<P>::SweepPush(const P& program, std::vector<uint64_t> blocks) {
  const auto prefetch = [&](VertexId target) {
    if constexpr (kTraits.order_independent) {
      program.Prefetch(target);
    } else {
      __builtin_prefetch(&accumulators_[target]);
    }
  };
  const auto push_block = [&](int, const BlockEdges& edges) -> StatusOr<bool> {
    ListCursor<Weight> cursor(edges, graph_.num_vertices());
    FrontierBuffer active(next_);
    FrontierBuffer received(notified_);
    const auto deliver = [&](VertexId target, Message message) {
      if constexpr (kTraits.order_independent) {
        if (program.Receive(target, message, context_)) active.Add(target);
      } else {
        Accumulate<P>(&accumulators_[target], message);
        if constexpr (kMarksReceivers) received.Add(target);
      }
    };
    return VisitActive(edges, [&](VertexId vertex, EdgeIndex first, EdgeIndex last) {
      Message message;
      if (!program.Send(vertex, context_, &message)) {
        if constexpr (!kTraits.all_active) active.Add(vertex);
        return true;
      }
      return cursor.VisitList(vertex, first, last, [&](const ListPiece<Weight>& piece) {
        // Atomic operations wait for one another: have the memory come before the first.
        for (uint32_t i = 0; i < piece.size; ++i) prefetch(piece.target(i));
        if constexpr (kTraits.early_exit && !kWeighted) {
          // Most are no longer wanted, which ones cannot be predicted.
          std::array<VertexId, kGroupSize> wanting;
          uint32_t count = 0;
          for (uint32_t i = 0; i < piece.size; ++i) {
            wanting[count] = piece.target(i);
            program.PrefetchState(wanting[count]);
            count += program.Wants(wanting[count]);
          }
          const Message sent = program.Along(message, Weight());
          for (uint32_t i = 0; i < count; ++i) deliver(wanting[i], sent);
        } else {
          for (uint32_t i = 0; i < piece.size; ++i) {
            deliver(piece.target(i), program.Along(message, piece.weight(i)));
          }
        }
        return true;
      });
    });
  };
  return graph_.Sweep(Direction::kOut, kWeighted, std::move(blocks), push_block);
}

template <VertexProgram P>
Status Executor<P>::Notify(const P& program) {
  notified_.Clear();
  ASSIGN_OR_RETURN(const BlockPlan plan, PlanActive());
  std::vector<uint64_t> blocks = plan.Blocks();
  recorder_.AddBlocks(blocks.size());
  const auto notify_block = [&](int, const BlockEdges& edges) -> StatusOr<bool> {
    ListCursor<NoWeight> cursor(edges, graph_.num_vertices());
    FrontierBuffer notified(notified_);
    return VisitActive(edges, [&](VertexId vertex, EdgeIndex first, EdgeIndex last) {
      return cursor.VisitList(vertex, first, last, [&](const ListPiece<NoWeight>& piece) {
        for (uint32_t i = 0; i < piece.size; ++i) {
          const VertexId target = piece.target(i);
          if (program.Wants(target)) notified.Add(target);
        }
        return true;
      });
    });
  };
  RETURN_IF_ERROR(graph_.Sweep(Direction::kOut, false, std::move(blocks), notify_block));
  notified_.Seal();
  return OkStatus();
}

template <VertexProgram P>
StatusOr<typename P::Aggregate> Executor<P>::ApplyAccumulators(const P& program) {
  const uint64_t num_chunks = (graph_.num_vertices() + kVertexChunk - 1) / kVertexChunk;
  std::vector<Aggregate> aggregates(num_chunks);
  RETURN_IF_ERROR(ParallelFor(
      graph_.num_vertices(), kVertexChunk, graph_.threads(), [&](size_t begin, size_t end) {
        Aggregate aggregate{};
        for (size_t i = begin; i < end; ++i) {
          const VertexId vertex = static_cast<VertexId>(i);
          if (Receives(program, kMarksReceivers, vertex)) {
            ApplyTo(program, vertex, Partial{accumulators_[i], true}, &aggregate, next_);
          }
          accumulators_[i] = P::Identity();
        }
        aggregates[begin / kVertexChunk] = aggregate;
        return OkStatus();
      }));
  if constexpr (kMarksReceivers) notified_.Clear();
  Aggregate total{};
  for (const Aggregate& aggregate : aggregates) total.Merge(aggregate);
  return total;
}

}  // namespace edgemill

// Executor's push and notify: every active vertex writes along its out-edges. Included by
// engine/old/cpu/executor.h.
#pragma once

#include "engine/old/cpu/executor.h"

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

/// Sends what one block's active vertices have to send.
template <VertexProgram P>
class Executor<P>::BlockPush {
 public:
  BlockPush(Executor& executor, const P& program, const BlockEdges& edges)
      : executor_(executor),
        program_(program),
        edges_(edges),
        cursor_(edges, executor.graph_.num_vertices()),
        active_(executor.next_, executor.passes_ > 0),
        received_(executor.notified_) {}

  /// False when the block is damaged.
  bool Run() {
    const auto add = [&](VertexId vertex, EdgeIndex first, EdgeIndex last) {
      if (first >= edges_.begin) {
        PrefetchGroup(static_cast<uint32_t>(first - edges_.begin) / kGroupSize);
      }
      ahead_[num_ahead_++] = {vertex, first, last};
      return num_ahead_ < ahead_.size() || PushAhead();
    };
    const auto send_rest = [&] {
      if (!PushAhead() || !PushShort()) return false;
      Deliver(0);
      group_ = kNoGroup;
      return true;
    };
    if constexpr (kTraits.asynchronous) {
      if (executor_.passes_ > 0) return executor_.PushLive(program_, edges_, add, send_rest);
    }
    return executor_.VisitActive(edges_, add) && send_rest();
  }

 private:
  bool PushVertex(VertexId vertex, EdgeIndex first, EdgeIndex last) {
    Message message;
    if (!program_.Send(vertex, executor_.context_, &message)) {
      if constexpr (!kTraits.all_active) active_.Add(vertex);
      return true;
    }
    if constexpr (!kTraits.all_active) {
      const bool few = last - first <= Lists::kFewEdges && first >= edges_.begin;
      const uint32_t place = static_cast<uint32_t>(first - edges_.begin);
      const uint32_t group = place / kGroupSize;
      if (few && (last - 1 - edges_.begin) / kGroupSize == group && !cursor_.holds(group)) {
        return AddShort(vertex, place, static_cast<uint32_t>(last - first), message, group);
      }
    }
    return PushList(vertex, first, last, message);
  }

  /// Puts a list among the short ones, unless these are too many of one group: then the group is
  /// decoded as a whole.
  bool AddShort(VertexId vertex, uint32_t place, uint32_t size, Message message, uint32_t group) {
    if (group != group_) {
      if (!short_.HasRoom(Lists::kFewEdges) && !PushShort()) return false;
      group_ = group;
      group_lists_ = short_.num_lists();
      group_edges_ = 0;
    }
    group_edges_ += size;
    if (group_edges_ <= Lists::kFewEdges) {
      short_.Add(vertex, place, size, message);
      return true;
    }
    const auto push = [&](VertexId source, uint32_t first, uint32_t edges, Message sent) {
      return PushList(source, edges_.begin + first, edges_.begin + first + edges, sent);
    };
    return short_.TakeBack(group_lists_, push) && push(vertex, place, size, message);
  }

  /// Decodes a list's groups.
  bool PushList(VertexId vertex, EdgeIndex first, EdgeIndex last, Message message) {
    return cursor_.VisitList(vertex, first, last, [&](const ListPiece<Weight>& piece) {
      if (num_sent_ > kMostSent - kGroupSize) Deliver(kKept);
      for (uint32_t i = 0; i < piece.size; ++i) {
        Send(piece.target(i), program_.Along(message, piece.weight(i)));
      }
      return true;
    });
  }

  bool PushShort() {
    if (short_.num_lists() == 0) return true;
    if (!short_.Decode(edges_, executor_.graph_.num_vertices())) return false;
    short_.VisitEdges([&](VertexId, VertexId target, Message message, Weight weight) {
      if (num_sent_ == kMostSent) Deliver(kKept);
      Send(target, program_.Along(message, weight));
    });
    group_ = kNoGroup;
    return short_.TakeBack(0, [](auto...) { return true; });
  }

  bool PushAhead() {
    for (uint32_t i = 0; i < num_ahead_; ++i) {
      if (!PushVertex(ahead_[i].vertex, ahead_[i].first, ahead_[i].last)) return false;
    }
    num_ahead_ = 0;
    return true;
  }
  void PrefetchGroup(uint32_t group) const {
    edges_.neighbors.Prefetch(group);
    if constexpr (std::is_same_v<Weight, int32_t>) edges_.packed_weights.Prefetch(group);
  }

  /// Has a message delivered some time later, when the memory that this asks for has come.
  void Send(VertexId target, Message message) {
    if constexpr (kTraits.order_independent) {
      program_.Prefetch(target);
    } else {
      __builtin_prefetch(&executor_.accumulators_[target]);
    }
    sent_[num_sent_] = target;
    messages_[num_sent_++] = message;
  }
  /// Delivers what was sent, but for the last `kept`.
  void Deliver(uint32_t kept) {
    const uint32_t end = num_sent_ - std::min(kept, num_sent_);
    uint32_t count = end;
    if constexpr (kHeeds) {
      // Most change nothing; which ones cannot be predicted.
      count = 0;
      for (uint32_t i = 0; i < end; ++i) {
        const VertexId target = sent_[i];
        const Message message = messages_[i];
        sent_[count] = target;
        messages_[count] = message;
        if constexpr (kPeeks) program_.PrefetchState(target);
        count += program_.Heeds(target, message);
      }
    }
    for (uint32_t i = 0; i < count; ++i) Deliver(sent_[i], messages_[i]);
    num_sent_ -= end;
    std::copy_n(&sent_[end], num_sent_, &sent_[0]);
    std::copy_n(&messages_[end], num_sent_, &messages_[0]);
  }
  void Deliver(VertexId target, Message message) {
    if constexpr (kTraits.order_independent) {
      if (!program_.Receive(target, message, executor_.context_)) return;
      if constexpr (kWantsTell) {
        if (executor_.wants_tell_) return;
      }
      active_.Add(target);
    } else {
      Accumulate<P>(&executor_.accumulators_[target], message);
      if constexpr (kMarksReceivers) received_.Add(target);
    }
  }

  using Lists = ShortLists<Weight, Message>;
  static constexpr bool kHeeds = requires(const P program) {
    program.Heeds(VertexId{0}, Message());
  };
  static constexpr uint32_t kNoGroup = ~uint32_t{0};
  static constexpr uint32_t kMostSent = 1024;
  /// Messages that the memory asked for last is waited for by: more than a core asks for at once.
  static constexpr uint32_t kKept = 128;
  struct List {
    VertexId vertex;
    EdgeIndex first;
    EdgeIndex last;
  };

  Executor& executor_;
  const P& program_;
  const BlockEdges& edges_;
  ListCursor<Weight> cursor_;
  FrontierBuffer active_;
  FrontierBuffer received_;
  Lists short_;
  uint32_t group_ = kNoGroup;   // whose lists are the last among the short ones
  uint32_t group_lists_ = 0;    // the first of them
  uint32_t group_edges_ = 0;    // of theirs
  std::array<List, 16> ahead_;  // whose groups' memory has been asked for
  uint32_t num_ahead_ = 0;
  std::array<VertexId, kMostSent> sent_;
  std::array<Message, kMostSent> messages_;
  uint32_t num_sent_ = 0;
};

template <VertexProgram P>
Status Executor<P>::SweepPush(const P& program, std::vector<uint64_t> blocks) {
  return graph_.Sweep(Direction::kOut, kWeighted, std::move(blocks),
                      [&](int, const BlockEdges& edges) -> StatusOr<bool> {
                        return BlockPush(*this, program, edges).Run();
                      });
}

template <VertexProgram P>
Status Executor<P>::Notify(const P& program) {
  notified_.Clear(graph_.threads());
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
  notified_.Seal(graph_.threads());
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
  if constexpr (kMarksReceivers) notified_.Clear(graph_.threads());
  Aggregate total{};
  for (const Aggregate& aggregate : aggregates) total.Merge(aggregate);
  return total;
}

}  // namespace edgemill

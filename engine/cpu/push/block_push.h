// Push in one block: vertices that emit send their messages along their edges.
#pragma once

#include <array>
#include <utility>

#include "engine/cpu/push/push_target.h"
#include "engine/cpu/push/sent_messages.h"
#include "engine/cpu/push/short_lists.h"

namespace edgemill {

/// Sends the messages of one block's emitting vertices. Large; on the stack of its thread.
template <typename P>
class BlockPush {
 public:
  using Message = MessageOfProgram<P>;
  using Weight = WeightAsked<P>;

  BlockPush(PushTarget<P>& target, const BlockEdges& edges, const VertexIndexView& index,
            const P& program)
      : target_(target),
        edges_(edges),
        program_(program),
        cursor_(edges, index.num_vertices),
        sent_(target) {}

  /// Adds a vertex with edges [first, last). Some of them lie in the block. False when the block is
  /// damaged.
  bool Add(VertexId vertex, EdgeIndex first, EdgeIndex last) {
    if (first >= edges_.begin) {
      PrefetchGroup(static_cast<uint32_t>(first - edges_.begin) / kGroupSize);
    }
    ahead_[num_ahead_++] = {vertex, first, last};
    return num_ahead_ < ahead_.size() || PushAhead();
  }
  /// Sends the messages that were not sent yet. False when the block is damaged.
  bool Finish() {
    if (!PushAhead() || !PushShort()) return false;
    sent_.DeliverAll(program_);
    short_.Clear();
    return true;
  }
  /// The program, with its tallies.
  const P& program() const { return program_; }

 private:
  using Lists = GroupedShortLists<Weight, Message>;
  struct List {
    VertexId vertex;
    EdgeIndex first;
    EdgeIndex last;
  };

  bool PushVertex(VertexId vertex, EdgeIndex first, EdgeIndex last) {
    const Message message = target_.pass().Sent(program_, vertex);
    if constexpr (!kIsSimpleOf<P>) {
      const bool few = last - first <= Lists::kFewEdges && first >= edges_.begin;
      const uint32_t place = static_cast<uint32_t>(first - edges_.begin);
      const uint32_t group = place / kGroupSize;
      if (few && (last - 1 - edges_.begin) / kGroupSize == group && !cursor_.holds(group)) {
        return AddShort(vertex, place, static_cast<uint32_t>(last - first), message);
      }
    }
    return PushList(vertex, first, last, message);
  }

  /// Adds a list to the short ones. Where the group then has too many edges in short lists, takes
  /// these lists out, and decodes the group as a whole.
  bool AddShort(VertexId vertex, uint32_t place, uint32_t size, Message message) {
    if (!short_.HasSpace(place) && !PushShort()) return false;
    if (short_.Add(vertex, place, size, message)) return true;
    const auto push = [&](VertexId source, uint32_t first, uint32_t edges, Message sent) {
      return PushList(source, edges_.begin + first, edges_.begin + first + edges, sent);
    };
    return short_.PopGroup(push) && push(vertex, place, size, message);
  }

  /// Decodes a list's groups.
  bool PushList(VertexId vertex, EdgeIndex first, EdgeIndex last, Message message) {
    VertexId before = kInvalidVertex;
    if (kIsSimpleOf<P> && first < edges_.begin) {
      before = target_.pass().graph().neighbor_memory().LastNeighborBefore(target_.lists(),
                                                                           edges_.block);
    }
    return cursor_.VisitList(vertex, first, last, [&](const ListChunk<Weight>& chunk) {
      sent_.MakeSpace(program_, kGroupSize);
      for (uint32_t i = 0; i < chunk.size; ++i) {
        const VertexId target = chunk.target(i);
        if constexpr (kIsSimpleOf<P>) {
          if (target == vertex || std::exchange(before, target) == target) continue;
        }
        sent_.Send(program_, target, CallAlong(program_, message, vertex, target, chunk.weight(i)));
      }
      return true;
    });
  }

  bool PushShort() {
    if (short_.empty()) return true;
    if (!short_.Decode(edges_, target_.pass().graph().num_vertices())) return false;
    short_.VisitEdges([&](VertexId source, VertexId target, Message message, Weight weight) {
      sent_.MakeSpace(program_, 1);
      sent_.Send(program_, target, CallAlong(program_, message, source, target, weight));
    });
    short_.Clear();
    return true;
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
    if constexpr (kIsWeighted<P>) {
      if (edges_.weights == WeightType::kInt32) edges_.packed_weights.Prefetch(group);
    }
  }

  PushTarget<P>& target_;
  const BlockEdges& edges_;
  P program_;
  ListCursor<Weight> cursor_;
  SentMessages<P> sent_;
  Lists short_;
  std::array<List, 16> ahead_;  // lists whose groups have been prefetched
  uint32_t num_ahead_ = 0;
};

}  // namespace edgemill

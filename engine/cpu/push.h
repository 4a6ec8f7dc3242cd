// Push: what emits writes along its edges.
#pragma once

#include <array>
#include <optional>
#include <utility>

#include "engine/cpu/edge_pass.h"
#include "engine/cpu/short_lists.h"
#include "engine/program/pass_coverage.h"
#include "engine/program/relax_trial.h"

namespace edgemill {

/// How pushes of one pass deliver, and what they leave behind.
template <typename P>
class PushTarget {
 public:
  using Message = MessageOfProgram<P>;
  using Sum = SumOfProgram<P>;

  /// `tells`: the pass's next set holds who was open before, and the closed bits will tell who has
  /// become active: that spares an atomic operation for each. `knows_closed`: the closed bits
  /// are those of Cond. `takes`: vertices are taken out of the next set meanwhile.
  struct Options {
    bool tells = false;
    bool knows_closed = false;
    bool takes = false;
  };
  PushTarget(EdgePass<P>& pass, Direction lists, const Options& options)
      : pass_(pass), lists_(lists), options_(options) {}

  EdgePass<P>& pass() const { return pass_; }
  Direction lists() const { return lists_; }
  bool takes() const { return options_.takes; }

  /// Asks for the memory that WouldTake looks at.
  void Prefetch(P& program, VertexId target) const {
    if constexpr (kTakesFirst<P>) {
      edgemill::Prefetch(&pass_.closed()[target / 64]);
    } else if constexpr (kCollects<P>) {
      edgemill::Prefetch(&pass_.workspace().template sums<Sum>()[target]);
    } else {
      PrefetchOwn(program, target);
    }
  }
  /// Whether a message could change anything as things stand. Most change nothing.
  static constexpr bool kAsks = kTakesFirst<P> || HasCond<P> || requires(const P program) {
    Tuning<P>::WouldRelax(program, VertexId{}, Sum{});
  };
  bool WouldTake(P& program, VertexId target, Message message) const {
    if constexpr (kTakesFirst<P>) {
      PrefetchOwn(program, target);
      return !TestBit(pass_.closed().data(), target);
    } else if constexpr (requires { Tuning<P>::WouldRelax(program, target, Sum(message)); }) {
      return CallWouldRelax(program, target, Sum(message));
    } else {
      return CallCond(program, target);
    }
  }
  void Deliver(P& program, VertexId target, Message message, FrontierBuffer& active,
               FrontierBuffer* received) {
    if constexpr (kTakesFirst<P>) {
      TakeFirst(program, target, message, active);
    } else if constexpr (!kMayPush<P>) {
      CHECK(false);  // DirectionPolicy does not choose to
    } else if constexpr (kCollects<P>) {
      CombineInto<typename P::Monoid>(&pass_.workspace().template sums<Sum>()[target],
                                      static_cast<Sum>(message));
      if (received != nullptr) received->Add(target);
    } else {
      if (CallRelax(program, target, static_cast<Sum>(message))) active.Add(target);
    }
  }

 private:
  void TakeFirst(P& program, VertexId target, Message message, FrontierBuffer& active) {
    uint64_t* const closed = pass_.closed().data();
    // Where Cond is true and another thread claims the vertex now, its bit is set already.
    if (HasCond<P> && !options_.knows_closed && !CallCond(program, target)) return;
    if (!AtomicSetBit(closed, target)) return;
    const bool is_in = CallApply(program, target, message);
    pass_.NoteClosing(program, target, is_in);
    if (is_in && !options_.tells) active.Add(target);
    if (!is_in && options_.tells) pass_.next().Decline(target);
  }

  EdgePass<P>& pass_;
  const Direction lists_;
  const Options options_;
};

/// Sends what one block's emitting vertices have to send. Large; on the stack of its thread.
template <typename P>
class BlockPush {
 public:
  using Message = MessageOfProgram<P>;
  using Weight = typename EdgePass<P>::Weight;

  BlockPush(PushTarget<P>& target, const BlockEdges& edges, const VertexIndexView& index,
            const P& program)
      : target_(target),
        edges_(edges),
        program_(program),
        cursor_(edges, index.num_vertices),
        active_(target.pass().next(), target.takes()) {
    if constexpr (kCollects<P>) {
      if (target.pass().received() != nullptr) received_.emplace(*target.pass().received());
    }
  }

  /// Adds a vertex with edges [first, last), of which some lie in the block. False when the block
  /// is damaged.
  bool Add(VertexId vertex, EdgeIndex first, EdgeIndex last) {
    if (first >= edges_.begin) {
      PrefetchGroup(static_cast<uint32_t>(first - edges_.begin) / kGroupSize);
    }
    ahead_[num_ahead_++] = {vertex, first, last};
    return num_ahead_ < ahead_.size() || PushAhead();
  }
  /// Sends what is left of all that was added. False when the block is damaged.
  bool Finish() {
    if (!PushAhead() || !PushShort()) return false;
    Deliver(0);
    group_ = kNoGroup;
    return true;
  }
  /// The program, with what it has added to its tallies.
  const P& program() const { return program_; }

 private:
  static_assert(sizeof(Message) <= kMostMessageBytes);
  using Lists = ShortLists<Weight, Message>;
  static constexpr uint32_t kNoGroup = ~uint32_t{0};
  static constexpr uint32_t kMostSent = 1024;
  /// Messages that the memory asked for last is waited for by: more than a core asks for at once.
  static constexpr uint32_t kKept = 128;
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
    VertexId before = kInvalidVertex;
    if (kIsSimpleOf<P> && first < edges_.begin) {
      before = target_.pass().LastNeighborBefore(target_.lists(), edges_.block);
    }
    return cursor_.VisitList(vertex, first, last, [&](const ListPiece<Weight>& piece) {
      if (num_sent_ > kMostSent - kGroupSize) Deliver(kKept);
      for (uint32_t i = 0; i < piece.size; ++i) {
        const VertexId target = piece.target(i);
        if constexpr (kIsSimpleOf<P>) {
          if (target == vertex || std::exchange(before, target) == target) continue;
        }
        Send(target, CallAlong(program_, message, vertex, target, piece.weight(i)));
      }
      return true;
    });
  }

  bool PushShort() {
    if (short_.num_lists() == 0) return true;
    if (!short_.Decode(edges_, target_.pass().graph().num_vertices())) return false;
    short_.VisitEdges([&](VertexId source, VertexId target, Message message, Weight weight) {
      if (num_sent_ == kMostSent) Deliver(kKept);
      Send(target, CallAlong(program_, message, source, target, weight));
    });
    group_ = kNoGroup;
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

  /// Has a message delivered some time later, when the memory that this asks for has come.
  void Send(VertexId target, Message message) {
    target_.Prefetch(program_, target);
    sent_[num_sent_] = target;
    messages_[num_sent_++] = message;
  }
  /// Delivers what was sent, but for the last `kept`.
  void Deliver(uint32_t kept) {
    const uint32_t end = num_sent_ - std::min(kept, num_sent_);
    uint32_t count = end;
    if constexpr (PushTarget<P>::kAsks) {
      // Which ones change anything cannot be predicted.
      count = 0;
      for (uint32_t i = 0; i < end; ++i) {
        const VertexId target = sent_[i];
        const Message message = messages_[i];
        sent_[count] = target;
        messages_[count] = message;
        count += target_.WouldTake(program_, target, message);
      }
    }
    for (uint32_t i = 0; i < count; ++i) {
      if constexpr (EDGEMILL_CHECK_VIEWS && HasCond<P> && !kTakesFirst<P>) {
        EM_COVER(not_asked_cond, i > 0 ? 1 : 0);
        if (!CallCond(program_, sent_[i])) EM_COVER(refused_late, 1);
      }
      target_.Deliver(program_, sent_[i], messages_[i], active_,
                      received_.has_value() ? &*received_ : nullptr);
    }
    num_sent_ -= end;
    std::copy_n(&sent_[end], num_sent_, &sent_[0]);
    std::copy_n(&messages_[end], num_sent_, &messages_[0]);
  }

  PushTarget<P>& target_;
  const BlockEdges& edges_;
  P program_;
  ListCursor<Weight> cursor_;
  FrontierBuffer active_;
  std::optional<FrontierBuffer> received_;
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

/// Calls `visit(vertex, first, last)` for each of the block's vertices that emits and has edges;
/// false stops. Returns what the last visit did.
template <typename P, typename Visit>
bool VisitEmitting(const EdgePass<P>& pass, const BlockEdges& edges, const VertexIndexView& index,
                   Visit visit) {
  if (pass.from() == nullptr) return VisitVertices(edges, index, visit);
  bool sound = true;
  const VertexId begin = edges.owned_begin - (edges.continues ? 1 : 0);
  pass.from()->VisitRange(begin, edges.owned_end, [&](VertexId vertex) {
    const EdgeIndex first = index.first_edge(vertex);
    const EdgeIndex last = index.first_edge(vertex + 1);
    sound = first == last || visit(vertex, first, last);
    return sound;
  });
  return sound;
}

}  // namespace edgemill

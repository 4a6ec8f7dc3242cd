// One pass of an edge program on the model.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/status.h"
#include "engine/model/model_gather.h"
#include "engine/model/model_operation.h"
#include "engine/program/edge_program.h"
#include "engine/program/operator_types.h"

namespace edgemill::model {

/// The graph, the active vertices and the choices of one pass.
struct PassInput {
  const Graph& graph;
  const Mode& mode;
  Directions directions;
  const Bits& from;
  bool may_run_asynchronously;
  double bound = std::numeric_limits<double>::infinity();  // priorities below it emit
};
struct PassResult {
  Bits next;
  Bits taken;  // vertices that became active and emitted in the same pass
};

inline Directions Reverse(Directions directions) {
  if (directions == Directions::kBoth) return directions;
  return directions == Directions::kOut ? Directions::kIn : Directions::kOut;
}

template <typename P>
double PriorityOf(const P& program, VertexId vertex) {
  const CallScope<P> scope("Priority", vertex);
  return static_cast<double>(program.Priority(vertex));
}

/// The least priority of the vertices that wait; kNoBound where none waits, or may emit.
template <typename P>
double LeastPriority(const Bits& waiting, const P& program) {
  double least = kNoBound;
  for (const VertexId v : MembersOf(waiting)) least = std::min(least, PriorityOf(program, v));
  return least;
}
/// The vertices that wait with a priority below `bound`.
template <typename P>
Bits Due(const Bits& waiting, const P& program, double bound) {
  Bits due(waiting.size());
  for (const VertexId v : MembersOf(waiting)) {
    if (PriorityOf(program, v) < bound) due[v] = 1;
  }
  return due;
}

template <typename P>
class Pass {
 public:
  using Message = MessageOfProgram<P>;

  /// `closed` has the vertices whose Cond has been false since the operator began.
  Pass(const PassInput& input, Operation<P>& operation, Bits& closed, Chance& chance)
      : input_(input),
        operation_(operation),
        closed_(closed),
        chance_(chance),
        result_{Bits(num_vertices()), Bits(num_vertices())},
        touched_(num_vertices()),
        claimed_(num_vertices()),
        gathered_(num_vertices()),
        emitted_(num_vertices()) {}

  StatusOr<PassResult> Run() {
    RETURN_IF_ERROR(operation_.BeginPass(input_.mode.two_processors));
    owners_ = chance_.Owners(num_vertices(), operation_.two());
    Move move = input_.mode.move;
    if (move == Move::kAny) {
      move = std::array{Move::kPush, Move::kPull, Move::kNotifyPull}[chance_.Next() % 3];
    }
    way_.relaxes = HasRelax<P> && input_.mode.relax && move == Move::kPush;
    way_.asynchronous = kMayRunAsynchronously<P> && input_.may_run_asynchronously &&
                        input_.mode.asynchronous && (way_.relaxes || kTakesFirst<P>);
    // The messages of a program that consumes are made before any message is taken. Without Relax,
    // Emit reads no array that is written, so a snapshot must make no difference.
    way_.snapshot = kConsumes<P> || (!HasRelax<P> && chance_.Coin());
    if (way_.snapshot) {
      std::vector<VertexId> members = MembersOf(input_.from);
      chance_.Shuffle(members);
      for (const VertexId u : members) emitted_[u] = Emit(owners_[u], u);
    }
    if (move == Move::kPush) {
      Push();
    } else {
      Pull(move == Move::kNotifyPull);
    }
    RETURN_IF_ERROR(operation_.EndPass(touched_, owners_));
    return std::move(result_);
  }

 private:
  /// How messages are taken, and whether they are made before any is.
  struct Way {
    bool relaxes = false;
    bool asynchronous = false;
    bool snapshot = false;
  };

  uint64_t num_vertices() const { return input_.graph.num_vertices(); }
  Message Emit(int p, VertexId u) {
    if constexpr (kConsumes<P>) {
      touched_[u] = 1;
      const CallScope<P> scope("Emit", u);
      return operation_.at(p).Emit(u);
    } else {
      const CallScope<P> scope("Emit", u, !HasRelax<P> && !way_.snapshot);
      const P& program = operation_.at(p);
      return Twice([&] { return Message(program.Emit(u)); });
    }
  }
  /// What `call` returns. It must do so any number of times, unless each time leaves a trace.
  template <typename Call>
  Message Twice(Call call) const {
    const Message message = call();
    if (operation_.may_try() && !Same(message, call())) {
      RecordViolation("says something else when it is called again for the same vertices");
    }
    return message;
  }
  Message Sent(int p, VertexId u) { return way_.snapshot ? emitted_[u] : Emit(p, u); }
  Message Along(int p, Message message, VertexId from, VertexId to, double weight) {
    const P& program = operation_.at(p);
    const CallScope<P> scope("Along", to, from, to);
    if constexpr (kIsWeighted<P>) {
      using W = WeightAsked<P>;
      const WeightedEdge<W> edge{{from, to}, static_cast<W>(weight)};
      return Twice([&] { return Message(program.Along(message, edge)); });
    } else if constexpr (HasAlong<P, Edge>) {
      return Twice([&] { return Message(program.Along(message, Edge{from, to})); });
    } else {
      return message;
    }
  }
  bool Cond(int p, VertexId v) {
    if constexpr (HasCond<P>) {
      const CallScope<P> scope("Cond", v);
      const bool open = std::as_const(operation_.at(p)).Cond(v);
      if (p != owners_[v]) return open;  // only the owner's copy is up to date
      if (open && closed_[v] != 0) RecordViolation("was false at a vertex and is true again");
      if (!open) closed_[v] = 1;
      return open;
    }
    return true;
  }
  bool IsEnough(int p, VertexId v, const Gathered<P>& gathered) {
    if constexpr (HasEnough<P>) {
      const CallScope<P> scope("Enough", v);
      return gathered.any() && std::as_const(operation_.at(p)).Enough(v, gathered.sum());
    }
    return false;
  }
  bool IsDue(int p, VertexId u) {
    if constexpr (HasPriority<P>) return PriorityOf(operation_.at(p), u) < input_.bound;
    return true;
  }
  /// Whether a kSimple program does not see the entry. Lists are sorted, so duplicates are
  /// neighbours. The first entry of a part is compared with the last of the part before.
  bool Skipped(const ListPart& part, uint64_t i) const {
    if (!kIsSimpleOf<P> || Has(Fault::kSeesDuplicates)) return false;
    const auto& edges = part.lists->edges;
    return edges[i].from == edges[i].to ||
           (i > part.lists->offsets[part.vertex] && edges[i - 1].to == edges[i].to);
  }

  /// Relaxes one message on the copy of processor `p`.
  bool Relax(int p, VertexId v, const Message& message) {
    if constexpr (HasRelax<P>) {
      const CallScope<P> scope("Relax", v);
      if (!kIsIdempotent<typename P::Monoid> || !operation_.writes_only_own()) {
        return operation_.at(p).Relax(v, message);
      }
      const std::string before = operation_.StateOf(p, v);
      const bool changed = operation_.at(p).Relax(v, message);
      if (changed != (operation_.StateOf(p, v) != before)) {
        RecordViolation(changed ? "is true though nothing changed" : "is false after a change");
      }
      return changed;
    }
    return false;
  }
  /// The owner takes a sum, or the first message.
  bool Apply(VertexId v, const SumOfProgram<P>& sum) {
    if constexpr (HasApply<P>) {
      const CallScope<P> scope("Apply", v);
      return operation_.at(owners_[v]).Apply(v, sum);
    }
    return false;
  }
  /// The owner takes the messages gathered for `v`.
  void Take(VertexId v) {
    Gathered<P>& gathered = gathered_[v];
    if (!gathered.any() && !kAppliesToAllOf<P>) return;
    if constexpr (kTakesFirst<P>) {
      TakeFirst(v, gathered.sum());
    } else if (Cond(owners_[v], v)) {
      if constexpr (HasApply<P>) {
        touched_[v] = 1;
        if (Apply(v, gathered.sum())) result_.next[v] = 1;
      } else {
        RelaxSum(v, gathered);
      }
    }
  }
  /// The owner relaxes a sum, or all its parts where a sum is not a message.
  void RelaxSum(VertexId v, Gathered<P>& gathered) {
    touched_[v] = 1;
    bool changed = false;
    if constexpr (kRelaxesParts<P>) {
      chance_.Shuffle(gathered.parts());
      for (const Message& part : gathered.parts()) changed |= Relax(owners_[v], v, part);
    } else if constexpr (std::is_same_v<Message, SumOfProgram<P>>) {
      changed = Relax(owners_[v], v, gathered.sum());
    }
    if (changed) result_.next[v] = 1;
  }
  /// The owner takes a message of a first-wins program, unless the vertex took one in this pass.
  void TakeFirst(VertexId v, const Message& message) {
    if (claimed_[v] != 0 && !Has(Fault::kTakesTwice)) return;
    if (!Cond(owners_[v], v)) return;
    claimed_[v] = touched_[v] = 1;
    if (Apply(v, message)) result_.next[v] = 1;
  }
  void TakeRest(const Bits& done) {
    std::vector<VertexId> rest;
    for (VertexId v = 0; v < num_vertices(); ++v) {
      if (done[v] == 0) rest.push_back(v);
    }
    chance_.Shuffle(rest);
    for (const VertexId v : rest) Take(v);
  }

  /// Delivers a message that processor `p` pushes to `v`.
  void Deliver(int p, VertexId v, const Message& message) {
    if (HasCond<P> && chance_.Coin()) {
      ++coverage.not_asked_cond;
    } else if (!Cond(p, v)) {
      return;
    }
    const bool owns = owners_[v] == p;
    if (kTakesFirst<P> && owns) return TakeFirst(v, message);
    if (way_.relaxes && owns) {
      touched_[v] = 1;
      if (Relax(p, v, message)) result_.next[v] = 1;
      return;
    }
    if (way_.relaxes && operation_.may_try() && chance_.Coin()) {
      // Relaxes on the sender's copy, which is overwritten later. A message of an idempotent monoid
      // that changes nothing there is dropped. It would not change the owner's value either.
      touched_[v] = 1;
      ++coverage.relaxed_stale;
      const bool changed = Relax(p, v, message);
      if (kIsIdempotent<typename P::Monoid> && !changed) {
        ++coverage.dropped;
        return;
      }
    }
    if (kTakesFirst<P> && gathered_[v].any() && chance_.Coin()) {
      ++coverage.dropped;
      return;
    }
    coverage.sent_to_owner += owns ? 0 : 1;
    gathered_[v].Add(message, chance_, monoid_);
  }
  void PushPart(int p, const ListPart& part, const Message& message) {
    std::vector<uint64_t> order;
    for (uint64_t i = part.begin; i < part.end; ++i) {
      if (!Skipped(part, i)) order.push_back(i);
    }
    chance_.Shuffle(order);
    for (const uint64_t i : order) {
      const InputEdge& e = part.lists->edges[i];
      Deliver(p, e.to, Along(p, message, e.from, e.to, e.weight));
    }
  }
  void Push() {
    const auto lists = input_.graph.lists(input_.directions);
    for (Block& block : chance_.Blocks(lists, operation_.two())) {
      const int p = block.processor;
      chance_.Shuffle(block.parts);
      for (const ListPart& part : block.parts) {
        if (input_.from[part.vertex] != 0) PushPart(p, part, Sent(p, part.vertex));
      }
      if (!way_.asynchronous || lists.size() > 1) continue;
      for (int round = 0; round < 3; ++round) {
        for (const ListPart& part : block.parts) EmitAgain(p, part);
      }
    }
    TakeRest(Bits(num_vertices()));
  }
  /// Lets a vertex that has become active emit at once, if its whole list is in the block.
  void EmitAgain(int p, const ListPart& part) {
    const VertexId u = part.vertex;
    if (!part.whole || owners_[u] != p || result_.next[u] == 0 || chance_.Coin() || !IsDue(p, u))
      return;
    result_.next[u] = 0;
    result_.taken[u] = 1;
    ++coverage.taken_in_pass;
    PushPart(p, part, Emit(p, u));
  }

  /// The vertices that a pull visits: with `notify` those that have an active neighbour, else all.
  Bits Notified(bool notify) {
    Bits notified(num_vertices(), notify ? 0 : 1);
    if (!notify) return notified;
    for (const Lists* lists : input_.graph.lists(input_.directions)) {
      for (const InputEdge& edge : lists->edges) {
        if (input_.from[edge.from] != 0) notified[edge.to] = 1;
      }
    }
    return notified;
  }
  void Pull(bool notify) {
    const Bits notified = Notified(notify);
    Bits done(num_vertices());
    std::vector<uint32_t> parts_left(num_vertices());
    const auto lists = input_.graph.lists(Reverse(input_.directions));
    const auto blocks = chance_.Blocks(lists, operation_.two());
    for (const Block& block : blocks) {
      for (const ListPart& part : block.parts) ++parts_left[part.vertex];
    }
    for (const Block& block : blocks) {
      for (const ListPart& part : block.parts) {
        const VertexId v = part.vertex;
        if (notified[v] != 0) PullPart(block.processor, part);
        if (--parts_left[v] == 0 && chance_.Coin()) {
          done[v] = 1;
          Take(v);
        }
      }
    }
    TakeRest(done);
  }
  void PullPart(int p, const ListPart& part) {
    const VertexId v = part.vertex;
    if (!Cond(p, v)) return;
    coverage.split_lists += part.whole ? 0 : 1;
    const bool has_one = claimed_[v] != 0 || gathered_[v].any();
    if (((kTakesFirst<P> && has_one) || IsEnough(p, v, gathered_[v])) && chance_.Coin()) {
      ++coverage.early_exits;
      return;
    }
    Gathered<P> partial;
    for (uint64_t i = part.begin; i < part.end; ++i) {
      const InputEdge& in = part.lists->edges[i];  // in.to is the sender
      if (Skipped(part, i) || input_.from[in.to] == 0) continue;
      const Message message = Along(p, Sent(p, in.to), in.to, v, in.weight);
      if (kTakesFirst<P> && owners_[v] == p && chance_.Coin()) {
        TakeFirst(v, message);
      } else {
        partial.Add(message, chance_, monoid_);
      }
      if ((kTakesFirst<P> || IsEnough(p, v, partial)) && chance_.Coin()) {
        ++coverage.early_exits;
        break;
      }
    }
    if (HasRelax<P> && !HasApply<P> && owners_[v] == p && partial.any() && chance_.Coin()) {
      return RelaxSum(v, partial);  // before the other parts of the list are known
    }
    if (Has(Fault::kLosesPartialSum) && !part.whole && gathered_[v].any()) return;
    gathered_[v].Merge(partial, chance_);
  }
  bool Has(Fault fault) const { return input_.mode.fault == fault; }

  const PassInput& input_;
  Operation<P>& operation_;
  Bits& closed_;
  Chance& chance_;
  Bits owners_;
  Way way_;
  PassResult result_;
  Bits touched_;
  Bits claimed_;
  std::vector<Gathered<P>> gathered_;
  std::vector<Message> emitted_;
  MonoidCheck<typename P::Monoid> monoid_;
};

}  // namespace edgemill::model

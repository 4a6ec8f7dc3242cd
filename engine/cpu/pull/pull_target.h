// The receivers of pulls: which vertices may take a message, and how they take the sum of a list.
#pragma once

#include <bit>
#include <span>

#include "common/check.h"
#include "engine/cpu/pass/edge_pass.h"
#include "engine/cpu/pass/vertex_sums.h"
#include "engine/program/pass_coverage.h"
#include "engine/program/sets/vertex_range.h"

namespace edgemill {

/// The sum of a part of a list, for the list's vertex. `any`: the part had a message.
template <typename P>
struct PartialSum {
  SumOfProgram<P> sum = P::Monoid::identity();
  bool any = false;

  void Add(SumOfProgram<P> more) {
    sum = any ? P::Monoid::Combine(sum, more) : more;  // the monoid Any has no true identity
    any = true;
  }
  void Add(const PartialSum& other) {
    if (other.any) Add(other.sum);
  }
};

/// Of a program with lanes: the rows of the senders together. They do not wait for other parts of
/// the list, because Relax takes parts: for these, `any` says whether it changed anything.
template <typename P>
requires kHasLanes<P>
struct PartialSum<P> {
  VertexId sum = kInvalidVertex;  // the vertex whose messages `row` has
  bool any = false;
  uint32_t count = 0;  // of messages
  typename P::Row row = {};

  /// Adds the message of `sender`. Returns whether the rest of the list is not needed.
  bool AddFrom(const P& program, VertexId sender, VertexId vertex) {
    constexpr uint32_t kTestEach = 4;
    program.AddSent(sender, &row);
    sum = vertex;
    if (++count % kTestEach != 0 || !program.HasEnough(vertex, row)) return false;
    EM_COVER(early_exits, 1);
    return true;
  }
  /// Makes the vertex take the row. Returns whether that, or an earlier part, changed anything.
  bool Relax(const P& program) const {
    return (sum != kInvalidVertex && program.RelaxRow(sum, row)) || any;
  }
  /// The same for a part of a list: what is left for the parts together.
  PartialSum Taken(const P& program) const { return {.any = Relax(program)}; }
  void Add(const PartialSum& other) { any |= other.any; }
};

/// A range of lists of a block, by their numbers.
struct ListRange {
  uint32_t begin = 0, end = 0;
};

/// The data of the pull from one block.
template <typename P>
struct PulledBlock {
  P program;  // the thread's copy
  FrontierBatch active;
  PartialSum<P> begins_before;  // of the list that goes on from the block before
  PartialSum<P> ends_after;     // of the list that goes on in the next block
};

/// The receivers of one pass that pull from the lists of one direction.
template <typename P>
class PullTarget {
 public:
  using Partial = PartialSum<P>;
  using Weight = WeightAsked<P>;

  /// `notified`: null, or the only vertices that may take messages. `sums`: null, or where messages
  /// are kept until the lists of another direction, or other teams, have added theirs. `closes`: a
  /// vertex that has taken a message is closed at once, because the lists of the other direction
  /// bring more messages to it in this pass. `beyond`: if the pass's last block ends
  /// in the middle of a list, it gets that list's sum so far; null: the list's vertex takes it.
  struct Options {
    const Frontier* notified = nullptr;
    VertexSums<P>* sums = nullptr;
    bool closes = false;
    Partial* beyond = nullptr;
  };
  PullTarget(EdgePass<P>& pass, Direction lists, const Options& options)
      : pass_(pass), lists_(lists), index_(pass.graph().index(lists)), options_(options) {
    CHECK(!kTakesFirst<P> || pass.closed() != nullptr);
  }

  EdgePass<P>& pass() const { return pass_; }
  Direction lists() const { return lists_; }
  const VertexIndexView& index() const { return index_; }
  const Frontier* notified() const { return options_.notified; }
  /// Whether messages are kept for a later Apply.
  bool keeps_sums() const { return options_.sums != nullptr; }
  Partial* beyond() const { return options_.beyond; }

  /// Removes `vertices`, a bit for each vertex, from the Receivers, because their lists bring no
  /// message. Those that emit stay. May be empty.
  void LeaveOut(std::span<const uint64_t> vertices) {
    CHECK(vertices.empty() || pass_.from() != nullptr);  // vertices that emit are not removed
    left_out_ = vertices;
  }
  /// Bit i says whether vertex 64 * word + i is in [begin, end), and may take a message.
  uint64_t Receivers(const P& program, uint64_t word, uint64_t begin, uint64_t end) const;
  bool Receives(const P& program, VertexId vertex) const {
    if constexpr (kAppliesToAllOf<P>) return true;
    if (options_.notified != nullptr && !options_.notified->Test(vertex)) return false;
    if constexpr (kTakesFirst<P>) return !TestBit(pass_.closed()->words().data(), vertex);
    return CallCond(program, vertex);
  }
  /// Adds the message of `sender` for `vertex` to `partial`, if `sender` emits. Returns whether the
  /// rest of the list is needed.
  bool PullFrom(P& program, VertexId sender, VertexId vertex, Weight weight,
                Partial* partial) const {
    if (!pass_.Emits(sender)) return true;
    const auto sent = pass_.Sent(program, sender);
    if constexpr (kHasLanes<P>) {
      return !partial->AddFrom(program, sender, vertex);
    } else {
      partial->Add(CallAlong(program, sent, sender, vertex, weight));
    }
    const bool enough = kTakesFirst<P> || CallEnough(program, vertex, partial->sum);
    if (enough && index_.degree(vertex) > 1) EM_COVER(early_exits, 1);
    return !enough;
  }
  /// Gives `vertex` the sum of its list. Only one thread handles a list. `active`: a Frontier or
  /// FrontierBatch.
  template <typename Active>
  void Take(P& program, VertexId vertex, const Partial& partial, Active& active) {
    if constexpr (kHasLanes<P>) {
      if (partial.Relax(program)) active.Add(vertex);
      return;
    }
    if (!kAppliesToAllOf<P> && !partial.any) return;
    if constexpr (kCollects<P>) {
      if (options_.sums != nullptr) {
        if (partial.any) options_.sums->Add(vertex, partial.sum);
        return;
      }
    }
    const bool becomes_active = CallTake(program, vertex, partial.sum);
    if (becomes_active) active.Add(vertex);
    if constexpr (kTakesFirst<P>) {
      pass_.closed()->NoteTaken(program, vertex, becomes_active);
      if (options_.closes) AtomicSetBit(pass_.closed()->words().data(), vertex);
    }
  }

 private:
  EdgePass<P>& pass_;
  const Direction lists_;
  const VertexIndexView index_;
  const Options options_;
  std::span<const uint64_t> left_out_;
};

template <typename P>
uint64_t PullTarget<P>::Receivers(const P& program, uint64_t word, uint64_t begin,
                                  uint64_t end) const {
  uint64_t bits = BitsWithin(word, begin, end);
  if constexpr (!kAppliesToAllOf<P>) {
    if (options_.notified != nullptr) bits &= options_.notified->words()[word];
    if constexpr (kTakesFirst<P>) bits &= ~LoadRelaxed(&pass_.closed()->words()[word]);
    if (!left_out_.empty()) bits &= ~left_out_[word] | pass_.from()->words()[word];
    if (bits != 0) bits &= pass_.graph().indexes().HaveEdges(lists_, word);
    if constexpr (HasCond<P> && !kTakesFirst<P>) {
      for (uint64_t rest = bits; rest != 0; rest &= rest - 1) {
        const uint64_t vertex = word * 64 + static_cast<uint64_t>(std::countr_zero(rest));
        if (!CallCond(program, static_cast<VertexId>(vertex))) bits ^= rest & -rest;
      }
    }
  }
  return bits;
}

}  // namespace edgemill

// How pulls of one pass deliver: which vertices may take something, and what becomes of what a list
// brings.
#pragma once

#include <bit>
#include <span>

#include "common/check.h"
#include "engine/cpu/pass/edge_pass.h"
#include "engine/cpu/pass/vertex_sums.h"
#include "engine/program/pass_coverage.h"

namespace edgemill {

/// What a part of a list brings its receiver.
template <typename P>
struct PartialSum {
  SumOfProgram<P> sum = P::Monoid::identity();
  bool any = false;

  void Add(SumOfProgram<P> more) {
    sum = any ? P::Monoid::Combine(sum, more) : more;  // Any has no neutral element
    any = true;
  }
  void Add(const PartialSum& other) {
    if (other.any) Add(other.sum);
  }
};

/// Lists of a block, by number, and vertices.
struct ListRange {
  uint32_t begin = 0, end = 0;
};
struct VertexRange {
  uint64_t begin = 0, end = 0;
};

/// What the pull of one block works on.
template <typename P>
struct PulledBlock {
  P program;  // the thread's
  FrontierBatch active;
  PartialSum<P> begins_before;  // of the list that goes on from the block before
  PartialSum<P> ends_after;     // of the one that goes on in the next block
};

/// The receivers of one pass that pull from the lists of one direction.
template <typename P>
class PullTarget {
 public:
  using Partial = PartialSum<P>;
  using Weight = WeightAsked<P>;

  /// `notified`: null, or the only vertices that may take something. `sums`: null, or where
  /// messages are put aside because another direction's lists bring more of them. `closes`: a
  /// vertex that has taken a message is closed at once, because another direction's lists bring
  /// others in this pass. `beyond`: where the pass's blocks end within a list, the part that this
  /// list has received goes there; null: to its vertex.
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
  /// Whether messages are put aside for a later Apply.
  bool folds() const { return options_.sums != nullptr; }
  Partial* beyond() const { return options_.beyond; }

  /// Takes those of these, a bit a vertex, that do not emit out of the Receivers: their lists bring
  /// nothing. May be empty.
  void LeaveOut(std::span<const uint64_t> vertices) {
    CHECK(vertices.empty() || pass_.from() != nullptr);  // those that emit stay in
    left_out_ = vertices;
  }
  /// Of the vertices 64 * word + i in [begin, end), those that may take something, as bits i.
  uint64_t Receivers(const P& program, uint64_t word, uint64_t begin, uint64_t end) const;
  bool Receives(const P& program, VertexId vertex) const {
    if constexpr (kAppliesToAllOf<P>) return true;
    if (options_.notified != nullptr && !options_.notified->Test(vertex)) return false;
    if constexpr (kTakesFirst<P>) return !TestBit(pass_.closed()->words().data(), vertex);
    return CallCond(program, vertex);
  }
  /// Adds to `partial` what `sender` sends to `vertex`, if it emits. Returns whether the rest of
  /// the list is needed.
  bool PullFrom(P& program, VertexId sender, VertexId vertex, Weight weight,
                Partial* partial) const {
    if (!pass_.Emits(sender)) return true;
    const auto sent = pass_.Sent(program, sender);
    partial->Add(CallAlong(program, sent, sender, vertex, weight));
    const bool enough = kTakesFirst<P> || CallEnough(program, vertex, partial->sum);
    if (enough && index_.degree(vertex) > 1) EM_COVER(early_exits, 1);
    return !enough;
  }
  /// Gives `vertex` what its list brought. Only one thread handles its list. `active`: a Frontier
  /// or FrontierBatch.
  template <typename Active>
  void Take(P& program, VertexId vertex, const Partial& partial, Active& active) {
    if (!kAppliesToAllOf<P> && !partial.any) return;
    if constexpr (kCollects<P>) {
      if (options_.sums != nullptr) {
        if (partial.any) options_.sums->Add(vertex, partial.sum);
        return;
      }
    }
    const bool is_in = CallTake(program, vertex, partial.sum);
    if (is_in) active.Add(vertex);
    if constexpr (kTakesFirst<P>) {
      pass_.closed()->NoteTaken(program, vertex, is_in);
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

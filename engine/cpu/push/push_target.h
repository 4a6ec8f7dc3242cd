// The receivers of pushes: which vertices would take a message, and how they take it.
#pragma once

#include "common/check.h"
#include "engine/cpu/pass/edge_pass.h"
#include "engine/cpu/pass/vertex_sums.h"
#include "engine/program/pass_coverage.h"
#include "engine/program/relax_trial.h"

namespace edgemill {

/// The receivers of one pass that pushes along the lists of one direction.
template <typename P>
class PushTarget {
 public:
  using Message = MessageOfProgram<P>;
  using Sum = SumOfProgram<P>;

  /// `sums`: where messages of programs that collect are added up. `by_closed_bits`: the pass's
  /// next set holds the vertices that were open before the pass. Afterwards, those that are not
  /// closed are removed. This saves an atomic operation for each active vertex. `takes`: vertices
  /// are removed from the next set while the pass adds others.
  struct Options {
    VertexSums<P>* sums = nullptr;
    bool by_closed_bits = false;
    bool takes = false;
  };
  PushTarget(EdgePass<P>& pass, Direction lists, const Options& options)
      : pass_(pass),
        lists_(lists),
        options_(options),
        knows_closed_(pass.closed() != nullptr && pass.closed()->matches_cond()) {
    CHECK(!kTakesFirst<P> || pass.closed() != nullptr);
    CHECK(!kCollects<P> || options.sums != nullptr);
    CHECK(!options.by_closed_bits || !options.takes);  // the next set also holds open vertices
  }

  EdgePass<P>& pass() const { return pass_; }
  Direction lists() const { return lists_; }
  bool takes() const { return options_.takes; }
  /// The vertices that have received messages: null where the set is not needed.
  Frontier* received() const { return options_.sums->received(); }

  /// Prefetches the memory that WouldTake reads.
  void Prefetch(P& program, VertexId target) const {
    if constexpr (kTakesFirst<P>) {
      edgemill::Prefetch(&pass_.closed()->words()[target / 64]);
    } else if constexpr (kCollects<P>) {
      edgemill::Prefetch(&options_.sums->of(target));
    } else {
      PrefetchOwn(program, target);
    }
  }
  /// Whether WouldTake is called before messages are delivered: whether a message could change
  /// anything in the present state. Most messages change nothing.
  static constexpr bool kAsks = kTakesFirst<P> || HasCond<P> || requires(const P program) {
    Tuning<P>::WouldRelax(program, VertexId{}, Sum{});
  };
  bool WouldTake(P& program, VertexId target, Message message) const {
    if constexpr (kTakesFirst<P>) {
      PrefetchOwn(program, target);
      return !TestBit(pass_.closed()->words().data(), target);
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
    } else if constexpr (!kCanPush<P>) {
      CHECK(false);  // DirectionPolicy chooses no push
    } else if constexpr (kCollects<P>) {
      CombineInto<typename P::Monoid>(&options_.sums->of(target), static_cast<Sum>(message));
      if (received != nullptr) received->Add(target);
    } else {
      if (CallRelax(program, target, static_cast<Sum>(message))) active.Add(target);
    }
  }

 private:
  void TakeFirst(P& program, VertexId target, Message message, FrontierBuffer& active) {
    // If Cond is true, but another thread claims the vertex at this moment, the bit is set already.
    if (HasCond<P> && !knows_closed_ && !CallCond(program, target)) return;
    if (!AtomicSetBit(pass_.closed()->words().data(), target)) return;
    const bool is_in = CallApply(program, target, message);
    pass_.closed()->NoteTaken(program, target, is_in);
    if (is_in && !options_.by_closed_bits) active.Add(target);
    if (!is_in && options_.by_closed_bits) pass_.next().RemoveAssigned(target);
  }

  EdgePass<P>& pass_;
  const Direction lists_;
  const Options options_;
  const bool knows_closed_;  // a clear bit says that Cond is true
};

}  // namespace edgemill

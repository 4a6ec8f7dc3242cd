// One pass of an edge program over a graph's lists: what every way of moving messages shares.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <utility>
#include <vector>

#include "common/parallel.h"
#include "common/thread_annotations.h"
#include "engine/cpu/active_sets.h"
#include "engine/cpu/workspace.h"
#include "engine/graph/loaded_graph.h"
#include "engine/plan/block_plan.h"
#include "engine/program/edge_program.h"
#include "engine/program/frontier.h"
#include "engine/program/program_calls.h"

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

/// The state of a pass. One thread makes it; threads work on copies of its program.
template <typename P>
class EdgePass {
 public:
  using Message = MessageOfProgram<P>;
  using Sum = SumOfProgram<P>;
  /// What cursors read beside neighbours.
  using Weight = WeightAsked<P>;

  /// `from`: null where all vertices emit. `next` gets what becomes active; both outlive it.
  EdgePass(LoadedGraph& graph, Workspace& workspace, const P& program, const Frontier* from,
           Frontier* next)
      : graph_(graph),
        workspace_(workspace),
        from_(from),
        next_(next),
        program_(program),
        programs_(static_cast<size_t>(graph.threads()), ThreadProgram{program}) {}

  LoadedGraph& graph() const { return graph_; }
  Workspace& workspace() const { return workspace_; }
  const Frontier* from() const { return from_; }
  Frontier& next() const { return *next_; }
  bool Emits(VertexId vertex) const { return from_ == nullptr || from_->Test(vertex); }

  /// A thread's copy of the program. Work on a copy of it, and put that back: its tallies are kept
  /// in registers so.
  P& program(int thread) { return programs_[static_cast<size_t>(thread)].program; }
  /// The program as it was given, its tallies empty.
  const P& program() const { return program_; }
  /// Keeps what a copy that is no thread's has added to its tallies. Thread-safe.
  void KeepTallies(P& copy) {
    CheckNumbers(program_, copy);
    if constexpr (kHasTallies<P>) {
      MutexLock lock(mutex_);
      MergeTallies(programs_[0].program, copy);
    }
  }
  /// Adds what all copies have added to their tallies to these.
  void End() {
    for (ThreadProgram& thread : programs_) {
      CheckNumbers(program_, thread.program);
      EndTallies(thread.program);
    }
  }

  /// What `vertex` has emitted in this pass.
  Message Sent(P& program, VertexId vertex) const {
    if constexpr (kConsumes<P>) {
      return workspace_.kept<Message>()[vertex];
    } else {
      return CallEmit(program, vertex);
    }
  }
  /// The last neighbour in the block before `block`, for programs for simple graphs: whether the
  /// first one there is its duplicate.
  VertexId LastNeighborBefore(Direction lists, uint64_t block) const {
    if constexpr (!kIsSimpleOf<P>) return kInvalidVertex;
    const std::span<const VertexId> last = graph_.last_neighbors(lists);
    return last.empty() || block == 0 ? kInvalidVertex : last[block - 1];
  }

  void PrefetchSent(P& program, VertexId vertex) const {
    if constexpr (kConsumes<P>) {
      Prefetch(&workspace_.kept<Message>()[vertex]);
    } else {
      edgemill::PrefetchSent(program, vertex);
    }
  }
  /// Has the members of `from` (null: all) consume, and keeps what they send.
  Status Consume(const Frontier* from);

  // ---- Receivers.
  /// Of the vertices 64 * word + i in [begin, end), those that may take something, as bits i.
  /// `notified`: null, or those alone that were notified. `in`: the lists that they pull from.
  uint64_t Receivers(const P& program, const Frontier* notified, Direction in, uint64_t word,
                     uint64_t begin, uint64_t end) const;
  bool Receives(const P& program, const Frontier* notified, VertexId vertex) const {
    if constexpr (kAppliesToAllOf<P>) return true;
    if (notified != nullptr && !notified->Test(vertex)) return false;
    if constexpr (kTakesFirst<P>) return !TestBit(workspace_.closed().data(), vertex);
    return CallCond(program, vertex);
  }
  /// Gives `vertex` what its list brought. Its list is one thread's alone. `active`: a Frontier or
  /// FrontierBatch.
  template <typename Active>
  void Take(P& program, VertexId vertex, const PartialSum<P>& partial, Active& active) {
    if (!kAppliesToAllOf<P> && !partial.any) return;
    if constexpr (!kTakesFirst<P>) {
      if (folds_) return Fold(vertex, partial);
    }
    TakeSum(program, vertex, partial.sum, active);
  }
  template <typename Active>
  void TakeSum(P& program, VertexId vertex, Sum sum, Active& active) {
    if constexpr (kAppliesToAllOf<P> && HasCond<P>) {
      if (!CallCond(program, vertex)) return;
    }
    bool is_in;
    if constexpr (HasApply<P>) {
      is_in = CallApply(program, vertex, sum);
    } else {
      is_in = CallRelax(program, vertex, sum);
    }
    if (is_in) active.Add(vertex);
    if constexpr (kTakesFirst<P>) {
      NoteClosing(program, vertex, is_in);
      if (folds_) AtomicSetBit(closed().data(), vertex);  // the other list's messages come too late
    }
  }
  /// Two lists bring a vertex messages: pulls put sums aside, for a later Apply.
  void set_folds(bool folds) { folds_ = folds; }
  bool folds() const { return folds_; }
  Frontier* received() const { return received_; }
  void set_received(Frontier* received) { received_ = received; }

  // ---- Programs that take the first message: a bit a vertex says that it takes no more.
  std::span<uint64_t> closed() const { return workspace_.closed(); }
  /// After a vertex has applied its message: notes where the result set does not tell that it is
  /// closed.
  void NoteClosing(const P& program, VertexId vertex, bool is_in) {
    if (!is_in) StoreRelaxed(&has_unlisted_, uint8_t{1});
    if constexpr (HasCond<P>) {
      if (CallCond(program, vertex)) {
        StoreRelaxed(&reopens_, uint8_t{1});
      } else if (!is_in) {
        AtomicSetBit(closed().data(), vertex);
      }
    }
  }
  /// Some vertex took a message, and would take another in a later pass.
  bool reopens() const { return reopens_ != 0; }
  /// Some vertex has taken a message, and is not in the next set.
  bool has_unlisted() const { return has_unlisted_ != 0; }
  void set_has_unlisted() { has_unlisted_ = 1; }

 private:
  struct alignas(64) ThreadProgram {
    P program;
  };

  void Fold(VertexId vertex, const PartialSum<P>& partial) {
    if (!partial.any) return;
    Sum& sum = workspace_.template sums<Sum>()[vertex];
    sum = P::Monoid::Combine(sum, partial.sum);
    if (received_ != nullptr) received_->Add(vertex);
  }

  LoadedGraph& graph_;
  Workspace& workspace_;
  const Frontier* const from_;
  Frontier* const next_;
  Frontier* received_ = nullptr;
  const P program_;
  std::vector<ThreadProgram> programs_;
  Mutex mutex_;  // of the first program's tallies, while a copy's are kept
  bool folds_ = false;
  uint8_t reopens_ = 0;
  uint8_t has_unlisted_ = 0;
};

template <typename P>
Status EdgePass<P>::Consume([[maybe_unused]] const Frontier* from) {
  if constexpr (kConsumes<P>) {
    const std::span<Message> kept = workspace_.template kept<Message>();
    return ForEachMember(graph_, from, [&](std::span<const VertexId> members) {
      P program = program_;
      for (const VertexId vertex : members) kept[vertex] = CallEmit(program, vertex);
      KeepTallies(program);
    });
  }
  return OkStatus();
}

template <typename P>
uint64_t EdgePass<P>::Receivers(const P& program, const Frontier* notified, Direction in,
                                uint64_t word, uint64_t begin, uint64_t end) const {
  uint64_t bits = BitsWithin(word, begin, end);
  if constexpr (!kAppliesToAllOf<P>) {
    if (notified != nullptr) bits &= notified->words()[word];
    if constexpr (kTakesFirst<P>) bits &= ~LoadRelaxed(&workspace_.closed()[word]);
    if (bits != 0) bits &= graph_.HaveEdges(in, word);
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

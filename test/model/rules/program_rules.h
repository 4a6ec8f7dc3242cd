// Checks of rules that a program's type does not show. Relax must be right in any order, with
// combined or repeated messages. It must return true only after a change. Cond must never become
// true again.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/model/model_operation.h"
#include "engine/program/edge_program.h"

namespace edgemill::model {

/// Calls the functions of a program on copies of its state. The state itself does not change.
template <typename P>
class RuleCheck {
 public:
  using M = typename P::Monoid;
  using Message = MessageOfProgram<P>;
  static constexpr bool kCombines = !kHasLanes<P> && std::is_same_v<Message, SumOfProgram<P>>;

  /// The arrays of `program` have `num_vertices` elements, with values from which a run may start.
  RuleCheck(const P& program, uint64_t num_vertices, uint64_t seed)
      : operation_(program), chance_(seed), closed_(num_vertices) {
    violation.clear();
    AccessGuard::handler() = RecordViolation;
  }

  /// Sends messages from `draw(chance)` to random vertices for some passes. Returns the rule that
  /// the program breaks, or an empty string. `draw` must give messages that may occur in one pass,
  /// and their sums must be exact.
  template <typename Draw>
  std::string Run(Draw draw) {
    if (closed_.empty()) return "";
    for (int pass = 0; pass < kPasses; ++pass) {
      if (const Status status = operation_.BeginPass(false); !status.ok()) {
        return std::string(status.message());
      }
      for (int i = 0; i < kVisits; ++i) {
        const auto v = static_cast<VertexId>(chance_.Next() % closed_.size());
        std::vector<Message> messages;
        for (uint64_t left = 1 + chance_.Next() % 5; left > 0; --left) {
          messages.push_back(draw(chance_));
        }
        Visit(v, std::move(messages));
      }
      // No values are copied, because both copies have taken the same messages.
      const Bits none(closed_.size());
      if (const Status status = operation_.EndPass(none, none); !status.ok()) {
        return std::string(status.message());
      }
      if constexpr (HasNext<P>) {
        operation_.at(0).Next();
        operation_.at(1).Next();
      }
    }
    return "";
  }

 private:
  static constexpr int kPasses = 4;
  static constexpr int kVisits = 40;

  /// Sends the messages to both copies of `v`, in different orders.
  void Visit(VertexId v, std::vector<Message> messages) {
    CheckCond(v);
    const bool active = Relax(0, v, messages);
    chance_.Shuffle(messages);
    if (kIsIdempotent<M>) messages.push_back(messages.front());
    CombineSome(&messages);
    if (Relax(1, v, messages) != active) {
      RecordViolation("Relax", "whether the vertex becomes active depends on the order");
    }
    CheckCond(v);
  }
  /// Combines some messages with the next message of the list.
  void CombineSome(std::vector<Message>* messages) {
    if constexpr (kCombines) {
      for (size_t i = 1; i < messages->size();) {
        if (chance_.Coin()) {
          ++i;
          continue;
        }
        (*messages)[i - 1] = M::Combine((*messages)[i - 1], (*messages)[i]);
        messages->erase(messages->begin() + static_cast<ptrdiff_t>(i));
      }
    }
  }
  /// Returns whether any call of Relax was true. Programs without Relax take the sum, or the first
  /// message.
  bool Relax(int copy, VertexId v, const std::vector<Message>& messages) {
    const AccessScope scope(v);
    P& program = operation_.at(copy);
    bool any = false;
    if constexpr (HasRelax<P>) {
      for (const Message& message : messages) {
        const std::string before = operation_.StateOf(copy, v);
        const bool changed = program.Relax(v, message);
        any |= changed;
        if (kIsIdempotent<M> && changed != (operation_.StateOf(copy, v) != before)) {
          RecordViolation("Relax",
                          changed ? "true though nothing changed" : "false after a change");
        }
      }
    } else {
      if (HasCond<P> && closed_[v] != 0) return false;
      if constexpr (kTakesFirst<P>) {
        any = copy == 0 ? program.Apply(v, first_ = messages.front()) : program.Apply(v, first_);
      } else {
        SumOfProgram<P> sum = M::identity();
        for (const Message& m : messages) sum = M::Combine(sum, static_cast<SumOfProgram<P>>(m));
        any = program.Apply(v, sum);
      }
    }
    return any;
  }
  void CheckCond(VertexId v) {
    if constexpr (HasCond<P>) {
      const AccessScope scope(v);
      const bool open = std::as_const(operation_.at(0)).Cond(v);
      if (open && closed_[v] != 0) RecordViolation("Cond", "was false and is true again");
      if (!open) closed_[v] = 1;
    }
  }

  Operation<P> operation_;
  Chance chance_;
  Bits closed_;  // vertices whose Cond has been false
  Message first_{};
};

/// The rule that `program` breaks, or an empty string. `draw(chance)` makes a message.
template <typename P, typename Draw>
std::string BrokenRule(const P& program, uint64_t num_vertices, Draw draw, uint64_t seed) {
  return RuleCheck<P>(program, num_vertices, seed).Run(draw);
}

}  // namespace edgemill::model

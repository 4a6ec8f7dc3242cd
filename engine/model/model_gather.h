// The messages for one vertex that the model has gathered.
#pragma once

#include <type_traits>
#include <utility>
#include <vector>

#include "engine/model/model_chance.h"
#include "engine/model/model_rules.h"
#include "engine/program/edge_program.h"

namespace edgemill::model {

/// Whether the program has only Relax, and a sum is not a message. Then Relax takes each part
/// separately.
template <typename P>
inline constexpr bool kRelaxesParts =
    HasRelax<P> && !HasApply<P> &&
    (kHasLanes<P> || !std::is_same_v<MessageOfProgram<P>, SumOfProgram<P>>);

/// The messages for one vertex, added up in any order. A sum may start with the identity or not.
template <typename P>
class Gathered {
 public:
  using M = typename P::Monoid;
  using Value = SumOfProgram<P>;
  using Message = MessageOfProgram<P>;

  bool any() const { return any_; }
  const Value& sum() const { return sum_; }
  std::vector<Message>& parts() { return parts_; }

  void Add(const Message& message, Chance& chance, MonoidCheck<M>& check) {
    // Lanes combine rows of their own, not messages.
    if constexpr (!kHasLanes<P>) check.Take(static_cast<Value>(message));
    if constexpr (kRelaxesParts<P>) parts_.push_back(message);
    Combine(static_cast<Value>(message), chance);
  }
  void Merge(const Gathered& other, Chance& chance) {
    if (!other.any_) return;
    parts_.insert(parts_.end(), other.parts_.begin(), other.parts_.end());
    Combine(other.sum_, chance);
  }

 private:
  void Combine(Value more, Chance& chance) {
    if (any_ || (!kTakesFirst<P> && chance.Coin())) {
      if (chance.Coin()) std::swap(sum_, more);
      sum_ = M::Combine(sum_, more);
    } else {
      sum_ = more;
    }
    any_ = true;
  }

  bool any_ = false;
  Value sum_ = M::identity();
  std::vector<Message> parts_;
};

}  // namespace edgemill::model

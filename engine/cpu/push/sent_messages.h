// Messages that a push has sent and not yet delivered. The memory that a delivery needs is
// prefetched when the message is sent. It has arrived when the message is delivered.
#pragma once

#include <algorithm>
#include <array>
#include <optional>

#include "engine/cpu/push/push_target.h"

namespace edgemill {

/// The messages of one block's push. Large; on the stack of its thread.
template <typename P>
class SentMessages {
 public:
  using Message = MessageOfProgram<P>;

  explicit SentMessages(PushTarget<P>& target)
      : target_(target), active_(target.pass().next(), target.takes()) {
    if constexpr (kCollects<P>) {
      if (target.received() != nullptr) received_.emplace(*target.received());
    }
  }

  /// Makes space for `count` messages. Delivers others if need be.
  void MakeSpace(P& program, uint32_t count) {
    if (size_ > kCapacity - count) Deliver(program, kUndelivered);
  }
  /// Sends a message. MakeSpace must have made space for it.
  void Send(P& program, VertexId target, Message message) {
    target_.Prefetch(program, target);
    targets_[size_] = target;
    messages_[size_++] = message;
  }
  void DeliverAll(P& program) { Deliver(program, 0); }

 private:
  static_assert(sizeof(Message) <= kMaxMessageBytes);
  static constexpr uint32_t kCapacity = 1024;
  /// The messages that wait after Deliver, while their memory is fetched: more than a core can
  /// fetch at the same time.
  static constexpr uint32_t kUndelivered = 128;

  /// Delivers all but the last `kept`.
  void Deliver(P& program, uint32_t kept);

  PushTarget<P>& target_;
  FrontierBuffer active_;
  std::optional<FrontierBuffer> received_;
  std::array<VertexId, kCapacity> targets_;
  std::array<Message, kCapacity> messages_;
  uint32_t size_ = 0;
};

template <typename P>
void SentMessages<P>::Deliver(P& program, uint32_t kept) {
  const uint32_t end = size_ - std::min(kept, size_);
  uint32_t count = end;
  if constexpr (PushTarget<P>::kAsks) {
    // Without branches, because nothing predicts which messages would change anything.
    count = 0;
    for (uint32_t i = 0; i < end; ++i) {
      const VertexId target = targets_[i];
      const Message message = messages_[i];
      targets_[count] = target;
      messages_[count] = message;
      count += target_.WouldTake(program, target, message);
    }
  }
  for (uint32_t i = 0; i < count; ++i) {
    if constexpr (EDGEMILL_CHECK_VIEWS && HasCond<P> && !kTakesFirst<P>) {
      EM_COVER(not_asked_cond, i > 0 ? 1 : 0);
      if (!CallCond(program, targets_[i])) EM_COVER(refused_late, 1);
    }
    target_.Deliver(program, targets_[i], messages_[i], active_,
                    received_.has_value() ? &*received_ : nullptr);
  }
  size_ -= end;
  std::copy_n(&targets_[end], size_, &targets_[0]);
  std::copy_n(&messages_[end], size_, &messages_[0]);
}

}  // namespace edgemill

// A program as the teams of a shared pass run it: P itself, whose Relax and Apply note or send.
//
// The passes of engine/cpu run these as any other program, so that a run on one processor pays
// nothing for them. They inherit all that P has, or has not.
#pragma once

#include <utility>

#include "engine/hybrid/message_sender.h"
#include "engine/hybrid/shared_pass.h"
#include "engine/program/pass_coverage.h"
#include "engine/program/program_calls.h"
#include "engine/program/sets/frontier.h"
#include "engine/program/sharing.h"

namespace edgemill {

/// What a team owns in a pass, and what it has touched of that.
template <typename P>
struct OwnedVertices {
  Frontier* touched = nullptr;  // null where all are
  VertexId first = 0;           // the first that it owns
  BorderSum<P> border;          // of the vertex before
};

/// P on the team that owns the vertices that receive something.
template <typename P>
struct OwningProgram : P {
  OwnedVertices<P>* owned = nullptr;

  bool Relax(VertexId vertex, SumOfProgram<P> sum) requires HasRelax<P> {
    if (IsBorder(vertex, sum)) return false;
    const bool is_in = P::Relax(vertex, sum);
    if (is_in || !kIsIdempotent<typename P::Monoid>) Touch(vertex);
    return is_in;
  }
  bool Apply(VertexId vertex, SumOfProgram<P> sum) requires HasApply<P> {
    if (IsBorder(vertex, sum)) return false;
    Touch(vertex);
    return P::Apply(vertex, sum);
  }

 private:
  /// One thread brings the part of the list before the team's first that the team's blocks have,
  /// once.
  bool IsBorder(VertexId vertex, SumOfProgram<P> sum) const {
    if (vertex >= owned->first) return false;
    owned->border = {sum, true};
    return true;
  }
  void Touch(VertexId vertex) const {
    if (!kAppliesToAllOf<P>) owned->touched->Add(vertex);
  }
};

/// P on the team that sends what it has for vertices of the other. Its Relax and Apply are false
/// unless vertices that the team's own copy activates emit at once.
template <typename P>
struct SendingProgram : P {
  static constexpr bool kAppliesToAll = false;
  static constexpr bool kRelaxes = HasRelax<P> && !kSendsSums<P>;

  MessageSender<P>* sender = nullptr;
  bool emits_at_once = false;

  /// May read what Relax writes, as P's may: where sums are sent, nothing is written meanwhile.
  MessageOfProgram<P> Emit(VertexId vertex) const requires EmitsRepeatedly<P> {
    EM_ACCESS(vertex, /*pure=*/!HasRelax<P>);
    return P::Emit(vertex);
  }
  MessageOfProgram<P> Emit(VertexId vertex) requires(!EmitsRepeatedly<P>) {
    return P::Emit(vertex);
  }
  bool Relax(VertexId vertex, SumOfProgram<P> sum) requires(kRelaxes) {
    if constexpr (kTriesOwnCopy<P>) {
      const bool changes = P::Relax(vertex, sum);
      EM_COVER(relaxed_stale, 1);
      EM_COVER(dropped, changes ? 0 : 1);
      if (!changes) return false;
    }
    sender->Add(vertex, sum);
    return emits_at_once;
  }
  bool Apply(VertexId vertex, SumOfProgram<P> sum) requires(!kRelaxes) {
    sender->Add(vertex, sum);
    return false;
  }
};

// The fields of both are those of P, which the engine looks for views and tallies.
template <typename P, typename Visit>
constexpr void VisitFields(OwningProgram<P>& program, Visit&& visit) {
  VisitFields(static_cast<P&>(program), visit);
}
template <typename P, typename Visit>
constexpr void VisitFields(const OwningProgram<P>& program, Visit&& visit) {
  VisitFields(static_cast<const P&>(program), visit);
}
template <typename P, typename Visit>
constexpr void VisitFields(SendingProgram<P>& program, Visit&& visit) {
  VisitFields(static_cast<P&>(program), visit);
}
template <typename P, typename Visit>
constexpr void VisitFields(const SendingProgram<P>& program, Visit&& visit) {
  VisitFields(static_cast<const P&>(program), visit);
}

}  // namespace edgemill

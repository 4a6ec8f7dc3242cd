// A program P in the form in which the teams of a shared pass run it: its Relax and Apply also note
// touched vertices, or send messages.
//
// The passes of engine/cpu run these programs like any other, so that a run on one processor has no
// costs for them. They inherit from P, so they have the same optional functions.
#pragma once

#include <utility>

#include "engine/hybrid/message_sender.h"
#include "engine/hybrid/shared_pass.h"
#include "engine/program/pass_coverage.h"
#include "engine/program/program_calls.h"
#include "engine/program/sets/frontier.h"
#include "engine/program/sharing.h"

namespace edgemill {

/// The vertices that a team owns in a pass, and those of them that were touched.
template <typename P>
struct OwnedVertices {
  Frontier* touched = nullptr;  // not used in programs that apply to all
  VertexId first = 0;           // the first vertex that the team owns
  BorderSum<P> border;          // of the vertex before the first
};

/// P on a team that owns the vertices that receive messages.
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
  /// Whether `vertex` is the one before the team's first. Then keeps the sum from the team's part
  /// of its list. One thread calls it with this vertex, once.
  bool IsBorder(VertexId vertex, SumOfProgram<P> sum) const {
    if (vertex >= owned->first) return false;
    owned->border = {sum, true};
    return true;
  }
  void Touch(VertexId vertex) const {
    if (!kAppliesToAllOf<P>) owned->touched->Add(vertex);
  }
};

/// P on a team that sends messages for vertices of another team. Relax and Apply return false, with
/// one exception: with emits_at_once, vertices that change in the team's own copy emit at once.
template <typename P>
struct SendingProgram : P {
  static constexpr bool kAppliesToAll = false;
  static constexpr bool kRelaxes = HasRelax<P> && !kSendsSums<P>;

  MessageSender<P>* sender = nullptr;
  bool emits_at_once = false;

  /// Like P's Emit, it may read what Relax writes. Where sums are sent, nothing writes meanwhile.
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

// The engine finds the views and tallies of both programs in the fields of P.
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

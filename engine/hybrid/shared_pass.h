// The stages and steps of a pass that teams share. Each team has a copy of the State's arrays.
//
//   kApart   the copies may differ: a team has worked alone.
//   kAlike   all copies have the values that the pass reads, and the main team has all sets.
//   kWorked  each team has visited its blocks, and has sent messages for vertices of other teams to
//            their owners.
//   kTaken   owners have taken what they received. Each vertex has its right value in its owner's
//            copy.
//   kAlike   again: the values of touched vertices have been copied to the other copies.
#pragma once

#include <array>
#include <cstdint>

#include "common/check.h"
#include "common/types.h"
#include "engine/program/sharing.h"

namespace edgemill {

enum class PassStage : uint8_t { kApart, kAlike, kWorked, kTaken };
enum class PassStep : uint8_t { kAlone, kAlign, kWork, kTake, kReturn };

/// The stage to which a step leads, if it is allowed.
struct PassMove {
  bool allowed = false;
  PassStage next = PassStage::kApart;
};

/// The table of transitions.
constexpr PassMove MoveOf(PassStage now, PassStep step) {
  using enum PassStage;
  constexpr PassMove kNo;
  constexpr std::array<std::array<PassMove, 5>, 4> kMoves = {{
      // alone, align, work, take, return
      {{{true, kApart}, {true, kAlike}, kNo, kNo, kNo}},
      {{{true, kApart}, {true, kAlike}, {true, kWorked}, kNo, kNo}},
      {{kNo, kNo, kNo, {true, kTaken}, kNo}},
      {{kNo, kNo, kNo, kNo, {true, kAlike}}},
  }};
  return kMoves[static_cast<size_t>(now)][static_cast<size_t>(step)];
}

/// The sum from a host team's blocks for the vertex before its first, which an earlier team owns.
/// `any`: there was a message.
template <typename P>
struct BorderSum {
  SumOfProgram<P> sum = P::Monoid::identity();
  bool any = false;
};

}  // namespace edgemill

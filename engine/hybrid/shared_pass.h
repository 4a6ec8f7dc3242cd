// The stages and steps of a pass that teams share. Each team has a copy of the State's arrays.
//
//   kCopiesDiffer  the copies may differ: a team has worked alone.
//   kCopiesEqual   all copies have the values that the pass reads, and the main team has all sets.
//   kWorked        each team has visited its blocks, and has sent messages for vertices of other
//                  teams to their owners.
//   kTaken         owners have taken what they received. Each vertex has its right value in its
//                  owner's copy.
//   kCopiesEqual   again: the values of touched vertices have been copied to the other copies.
#pragma once

#include <array>
#include <cstdint>

#include "common/check.h"
#include "common/types.h"
#include "engine/program/sharing.h"

namespace edgemill {

enum class PassStage : uint8_t { kCopiesDiffer, kCopiesEqual, kWorked, kTaken };
enum class PassStep : uint8_t { kAlone, kEqualize, kWork, kTake, kReturn };

/// The stage to which a step leads, if it is allowed.
struct PassMove {
  bool allowed = false;
  PassStage next = PassStage::kCopiesDiffer;
};

/// The table of transitions.
constexpr PassMove MoveOf(PassStage now, PassStep step) {
  using enum PassStage;
  constexpr PassMove kNo;
  constexpr std::array<std::array<PassMove, 5>, 4> kMoves = {{
      // alone, equalize, work, take, return
      {{{true, kCopiesDiffer}, {true, kCopiesEqual}, kNo, kNo, kNo}},
      {{{true, kCopiesDiffer}, {true, kCopiesEqual}, {true, kWorked}, kNo, kNo}},
      {{kNo, kNo, kNo, {true, kTaken}, kNo}},
      {{kNo, kNo, kNo, kNo, {true, kCopiesEqual}}},
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

// A pass that teams share, each with a copy of the State's arrays: the steps.
//
//   kApart   the copies may differ: a team has worked alone.
//   kAlike   all copies have what the pass reads, and the main team has all sets.
//   kWorked  each team has visited its blocks. What a team had for vertices of the others is with
//            their owners.
//   kTaken   owners have taken what they received. Each vertex is right in its owner's copy.
//   kAlike   values of the vertices that were touched have gone to the other copies.
#pragma once

#include <array>
#include <cstdint>

#include "common/check.h"
#include "common/types.h"
#include "engine/program/sharing.h"

namespace edgemill {

enum class PassStage : uint8_t { kApart, kAlike, kWorked, kTaken };
enum class PassStep : uint8_t { kAlone, kAlign, kWork, kTake, kReturn };

/// Where a step leads.
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

/// What a host team's blocks brought the vertex before its first, which an earlier team owns.
template <typename P>
struct BorderSum {
  SumOfProgram<P> sum = P::Monoid::identity();
  bool any = false;
};

}  // namespace edgemill

// What the engine knows of an edge program from its type. Passes and memory are planned only from
// these traits.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

#include "engine/program/directions.h"
#include "engine/program/edge_program.h"
#include "engine/program/sharing.h"

namespace edgemill {

/// The traits of one program, for messages in `directions`.
struct ProgramTraits {
  const std::string_view* name = nullptr;  // its kProgramName, which identifies the program
  const void* monoid = nullptr;            // its kMonoidTag, which identifies the monoid
  Directions directions = Directions::kOut;
  bool weighted = false;
  bool simple = false;          // needs the last neighbor before each block
  bool consumes = false;        // its messages are kept for a pass
  bool takes_first = false;     // a pull stops at a list's first message
  bool collects = false;        // a push adds messages up in a sum for each vertex
  bool applies_to_all = false;  // every vertex takes part
  bool has_cond = false;
  bool has_priority = false;
  bool may_push = true;        // if it collects: its sums are small enough for a push
  bool may_search = false;     // pulls may be a search, by sampled neighbors
  bool may_use_cells = false;  // pulls on a GPU may go by cells
  bool may_run_asynchronously = false;
  bool asynchrony_pays = false;
  bool has_pending = false;         // Tuning::Pending: blocks may come in its order
  bool may_share = false;           // teams may share its passes
  bool decodes_whole = false;       // pulls decode whole blocks
  bool sends_sums = false;          // a host team sends one sum for each vertex
  bool sums_wait_in_state = false;  // Tuning::kSumsWaitIn: sums of a GPU's pull wait in a View
  uint32_t sum_bytes = 0;           // of the sum that a vertex takes
  uint32_t message_bytes = 0;       // of the message that a vertex emits
};

template <typename P>
constexpr ProgramTraits ProgramTraitsOf(Directions directions, bool many_passes = true) {
  return {.name = &kProgramName<P>,
          .monoid = &kMonoidTag<typename P::Monoid>,
          .directions = directions,
          .weighted = kIsWeighted<P>,
          .simple = kIsSimpleOf<P>,
          .consumes = kConsumes<P>,
          .takes_first = kTakesFirst<P>,
          .collects = kCollects<P>,
          .applies_to_all = kAppliesToAllOf<P>,
          .has_cond = HasCond<P>,
          .has_priority = HasPriority<P>,
          .may_push = kCanPush<P>,
          .may_search = kCanSearch<P>,
          .may_use_cells = kMayUseCells<P>,
          .may_run_asynchronously = many_passes && kMayRunAsynchronously<P>,
          .asynchrony_pays = many_passes && kAsynchronyPays<P>,
          .has_pending = HasPending<P>,
          .may_share = kMayShare<P>,
          .decodes_whole = !kIsSimpleOf<P> && !(kIsWeighted<P> && (kTakesFirst<P> || HasEnough<P>)),
          .sends_sums = kSendsSums<P>,
          .sums_wait_in_state = requires {Tuning<P>::kSumsWaitIn;
}
, .sum_bytes = sizeof(SumOfProgram<P>), .message_bytes = sizeof(MessageOfProgram<P>)
};  // namespace edgemill
}

/// The programs of a run.
using ProgramList = std::span<const ProgramTraits>;

/// Whether `test` is true of any of the programs.
template <typename Test>
bool AnyOf(ProgramList programs, Test test) {
  return std::any_of(programs.begin(), programs.end(), test);
}
inline bool AnyOf(ProgramList programs, bool ProgramTraits::*trait) {
  return AnyOf(programs, [trait](const ProgramTraits& program) { return program.*trait; });
}
/// The largest `bytes` of the programs that have `trait`.
inline uint64_t MaxBytes(ProgramList programs, uint32_t ProgramTraits::*bytes,
                         bool ProgramTraits::*trait) {
  uint64_t most = 0;
  for (const ProgramTraits& program : programs) {
    if (program.*trait) most = std::max<uint64_t>(most, program.*bytes);
  }
  return most;
}
inline uint64_t MostSumBytes(ProgramList programs) {
  uint64_t most = 0;
  for (const ProgramTraits& program : programs) most = std::max<uint64_t>(most, program.sum_bytes);
  return most;
}

/// Whether messages of `directions` go along stored edges, or against them.
constexpr bool GoesAlong(Directions directions) { return directions != Directions::kIn; }
constexpr bool GoesAgainst(Directions directions) { return directions != Directions::kOut; }

}  // namespace edgemill

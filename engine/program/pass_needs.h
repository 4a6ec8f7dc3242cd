// What running an edge program takes beside the state of its algorithm: from its type alone, so
// that memory is planned before anything runs.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/program/directions.h"
#include "engine/program/edge_program.h"
#include "engine/program/sharing.h"

namespace edgemill {

/// Of one program, or the most of several.
struct PassNeeds {
  bool weights = false;
  bool simple = false;          // the last neighbour of each block, of graphs with duplicates
  bool takes_first = false;     // a bit a vertex, of those that are closed
  bool takes_more = false;      // some program takes more than the first message
  bool buckets = false;         // a set of those that wait
  bool collects = false;        // a push needs a sum a vertex
  bool notes_received = false;  // a bit a vertex, of those that have a sum
  bool may_push = true;         // each program may
  bool must_fold = false;       // some program collects from out- and in-lists: a sum a vertex
  bool sends_sums = false;      // as one of two processors: sums a vertex that are sent
  uint64_t sum_bytes = 0;       // of one sum
  uint64_t sent_sum_bytes = 0;  // of one sum that one of two processors sends
  uint64_t kept_bytes = 0;      // of one message that is kept for a pass; 0: none is
  uint64_t partial_bytes = 0;   // of one partial sum
  bool out = false;             // messages go along edges,
  bool in = false;              // and against them

  void Add(const PassNeeds& other) {
    weights |= other.weights;
    simple |= other.simple;
    takes_first |= other.takes_first;
    takes_more |= other.takes_more;
    buckets |= other.buckets;
    collects |= other.collects;
    notes_received |= other.notes_received;
    may_push &= other.may_push;
    must_fold |= other.must_fold;
    sends_sums |= other.sends_sums;
    sum_bytes = std::max(sum_bytes, other.sum_bytes);
    sent_sum_bytes = std::max(sent_sum_bytes, other.sent_sum_bytes);
    kept_bytes = std::max(kept_bytes, other.kept_bytes);
    partial_bytes = std::max(partial_bytes, other.partial_bytes);
    out |= other.out;
    in |= other.in;
  }
};

template <typename P>
constexpr PassNeeds PassNeedsOf(Directions directions) {
  PassNeeds needs;
  needs.weights = kIsWeighted<P>;
  needs.simple = kIsSimpleOf<P>;
  needs.takes_first = kTakesFirst<P>;
  needs.takes_more = !kTakesFirst<P>;
  needs.buckets = HasPriority<P>;
  needs.collects = kCollects<P>;
  needs.notes_received = kCollects<P> && !kAppliesToAllOf<P>;
  needs.may_push = kMayPush<P>;
  needs.must_fold = kCollects<P> && directions == Directions::kBoth;
  needs.sum_bytes = kCollects<P> ? sizeof(SumOfProgram<P>) : 0;
  needs.sent_sum_bytes = kSendsSums<P> ? sizeof(SumOfProgram<P>) : 0;
  needs.kept_bytes = kConsumes<P> ? sizeof(MessageOfProgram<P>) : 0;
  needs.partial_bytes = sizeof(SumOfProgram<P>);
  needs.out = directions != Directions::kIn;
  needs.in = directions != Directions::kOut;
  return needs;
}

}  // namespace edgemill

// Passes of one operator in a single launch: the part that host and GPU share.
#pragma once

#include <array>
#include <cstdint>

#include "engine/program/bucket_bound.h"
#include "kernels/gpu/edge_kernels.h"

namespace edgemill {

/// Threads of the launch's thread blocks, of which each multiprocessor has one.
inline constexpr uint32_t kFixpointThreads = 512;

/// Which thread blocks do the next pass.
enum class FixpointTurn : uint8_t { kAll, kOne, kEnded };
/// What a pass, or a search among those that wait, has found.
enum class FixpointEvent : uint8_t {
  kFew,     // so few chunks of lists that one thread block does them sooner than all meet
  kMany,    // more
  kSearch,  // nothing is active, and many vertices may wait
  kStop,    // nothing is left; or too much for a launch, which the host goes on with
};

/// The turn after `turn` in which `event` happened: one thread block hands over before all go on.
EM_HOST_DEVICE constexpr FixpointTurn NextTurn(FixpointTurn turn, FixpointEvent event) {
  constexpr FixpointTurn kTurns[3][4] = {
      // kFew, kMany, kSearch, kStop
      {FixpointTurn::kOne, FixpointTurn::kAll, FixpointTurn::kAll, FixpointTurn::kEnded},  // kAll
      {FixpointTurn::kOne, FixpointTurn::kAll, FixpointTurn::kAll, FixpointTurn::kEnded},  // kOne
      {FixpointTurn::kEnded, FixpointTurn::kEnded, FixpointTurn::kEnded, FixpointTurn::kEnded},
  };
  return kTurns[static_cast<int>(turn)][static_cast<int>(event)];
}

/// What a launch has done.
struct FixpointCounts {
  uint32_t passes = 0;
  unsigned long long vertices = 0;  // that emitted, but for those it started with
  unsigned long long edges = 0;     // of theirs
  uint32_t begins_bucket = 0;       // what is active now is a bucket that was just begun
};

/// How far a launch has come.
struct FixpointProgress {
  uint32_t chunks = 0;    // of the lists of vertices that emit next
  uint32_t vertices = 0;  // whose they are
  EdgeIndex edges = 0;
  uint32_t side = 0;      // which list and set have them
  uint32_t spent = 0;     // part of FixpointLaunch::most_spent
  uint32_t must_end = 0;  // the launch
  FixpointTurn turn = FixpointTurn::kAll;
  FixpointCounts counts;
  BucketBound bucket;
};

/// What a phase of a launch finds: all of its threads add to it.
struct FixpointPhase {
  unsigned long long tally = 0;           // edges and chunks of what became active, in one word
  unsigned long long min_complement = 0;  // of OrderedBits of the least priority that waits
  uint32_t more_chunks = 0;               // than vertices became active
  uint32_t must_end = 0;                  // whether the launch ends with the phase
};

/// What thread blocks exchange, and what the host reads of it.
struct FixpointState {
  uint32_t begin_chunks = 0;
  FixpointProgress at;
  unsigned long long zero_copy_groups = 0;  // read across the link
  uint32_t damaged = ~0u;                   // the least block with an id out of bounds
  uint32_t reopened = 0;                    // as PassCounters says
  FixpointPhase phases[3];
};

/// Memory and bounds of a launch.
struct FixpointLaunch {
  PushSegment* lists[2] = {};
  uint32_t* sets[2] = {};  // a bit a vertex, of those whose lists these are
  uint32_t* waiting = nullptr;
  FixpointState* state = nullptr;
  const DeviceBlock* pinned = nullptr;  // by number: where blocks are in the host's memory
  uint32_t max_chunks = 0;              // of lists, in a pass
  EdgeIndex max_edges = 0;              // likewise
  uint32_t max_passes = ~0u;
  uint32_t most_spent = 1u << 14;  // so that the host may stop in between: a part of a second
  BucketBound bucket;              // that it begins with
};

}  // namespace edgemill

// Many passes of one operator in a single launch: the types that host and GPU share.
#pragma once

#include <array>
#include <cstdint>

#include "engine/program/bucket_bound.h"
#include "kernels/gpu/edge_kernels.h"

namespace edgemill {

/// Threads of a thread block of the launch. Each multiprocessor has one block.
inline constexpr uint32_t kFixpointThreads = 512;

/// Which thread blocks do the next pass.
enum class FixpointTurn : uint8_t { kAll, kOne, kEnded };
/// What a pass, or a search among the waiting vertices, has found.
enum class FixpointEvent : uint8_t {
  kFew,     // one block visits the few chunks sooner than all blocks meet
  kMany,    // more chunks
  kSearch,  // no vertex is active, and many may wait
  kStop,    // nothing is left, or the host has to go on
};

/// Returns the turn that follows when `event` happens in `turn`.
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
  unsigned long long vertices = 0;  // that emitted, without those it started with
  unsigned long long edges = 0;     // of these vertices
  uint32_t begins_bucket = 0;       // 1: the active vertices begin a bucket
};

/// How far a launch has come.
struct FixpointProgress {
  uint32_t chunks = 0;    // of the lists of vertices that emit next
  uint32_t vertices = 0;  // vertices that emit next
  EdgeIndex edges = 0;
  uint32_t side = 0;      // which list and set they are in
  uint32_t work = 0;      // part of FixpointLaunch::max_work
  uint32_t must_end = 0;  // 1: the launch ends
  FixpointTurn turn = FixpointTurn::kAll;
  FixpointCounts counts;
  BucketBound bucket;
};

/// What a phase of a launch finds. All threads of the team add to it.
struct FixpointPhase {
  unsigned long long tally = 0;           // an ActiveTally of the vertices that became active
  unsigned long long min_complement = 0;  // ~OrderedBits of the least waiting priority
  uint32_t more_chunks = 0;               // chunks beyond one for each vertex that became active
  uint32_t must_end = 0;                  // 1: the launch ends after the phase
};

/// What thread blocks exchange, and what the host reads afterwards.
struct FixpointState {
  uint32_t begin_chunks = 0;
  FixpointProgress at;
  unsigned long long zero_copy_groups = 0;  // read across the link
  uint32_t damaged = ~0u;                   // the least block with an id out of bounds
  uint32_t reopened = 0;                    // see PassCounters
  FixpointPhase phases[3];
};

/// Memory and bounds of a launch.
struct FixpointLaunch {
  WarpChunk* lists[2] = {};
  uint32_t* sets[2] = {};  // a bit a vertex: the vertices in `lists`
  uint32_t* waiting = nullptr;
  FixpointState* state = nullptr;
  const DeviceBlock* pinned = nullptr;  // by block number: addresses in the host's pinned memory
  uint32_t max_chunks = 0;              // of a pass; more: the launch ends
  EdgeIndex max_edges = 0;              // likewise
  uint32_t max_passes = ~0u;
  uint32_t max_work = 1u << 14;  // ends the launch after a fraction of a second
  BucketBound bucket;            // at the start
};

}  // namespace edgemill

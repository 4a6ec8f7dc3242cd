// The arguments of a program's kernels: plain pointers to memory on the GPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "engine/program/arrays/tally_slots.h"
#include "kernels/gpu/device_edges.h"
#include "kernels/gpu/edge_kernels.h"

namespace edgemill {

/// Threads of a thread block, in every launch over vertices or warp tiles.
inline constexpr uint32_t kProgramThreads = kVisitThreads;

/// The most chunks of vertices of a Reduce. The host combines their sums.
inline constexpr uint64_t kMaxReduceChunks = 2048;
inline constexpr uint64_t kMaxReducedBytes = 64;  // of a sum
EM_HOST_DEVICE constexpr uint64_t ReduceChunk(uint64_t num_vertices) {
  const uint64_t even = (num_vertices + kMaxReduceChunks - 1) / kMaxReduceChunks;
  return (even + kProgramThreads - 1) / kProgramThreads * kProgramThreads;
}
constexpr uint32_t NumReduceChunks(uint64_t num_vertices) {
  const uint64_t chunk = ReduceChunk(num_vertices);
  return num_vertices == 0 ? 0 : static_cast<uint32_t>((num_vertices + chunk - 1) / chunk);
}

/// Returns the bits of a number, changed so that they compare as the numbers do.
EM_HOST_DEVICE inline unsigned long long OrderedBits(double value) {
  unsigned long long bits;
  memcpy(&bits, &value, sizeof(bits));
  return (bits >> 63) != 0 ? ~bits : bits | 1ull << 63;
}
EM_HOST_DEVICE inline double FromOrderedBits(unsigned long long ordered) {
  const unsigned long long bits = (ordered >> 63) != 0 ? ordered & ~(1ull << 63) : ~ordered;
  double value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

/// Counters on the GPU to which passes add. The host reads them all together.
struct PassCounters {
  FrontierCounts frontier;
  unsigned long long least = ~0ull;  // OrderedBits of the least waiting priority
  /// Of asynchronous pushes: vertices that emitted in the pass in which they became active, and
  /// blocks that were passed over again.
  unsigned long long emitted_in_same_pass = 0;
  unsigned long long blocks_repeated = 0;
  uint32_t reopened = 0;             // a vertex took a message, and its Cond is still true
  uint32_t damaged[2] = {~0u, ~0u};  // the least block of each direction with an id out of bounds
};

/// The memory of one pass. Sets have a bit for each vertex, in 32-bit words.
struct PassArgs {
  uint64_t num_vertices = 0;
  const uint32_t* from = nullptr;       // vertices that emit; null: all
  uint32_t* next = nullptr;             // vertices that become active
  uint32_t* closed = nullptr;           // first-wins programs: vertices that take no more messages
  bool asks_cond = false;               // test Cond: `closed` has only vertices that took a message
  const uint32_t* receivers = nullptr;  // pulls: vertices that may take a message; null: all
  void* emitted = nullptr;              // of programs that consume: a message for each vertex
  /// One sum for each vertex, in which messages are put aside; null: vertices take messages at
  /// once. Between passes the sums are identities. `received` has the vertices with a message;
  /// null: not needed.
  void* sums = nullptr;
  uint32_t* received = nullptr;
  void* partials = nullptr;  // of pulls that collect: two sums for each warp tile
  std::byte* tallies = nullptr;
  PassCounters* counters = nullptr;
  uint32_t* damaged = nullptr;  // of the direction whose lists are read
  /// Pushes: other streams may move vertices from `next` to `from` at the same time.
  bool shares_next = false;
  /// The lists that the pass visits: those of `num_lists` vertices from `first_list` on. Other
  /// lists in the same blocks are another GPU's.
  VertexId first_list = 0;
  VertexId num_lists = ~VertexId{0};
  /// The first vertex that takes what was put aside for it; `num_vertices` is the end of these.
  VertexId first_vertex = 0;
  /// Pushes: another GPU owns the vertices. Their messages are added up in `sums`, and `received`
  /// has the vertices with one.
  bool logs = false;
  // Where another processor shares the pass: receives the vertices for which Apply or Relax was
  // called. With an idempotent monoid, Relax must also have returned true. Null: not needed.
  uint32_t* touched = nullptr;
  /// Pulls: this GPU has the warp tiles before `tiles_end`. If a list crosses that border, `border`
  /// is the other processor's sum for it; null: none.
  uint64_t tiles_end = ~uint64_t{0};
  const void* border = nullptr;
};

}  // namespace edgemill

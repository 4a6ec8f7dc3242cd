// The arguments of a program's kernels: plain pointers to memory on the GPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "engine/program/arrays/tally_slots.h"
#include "kernels/gpu/device_edges.h"
#include "kernels/gpu/edge_kernels.h"

namespace edgemill {

/// Threads of a block of every launch over vertices or runs.
inline constexpr uint32_t kProgramThreads = kVisitThreads;

/// Vertices of a Reduce are combined in so many chunks at most, whose sums the host combines.
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

/// The bits of a number, changed so that they have the order of the numbers, negative ones first.
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

/// Counters on the GPU that passes add to, read back together.
struct PassCounters {
  FrontierCounts frontier;
  unsigned long long least = ~0ull;  // in the order of OrderedBits: the least priority that waits
  /// What asynchronous pushes took while its edges were on the GPU.
  unsigned long long emitted_at_once = 0;
  unsigned long long blocks_repeated = 0;
  uint32_t reopened = 0;             // a vertex took a first message, and would take another
  uint32_t damaged[2] = {~0u, ~0u};  // the least block of each direction with an id out of bounds
};

/// The memory of one pass. Sets have a bit a vertex, in 32-bit words.
struct PassArgs {
  uint64_t num_vertices = 0;
  const uint32_t* from = nullptr;  // vertices that emit; null: all
  uint32_t* next = nullptr;        // vertices that become active
  uint32_t* closed = nullptr;      // first-wins programs: vertices that take no more
  bool asks_cond = false;  // Cond decides: `closed` has only those that took in this operator
  const uint32_t* receivers = nullptr;  // pulls: vertices that may take something; null: all
  void* emitted = nullptr;              // messages of programs that consume, one a vertex
  /// A sum a vertex, identities between passes, where messages are put aside; null: they are taken
  /// at once. `received` has the vertices that have received something; null: that is not needed.
  void* sums = nullptr;
  uint32_t* received = nullptr;
  void* partials = nullptr;  // of pulls that collect: two sums a run
  std::byte* tallies = nullptr;
  PassCounters* counters = nullptr;
  uint32_t* damaged = nullptr;  // of the direction whose lists are read
  /// Pushes: meanwhile other streams move vertices from `next` to `from`.
  bool shares_next = false;
  // Where another processor shares the pass: gets those for which Apply was called, or Relax
  // (idempotent monoids: and was true); null: that is not needed.
  uint32_t* touched = nullptr;
  /// Pulls: the runs before `runs_end` are this GPU's. `border` is the sum that others bring to the
  /// list that goes on behind them; null: nothing.
  uint64_t runs_end = ~uint64_t{0};
  const void* border = nullptr;
};

}  // namespace edgemill

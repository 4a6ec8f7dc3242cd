// The thresholds of the papers' kernels on raw CSR (docs/KERNELS.md). Defaults are those of the
// papers, or were measured anew on an H200. `bench gpu --sparse-bounds` and `--shards` try others.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "common/status.h"

namespace edgemill::bench {

// MultiGraph's sparse kernel. Of 227 KiB of shared memory, a thread block takes at most a half, so
// that two blocks of 1,024 threads fill a multiprocessor.

/// Active vertices of a sub-segment. Frontiers with fewer are not divided into segments: clearing
/// shared memory would take longer than atomic operations on global memory.
inline constexpr uint32_t kSubSegmentVertices = 1024;
/// Threads of a block that works on a segment: the most there can be (5).
inline constexpr uint32_t kSegmentThreads = 1024;
/// Targets of a segment: 80 KiB of values of 4 bytes, beside a sub-segment's lists.
inline constexpr uint32_t kSegmentTargets = 20'480;

// Garaph's shards.

inline constexpr uint32_t kShardThreads = 1024;
/// Values of a shard in shared memory, with all copies: 112 KiB of values of 4 bytes.
inline constexpr uint32_t kShardValues = 28'672;
/// The most copies of a value: one for each lane of a warp.
inline constexpr uint32_t kMaxCopies = 32;
/// Edges of a part of a shard, which is one thread block's work. A thread has 256 of them, beside
/// at most 28 values to clear and to write.
inline constexpr uint64_t kShardPartEdges = uint64_t{1} << 18;

/// The bounds of MultiGraph's three stages (5), and of its groups (table 1).
struct SparseBounds {
  uint32_t lanes = 4;          // that share a vertex in stage 1
  uint32_t warp_edges = 32;    // stage 1 takes E mod this
  uint32_t block_edges = 256;  // stage 2 takes what remains mod this, stage 3 the rest
  uint32_t vertices = 64;      // active ones of a thread block
  uint32_t in_degree = 256;    // of targets in segments: at least this; 0: no segments

  bool operator==(const SparseBounds&) const = default;
  uint32_t threads() const { return lanes * vertices; }
  /// "4/32/256/64/256".
  std::string Name() const;
  /// Reads a name. Returns UsageError unless all but the last are powers of two, with at most 32
  /// lanes and 32 to 1,024 threads. A warp has no more edges than a block.
  static StatusOr<SparseBounds> Parse(std::string_view text);
};

/// How edges are laid out in Garaph's shards (3).
struct ShardTuning {
  uint32_t copies = 0;  // of each value, in every shard; 0: as equation 2 says for each shard
  /// The order of a shard's edges: by target as in the paper (2.1), or by source, so that thread
  /// blocks that run together read the same sources.
  bool by_target = false;
  /// Shards with more edges are cut into parts. The paper does not cut them (0): one thread block
  /// then has all edges of a hub.
  uint64_t part_edges = kShardPartEdges;

  bool operator==(const ShardTuning&) const = default;
  /// "custom/source/262144", without defaults at the end: "custom", "8/target".
  std::string Name() const;
  /// Reads a name. Returns UsageError for copies that are no power of two up to kMaxCopies.
  static StatusOr<ShardTuning> Parse(std::string_view text);
};

/// The shared memory of a thread block.
struct SharedMemoryNeed {
  uint64_t values = 0;
  uint64_t value_bytes = 4;
  uint64_t other_bytes = 0;

  constexpr uint64_t bytes() const { return values * value_bytes + other_bytes; }
};
/// Returns UsageError, which names `run` and the values, unless `need` fits the `shared_bytes` that
/// a thread block may have. `run` names engine and algorithm.
Status CheckSharedMemory(std::string_view run, const SharedMemoryNeed& need, uint64_t shared_bytes);

}  // namespace edgemill::bench

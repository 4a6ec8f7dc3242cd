// Where the layouts of MultiGraph's and Garaph's kernels are on the GPU (bench/layouts).
#pragma once

#include <cstdint>
#include <span>

#include "bench/layouts/shards.h"
#include "common/types.h"

namespace edgemill::bench {

/// Segments of lists whose neighbours are laid out by them (SegmentedLists). An argument of
/// kernels.
struct SegmentedPass {
  const uint32_t* splits = nullptr;
  const VertexId* targets = nullptr;  // by number
  uint32_t num_targets = 0;
  uint32_t num_segments = 0;
  uint64_t num_vertices = 0;
};

/// The parts of shards. An argument of kernels.
struct RawShards {
  const ShardPart* parts = nullptr;
  const VertexId* sources = nullptr;
  const uint16_t* targets = nullptr;
  const int32_t* weights = nullptr;
};

/// A pass over shards.
struct ShardedPass {
  RawShards shards;
  std::span<const ShardPart> parts;  // in the host's memory
};

}  // namespace edgemill::bench

// The integer types and limits that every folder shares.
#pragma once

#include <cstdint>
#include <limits>

namespace edgemill {

/// A vertex's number inside a graph: dense, 0 to num_vertices - 1.
using VertexId = uint32_t;

/// An edge's number in one direction's order (sorted by source, then target), and every count of
/// edges. Always 64 bits: graphs have up to 2^48 edges.
using EdgeIndex = uint64_t;

/// A vertex's id as the user's input writes it.
using ExternalId = uint64_t;

inline constexpr VertexId kInvalidVertex = std::numeric_limits<VertexId>::max();

/// Graphs have at most 2^32 - 2 vertices. More vertices are an error; ids never wrap around.
inline constexpr uint64_t kMaxVertices = (uint64_t{1} << 32) - 2;
inline constexpr uint64_t kMaxEdges = uint64_t{1} << 48;

}  // namespace edgemill

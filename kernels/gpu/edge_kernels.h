// Kernels over edges and frontiers that do not depend on a program. Each uses the given memory and
// stream. No function allocates, waits or reports errors: the caller checks for errors after the
// launch.
#pragma once

#include <cstdint>

#include "kernels/gpu/device_edges.h"

struct CUstream_st;  // CUDA's stream

namespace edgemill {

/// The counts of a frontier.
struct FrontierCounts {
  unsigned long long vertices = 0;
  unsigned long long edges = 0;  // of the vertices' lists
};

/// Writes num_tiles() + 1 entries of DeviceEdges::tile_source to `sources`.
void LaunchTileSources(const DeviceEdges& edges, VertexId* sources, CUstream_st* stream);

/// Which groups of a list are wanted: the groups with one of its first `first_edges` edges, or,
/// with `rest_of_list`, the remaining groups.
struct ListPart {
  uint64_t first_edges = ~uint64_t{0};
  bool rest_of_list = false;
  uint64_t omitted_edges = 0;  // lists with at most this many edges have no wanted groups

  bool is_whole() const {
    return first_edges == ~uint64_t{0} && !rest_of_list && omitted_edges == 0;
  }
};

/// Sets the bit in `groups` of each group that has an edge of `part` of a list. All bits must be
/// clear before. `frontier` says whose lists, with a bit for each vertex in 32-bit words; null: all
/// lists. `not_members`: takes the lists of all vertices that are not in `frontier` instead.
void LaunchMarkGroups(const DeviceEdges& edges, const uint32_t* frontier, bool not_members,
                      const ListPart& part, uint32_t* groups, CUstream_st* stream);

/// Adds the first `count` of `members`, which may be in pinned memory of the host, to `words`.
void LaunchAddMembers(const VertexId* members, uint32_t count, uint32_t* words,
                      CUstream_st* stream);
/// Clears the bits of `words` from `num_vertices` to the end of that 64-bit word.
void LaunchClearTail(uint32_t* words, uint64_t num_vertices, CUstream_st* stream);
/// Writes at most `capacity` members of `words` to `list`, in any order. Adds the number of all
/// members to `*count`, which must be 0.
void LaunchListMembers(const uint32_t* words, uint64_t num_vertices, VertexId* list,
                       uint32_t capacity, uint32_t* count, CUstream_st* stream);

/// Visits the edges of `source` in lists of `from` (null: all lists). Adds their targets to
/// `marks`.
void LaunchNotify(const DeviceEdges& edges, const TileSelection& source, const uint32_t* from,
                  uint32_t* marks, uint32_t* damaged, uint32_t num_thread_blocks,
                  CUstream_st* stream);

/// Writes to `counts` (a word for each block) how many groups of the block are set in `groups`.
void LaunchCountBlocks(const DeviceEdges& edges, const uint32_t* groups, uint32_t* counts,
                       CUstream_st* stream);

/// Lists warp tiles in `tiles`, and their number in `*num_tiles`, which must be 0 before. Takes the
/// tiles in [first, end) with a set group (null: all are set) whose block is on the GPU
/// (DeviceBlock::neighbors is not null). Tiles are nearly in order: warps append their tiles as
/// they come to them.
void LaunchListTiles(const DeviceEdges& edges, const uint32_t* groups, uint64_t first, uint64_t end,
                     uint32_t* tiles, uint32_t* num_tiles, CUstream_st* stream);

/// Adds to `*counts` the number of members of `frontier`, a set of index.num_vertices bits. Unless
/// index.low is null, adds their degrees too.
void LaunchCountFrontier(const VertexIndexView& index, const uint32_t* frontier,
                         FrontierCounts* counts, CUstream_st* stream);

/// A few consecutive groups of a vertex's list (an edge chunk). Where few lists are pushed along, a
/// warp takes one chunk at a time. Chunk n begins with group n * kWarpChunkGroups of the list.
struct WarpChunk {
  VertexId source;
  uint32_t number;
};
inline constexpr uint32_t kWarpChunkGroups = 4;

/// Returns the number of chunks of a vertex's list. An empty list has one, so that its vertex is
/// visited too.
EM_HOST_DEVICE inline uint32_t NumWarpChunks(const VertexIndexView& index, VertexId vertex) {
  const EdgeIndex first = index.first_edge(vertex);
  const EdgeIndex last = index.first_edge(vertex + 1);
  if (first == last) return 1;
  const uint64_t groups = ((last - 1) >> kGroupShift) - (first >> kGroupShift) + 1;
  return static_cast<uint32_t>((groups + kWarpChunkGroups - 1) / kWarpChunkGroups);
}

/// Writes at most `capacity` chunks of the lists of `frontier` (a bit for each vertex of `index`)
/// to `list`, in any order. Adds the number of all chunks to `*count`, which must be 0.
void LaunchListChunks(const VertexIndexView& index, const uint32_t* frontier, WarpChunk* list,
                      uint32_t capacity, uint32_t* count, CUstream_st* stream);

/// Which of a block's groups are on the GPU.
enum class HeldGroups : uint8_t { kAll, kWanted, kNone };

/// A block's number and where its bytes are.
struct BlockPlace {
  uint64_t block = 0;
  DeviceBlock bytes;
  HeldGroups held = HeldGroups::kAll;
};

/// Writes `num_places` places into the table `blocks`, and their numbers to `numbers`. `places` may
/// be in pinned memory of the host.
void LaunchPlaceBlocks(const BlockPlace* places, uint32_t num_places, DeviceBlock* blocks,
                       uint32_t* numbers, CUstream_st* stream);

/// Removes `num_blocks` blocks from the table `blocks`.
void LaunchForgetBlocks(const uint32_t* numbers, uint32_t num_blocks, DeviceBlock* blocks,
                        CUstream_st* stream);

/// A range to copy. `from` may be in pinned memory of the host.
struct CopyRange {
  const std::byte* from;
  std::byte* to;
  uint64_t bytes;
};

/// Copies `num_ranges` ranges by a kernel. This reaches four fifths of a copy engine's rate, but
/// has no start-up time for each copy. `ranges` may be in pinned memory of the host too.
void LaunchCopyRanges(const CopyRange* ranges, uint32_t num_ranges, CUstream_st* stream);

/// Decodes every edge of `source` and adds all targets to `*sum`, for benchmarks and tests.
/// `targets` and `sources`, unless null, get the target and the source vertex of each edge.
void LaunchDecodeAll(const DeviceEdges& edges, const TileSelection& source, VertexId* targets,
                     VertexId* sources, unsigned long long* sum, uint32_t* damaged,
                     uint32_t num_thread_blocks, CUstream_st* stream);

}  // namespace edgemill

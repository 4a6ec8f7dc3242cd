// Kernels over edges and frontiers that no program is part of. Each works on the given memory, on
// the given stream. None allocates, waits or reports errors: the caller checks for errors after the
// launch.
#pragma once

#include <cstdint>

#include "kernels/gpu/device_edges.h"

struct CUstream_st;  // CUDA's stream

namespace edgemill {

/// What is counted in a frontier.
struct FrontierCounts {
  unsigned long long vertices = 0;
  unsigned long long edges = 0;  // of their lists
};

/// Writes num_runs() + 1 entries of DeviceEdges::run_owner to `owners`.
void LaunchRunOwners(const DeviceEdges& edges, VertexId* owners, CUstream_st* stream);

/// Which groups of a list are wanted: those that hold one of its first edges (all of them, where
/// the list has no more), or the list's others.
struct ListPart {
  uint64_t first_edges = ~uint64_t{0};
  bool others = false;
  uint64_t omitted_edges = 0;  // lists of so many at most have no part

  bool is_whole() const { return first_edges == ~uint64_t{0} && !others && omitted_edges == 0; }
};

/// Sets every group in `groups` (a bit each, all clear) that holds an edge of `part` of a list of
/// `frontier`. That is a bit a vertex, in 32-bit words; null: all lists. `others`: sets the groups
/// for lists that are not in it instead.
void LaunchMarkGroups(const DeviceEdges& edges, const uint32_t* frontier, bool others,
                      const ListPart& part, uint32_t* groups, CUstream_st* stream);

/// Adds the first `count` of `members`, which may be in pinned memory of the host, to `words`.
void LaunchAddMembers(const VertexId* members, uint32_t count, uint32_t* words,
                      CUstream_st* stream);
/// Clears the bits of `words`, in whole words of 64, from `num_vertices` on.
void LaunchClearTail(uint32_t* words, uint64_t num_vertices, CUstream_st* stream);
/// Writes the members of `words` to `list`, in any order. Writes their number to `*count`, which
/// was set to 0. Writes at most `capacity` of them.
void LaunchListMembers(const uint32_t* words, uint64_t num_vertices, VertexId* list,
                       uint32_t capacity, uint32_t* count, CUstream_st* stream);

/// Adds to `marks` the targets of all edges in lists of `from` (null: all) that `source` visits.
void LaunchNotify(const DeviceEdges& edges, const RunSource& source, const uint32_t* from,
                  uint32_t* marks, uint32_t* damaged, uint32_t num_thread_blocks,
                  CUstream_st* stream);

/// Writes to `counts` (a word a block) how many groups of each block are set.
void LaunchCountBlocks(const DeviceEdges& edges, const uint32_t* groups, uint32_t* counts,
                       CUstream_st* stream);

/// Appends runs to `runs`; its length is in `*num_runs`, which was set to 0 before. Takes the runs
/// in [first, end) with a group that is set (null: all are) and with their block's bytes there
/// (DeviceBlock::neighbors not null). Runs are nearly in order: each thread block's share is, and
/// the order of shares is that in which thread blocks come.
void LaunchListRuns(const DeviceEdges& edges, const uint32_t* groups, uint64_t first, uint64_t end,
                    uint32_t* runs, uint32_t* num_runs, CUstream_st* stream);

/// Adds to `*counts` the members of `frontier`, of num_vertices of `index`, and, unless
/// index.low is null, the lengths of their lists.
void LaunchCountFrontier(const VertexIndexView& index, const uint32_t* frontier,
                         FrontierCounts* counts, CUstream_st* stream);

/// A few consecutive groups of a vertex's list: what a warp pushes along at a time where lists are
/// few. Segment n begins with group n * kSegmentGroups, counted from the list's first.
struct PushSegment {
  VertexId owner;
  uint32_t number;
};
inline constexpr uint32_t kSegmentGroups = 4;

/// Segments of a vertex's list. An empty list has one, so that its owner has its turn too.
EM_HOST_DEVICE inline uint32_t NumSegments(const VertexIndexView& index, VertexId vertex) {
  const EdgeIndex first = index.first_edge(vertex);
  const EdgeIndex last = index.first_edge(vertex + 1);
  if (first == last) return 1;
  const uint64_t groups = ((last - 1) >> kGroupShift) - (first >> kGroupShift) + 1;
  return static_cast<uint32_t>((groups + kSegmentGroups - 1) / kSegmentGroups);
}

/// Writes the parts of the lists of `frontier` (a bit a vertex of `index`) to `list`, in any
/// order. Writes their number to `*count`, which was set to 0. Writes at most `capacity` of them.
void LaunchListSegments(const VertexIndexView& index, const uint32_t* frontier, PushSegment* list,
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

/// Takes `num_blocks` blocks out of the table again.
void LaunchForgetBlocks(const uint32_t* numbers, uint32_t num_blocks, DeviceBlock* blocks,
                        CUstream_st* stream);

/// Bytes to copy; `from` may be in pinned memory of the host.
struct CopyRange {
  const std::byte* from;
  std::byte* to;
  uint64_t bytes;
};

/// Copies `num_ranges` ranges by a kernel: at four fifths of a copy engine's rate, but without the
/// start-up time of its copies. `ranges` may be in pinned memory of the host too.
void LaunchCopyRanges(const CopyRange* ranges, uint32_t num_ranges, CUstream_st* stream);

/// Decodes every edge of `source` and adds up targets, owners and weights into `*sum`: only
/// decoding, for benchmarks and tests. `targets` and `owners`, unless null, get each edge's.
void LaunchDecodeAll(const DeviceEdges& edges, const RunSource& source, VertexId* targets,
                     VertexId* owners, unsigned long long* sum, uint32_t* damaged,
                     uint32_t num_thread_blocks, CUstream_st* stream);

}  // namespace edgemill

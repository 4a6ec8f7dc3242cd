#include "kernels/gpu/edge_kernels.h"
#include "kernels/gpu/frontier_members.cuh"
#include "kernels/gpu/visit_tiles.cuh"
#include "kernels/gpu/warp_decode.cuh"

namespace edgemill {
namespace {

constexpr uint32_t kThreads = 256;
/// The most thread blocks, for kernels that loop over vertices or blocks.
constexpr uint64_t kMaxThreadBlocks = 8192;

uint32_t ThreadBlocks(uint64_t threads) {
  const uint64_t wanted = (threads + kThreads - 1) / kThreads;
  return static_cast<uint32_t>(wanted == 0                 ? 1
                               : wanted > kMaxThreadBlocks ? kMaxThreadBlocks
                                                           : wanted);
}

__global__ void TileSourcesKernel(DeviceEdges edges, VertexId* sources) {
  const uint64_t num_tiles = edges.num_tiles();
  for (uint64_t tile = ThreadNumber(); tile <= num_tiles; tile += NumThreads()) {
    sources[tile] = tile == num_tiles
                        ? edges.index.num_vertices - 1
                        : edges.index.OwnerOf(edges.tile_begin(tile), 0, edges.index.num_vertices);
  }
}

/// Sets the bits [first, last] of `words`. One lane sets few bits; all lanes of a warp share many.
__device__ void SetBits(uint32_t* words, uint64_t first, uint64_t last, uint32_t lane,
                        uint32_t lanes) {
  for (uint64_t word = first / 32 + lane; word <= last / 32; word += lanes) {
    uint32_t bits = ~0u;
    if (word == first / 32) bits &= ~0u << (first % 32);
    if (word == last / 32) bits &= ~0u >> (31 - last % 32);
    if ((LoadRelaxed(words + word) & bits) != bits) atomicOr(words + word, bits);
  }
}

__global__ void MarkGroupsKernel(DeviceEdges edges, const uint32_t* frontier, bool not_members,
                                 ListPart part, uint32_t* groups) {
  constexpr uint64_t kLongGroups = 4 * 32;
  const uint32_t lane = threadIdx.x % kWarpSize;
  const auto mark = [&](VertexId vertex, bool is_member) {
    uint64_t first = 0;
    uint64_t last = 0;
    bool any = false;
    if (is_member) {
      const EdgeIndex begin = edges.index.first_edge(vertex);
      const EdgeIndex end = edges.index.first_edge(vertex + 1);
      first = begin >> kGroupShift;
      last = (end - 1) >> kGroupShift;
      const uint64_t near =
          end - begin <= part.first_edges ? last : (begin + part.first_edges - 1) >> kGroupShift;
      if (part.rest_of_list) {
        first = near + 1;
      } else {
        last = near;
      }
      any = end - begin > part.omitted_edges && first <= last;
    }
    const bool is_long = any && last - first >= kLongGroups;
    if (any && !is_long) SetBits(groups, first, last, 0, 1);
    for (uint32_t longs = __ballot_sync(kAllLanes, is_long); longs != 0; longs &= longs - 1) {
      const uint32_t holder = __ffs(longs) - 1;
      SetBits(groups, __shfl_sync(kAllLanes, first, holder), __shfl_sync(kAllLanes, last, holder),
              lane, kWarpSize);
    }
  };
  const uint64_t num_vertices = edges.index.num_vertices;
  if (frontier != nullptr && !not_members) {
    VisitMemberWords(frontier, num_vertices, mark);
    return;
  }
  for (uint64_t base = ThreadNumber() - lane; base < num_vertices; base += NumThreads()) {
    const uint64_t vertex = base + lane;
    const bool is_member = vertex < num_vertices &&
                           (frontier == nullptr || (frontier[vertex / kWarpSize] >> lane & 1) == 0);
    mark(static_cast<VertexId>(vertex), is_member);
  }
}

__global__ void CountBlocksKernel(DeviceEdges edges, const uint32_t* groups, uint32_t* counts) {
  const uint32_t shift = edges.block_shift - kGroupShift;
  const uint64_t num_blocks = edges.num_blocks();
  for (uint64_t block = ThreadNumber(); block < num_blocks; block += NumThreads()) {
    uint32_t count = 0;
    if (shift < 5) {
      const uint64_t bit = block << shift;
      count = __popc(groups[bit / 32] >> (bit % 32) & ((1u << (1u << shift)) - 1));
    } else {
      const uint64_t num_words = (edges.num_groups() + 31) / 32;
      const uint64_t begin = block << (shift - 5);
      for (uint64_t word = begin; word < begin + (1u << (shift - 5)) && word < num_words; ++word) {
        count += __popc(groups[word]);
      }
    }
    counts[block] = count;
  }
}

__global__ void ListTilesKernel(DeviceEdges edges, const uint32_t* groups, uint64_t first,
                                uint64_t end, uint32_t* tiles, uint32_t* num_tiles) {
  const uint32_t lane = threadIdx.x % kWarpSize;
  const uint32_t mask = (1u << (1u << edges.tile_shift)) - 1;
  for (uint64_t base = first + ThreadNumber() - lane; base < end; base += NumThreads()) {
    const uint64_t tile = base + lane;
    bool wanted = false;
    if (tile < end) {
      const uint64_t bit = tile << edges.tile_shift;
      const uint32_t set = groups == nullptr ? mask : groups[bit / 32] >> (bit % 32) & mask;
      wanted = set != 0 && edges.blocks[tile >> edges.block_tiles_shift()].neighbors != nullptr;
    }
    const uint32_t votes = __ballot_sync(kAllLanes, wanted);
    if (votes == 0) continue;
    uint32_t place = 0;
    if (lane == 0) place = atomicAdd(num_tiles, __popc(votes));
    place = __shfl_sync(kAllLanes, place, 0) + __popc(votes & ((1u << lane) - 1));
    if (wanted) tiles[place] = static_cast<uint32_t>(tile);
  }
}

__global__ void CountFrontierKernel(VertexIndexView index, const uint32_t* frontier,
                                    FrontierCounts* counts) {
  const uint32_t lane = threadIdx.x % kWarpSize;
  unsigned long long vertices = 0;
  unsigned long long degrees = 0;
  VisitMemberWords(frontier, index.num_vertices, [&](VertexId vertex, bool is_member) {
    if (!is_member) return;
    ++vertices;
    if (index.low != nullptr) degrees += index.degree(vertex);
  });
#pragma unroll
  for (uint32_t by = kWarpSize / 2; by > 0; by /= 2) {
    vertices += __shfl_down_sync(kAllLanes, vertices, by);
    degrees += __shfl_down_sync(kAllLanes, degrees, by);
  }
  if (lane == 0 && vertices != 0) {
    atomicAdd(&counts->vertices, vertices);
    atomicAdd(&counts->edges, degrees);
  }
}

__global__ void ListChunksKernel(VertexIndexView index, const uint32_t* frontier, WarpChunk* list,
                                 uint32_t capacity, uint32_t* count) {
  VisitMemberWords(frontier, index.num_vertices, [&](VertexId vertex, bool is_member) {
    if (!is_member) return;
    const uint32_t chunks = NumWarpChunks(index, vertex);
    const uint32_t place = atomicAdd(count, chunks);
    for (uint32_t i = 0; i < chunks && place + i < capacity; ++i) list[place + i] = {vertex, i};
  });
}

__global__ void AddMembersKernel(const VertexId* members, uint32_t count, uint32_t* words) {
  for (uint64_t i = ThreadNumber(); i < count; i += NumThreads()) {
    const VertexId vertex = members[i];
    atomicOr(words + vertex / 32, 1u << (vertex % 32));
  }
}

__global__ void ClearTailKernel(uint32_t* words, uint64_t num_vertices) {
  for (uint64_t bit = num_vertices; bit % 64 != 0; ++bit) words[bit / 32] &= ~(1u << (bit % 32));
}

__global__ void ListMembersKernel(const uint32_t* words, uint64_t num_vertices, VertexId* list,
                                  uint32_t capacity, uint32_t* count) {
  VisitMemberWords(words, num_vertices, [&](VertexId vertex, bool is_member) {
    const uint32_t votes = __ballot_sync(kAllLanes, is_member);
    const uint32_t lane = threadIdx.x % kWarpSize;
    uint32_t place = 0;
    if (lane == 0) place = atomicAdd(count, __popc(votes));
    place = __shfl_sync(kAllLanes, place, 0) + __popc(votes & ((1u << lane) - 1));
    if (is_member && place < capacity) list[place] = vertex;
  });
}

/// Marks the targets of the edges of some lists.
struct NotifyVisitor {
  const uint32_t* from;
  uint32_t* marks;

  __device__ void BeginTile(const WarpPlace&) {}
  __device__ void Group(const WarpPlace&, const LaneEdges<NoWeight>& edges, uint32_t*) {
#pragma unroll
    for (uint32_t i = 0; i < kLaneEdges; ++i) {
      if ((edges.valid >> i & 1) == 0) continue;
      const VertexId source = edges.source[i], target = edges.neighbor[i];
      if (from != nullptr && (from[source / 32] >> (source % 32) & 1) == 0) continue;
      const uint32_t mask = 1u << (target % 32);
      if ((LoadRelaxed(marks + target / 32) & mask) == 0) atomicOr(marks + target / 32, mask);
    }
  }
  __device__ void EndTile(const WarpPlace&) {}
  __device__ void Finish() {}
};

/// Enough threads to keep the link busy: about 500 KB are under way.
constexpr uint32_t kCopyThreads = 512;
constexpr uint32_t kCopyBlocks = 32;

/// Copies `count` words with all threads of a thread block. Each thread has kAhead reads under way.
template <typename Word>
__device__ void CopyWords(const std::byte* from, std::byte* to, uint64_t count) {
  constexpr uint32_t kAhead = 4;
  const auto* const source = reinterpret_cast<const Word*>(from);
  auto* const target = reinterpret_cast<Word*>(to);
  for (uint64_t first = threadIdx.x; first < count; first += kAhead * kCopyThreads) {
    Word words[kAhead];
#pragma unroll
    for (uint32_t i = 0; i < kAhead; ++i) {
      const uint64_t place = first + i * kCopyThreads;
      if (place < count) words[i] = source[place];
    }
#pragma unroll
    for (uint32_t i = 0; i < kAhead; ++i) {
      const uint64_t place = first + i * kCopyThreads;
      if (place < count) target[place] = words[i];
    }
  }
}

__global__ void __launch_bounds__(kCopyThreads)
    CopyRangesKernel(const CopyRange* ranges, uint32_t num_ranges) {
  for (uint32_t i = blockIdx.x; i < num_ranges; i += gridDim.x) {
    const CopyRange range = ranges[i];
    const auto both =
        reinterpret_cast<uintptr_t>(range.from) | reinterpret_cast<uintptr_t>(range.to);
    const uint64_t whole = both % sizeof(uint4) == 0 ? range.bytes / sizeof(uint4) : 0;
    CopyWords<uint4>(range.from, range.to, whole);
    const uint64_t done = whole * sizeof(uint4);
    CopyWords<unsigned char>(range.from + done, range.to + done, range.bytes - done);
  }
}

__global__ void PlaceBlocksKernel(const BlockPlace* places, uint32_t num_places,
                                  DeviceBlock* blocks, uint32_t* numbers) {
  for (uint64_t i = ThreadNumber(); i < num_places; i += NumThreads()) {
    blocks[places[i].block] = places[i].bytes;
    numbers[i] = static_cast<uint32_t>(places[i].block);
  }
}

__global__ void ForgetBlocksKernel(const uint32_t* numbers, uint32_t num_blocks,
                                   DeviceBlock* blocks) {
  for (uint64_t i = ThreadNumber(); i < num_blocks; i += NumThreads()) blocks[numbers[i]] = {};
}

/// Adds up targets, and writes out what it decodes.
struct DecodeVisitor {
  VertexId* targets;
  VertexId* sources;
  unsigned long long* sum;
  unsigned long long local = 0;

  __device__ void BeginTile(const WarpPlace&) {}
  __device__ void Group(const WarpPlace& place, const LaneEdges<NoWeight>& edges, uint32_t*) {
#pragma unroll
    for (uint32_t i = 0; i < kLaneEdges; ++i) {
      if ((edges.valid >> i & 1) == 0) continue;
      local += edges.neighbor[i];
      const EdgeIndex edge = place.first + place.lane * kLaneEdges + i;
      if (targets != nullptr) targets[edge] = edges.neighbor[i];
      if (sources != nullptr) sources[edge] = edges.source[i];
    }
  }
  __device__ void EndTile(const WarpPlace&) {}
  __device__ void Finish() {
#pragma unroll
    for (uint32_t by = kWarpSize / 2; by > 0; by /= 2) {
      local += __shfl_down_sync(kAllLanes, local, by);
    }
    if (threadIdx.x % kWarpSize == 0) atomicAdd(sum, local);
  }
};

}  // namespace

void LaunchTileSources(const DeviceEdges& edges, VertexId* sources, CUstream_st* stream) {
  TileSourcesKernel<<<ThreadBlocks(edges.num_tiles() + 1), kThreads, 0, stream>>>(edges, sources);
}

void LaunchMarkGroups(const DeviceEdges& edges, const uint32_t* frontier, bool not_members,
                      const ListPart& part, uint32_t* groups, CUstream_st* stream) {
  const uint64_t num_vertices = edges.index.num_vertices;
  const bool by_words = frontier != nullptr && !not_members;
  MarkGroupsKernel<<<ThreadBlocks(by_words ? (num_vertices + 31) / 32 : num_vertices), kThreads, 0,
                     stream>>>(edges, frontier, not_members, part, groups);
}

void LaunchAddMembers(const VertexId* members, uint32_t count, uint32_t* words,
                      CUstream_st* stream) {
  AddMembersKernel<<<ThreadBlocks(count), kThreads, 0, stream>>>(members, count, words);
}

void LaunchClearTail(uint32_t* words, uint64_t num_vertices, CUstream_st* stream) {
  ClearTailKernel<<<1, 1, 0, stream>>>(words, num_vertices);
}

void LaunchListMembers(const uint32_t* words, uint64_t num_vertices, VertexId* list,
                       uint32_t capacity, uint32_t* count, CUstream_st* stream) {
  ListMembersKernel<<<ThreadBlocks((num_vertices + 31) / 32), kThreads, 0, stream>>>(
      words, num_vertices, list, capacity, count);
}

void LaunchNotify(const DeviceEdges& edges, const TileSelection& source, const uint32_t* from,
                  uint32_t* marks, uint32_t* damaged, uint32_t num_thread_blocks,
                  CUstream_st* stream) {
  VisitTilesKernel<NoWeight><<<num_thread_blocks, kVisitThreads, 0, stream>>>(
      edges, source, NotifyVisitor{from, marks}, damaged);
}

void LaunchCountBlocks(const DeviceEdges& edges, const uint32_t* groups, uint32_t* counts,
                       CUstream_st* stream) {
  CountBlocksKernel<<<ThreadBlocks(edges.num_blocks()), kThreads, 0, stream>>>(edges, groups,
                                                                               counts);
}

void LaunchListTiles(const DeviceEdges& edges, const uint32_t* groups, uint64_t first, uint64_t end,
                     uint32_t* tiles, uint32_t* num_tiles, CUstream_st* stream) {
  ListTilesKernel<<<ThreadBlocks(end - first), kThreads, 0, stream>>>(edges, groups, first, end,
                                                                      tiles, num_tiles);
}

void LaunchCountFrontier(const VertexIndexView& index, const uint32_t* frontier,
                         FrontierCounts* counts, CUstream_st* stream) {
  CountFrontierKernel<<<ThreadBlocks((uint64_t{index.num_vertices} + 31) / 32), kThreads, 0,
                        stream>>>(index, frontier, counts);
}

void LaunchListChunks(const VertexIndexView& index, const uint32_t* frontier, WarpChunk* list,
                      uint32_t capacity, uint32_t* count, CUstream_st* stream) {
  ListChunksKernel<<<ThreadBlocks((uint64_t{index.num_vertices} + 31) / 32), kThreads, 0, stream>>>(
      index, frontier, list, capacity, count);
}

void LaunchPlaceBlocks(const BlockPlace* places, uint32_t num_places, DeviceBlock* blocks,
                       uint32_t* numbers, CUstream_st* stream) {
  PlaceBlocksKernel<<<ThreadBlocks(num_places), kThreads, 0, stream>>>(places, num_places, blocks,
                                                                       numbers);
}

void LaunchCopyRanges(const CopyRange* ranges, uint32_t num_ranges, CUstream_st* stream) {
  CopyRangesKernel<<<min(num_ranges, kCopyBlocks), kCopyThreads, 0, stream>>>(ranges, num_ranges);
}

void LaunchForgetBlocks(const uint32_t* numbers, uint32_t num_blocks, DeviceBlock* blocks,
                        CUstream_st* stream) {
  ForgetBlocksKernel<<<ThreadBlocks(num_blocks), kThreads, 0, stream>>>(numbers, num_blocks,
                                                                        blocks);
}

void LaunchDecodeAll(const DeviceEdges& edges, const TileSelection& source, VertexId* targets,
                     VertexId* sources, unsigned long long* sum, uint32_t* damaged,
                     uint32_t num_thread_blocks, CUstream_st* stream) {
  VisitTilesKernel<NoWeight><<<num_thread_blocks, kVisitThreads, 0, stream>>>(
      edges, source, DecodeVisitor{targets, sources, sum}, damaged);
}

}  // namespace edgemill

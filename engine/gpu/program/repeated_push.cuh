// Asynchronous push on a GPU: a vertex that becomes active emits while its edges are on the GPU.
// They need not be sent again in the next pass. engine/cpu/push/repeated_push.h does the same on
// the CPU.
//
// Kernels pass over a batch of blocks several times before its staging buffer is freed. Each time
// ExtractActiveKernel removes vertices from the next set, and these emit. The host queues the
// kernels without knowing whether there is work. Where no vertex was removed, no group is marked,
// and the kernels end at once. Blocks that stay on the GPU, or are read across the link, are passed
// over once: repeating would save no bytes.
//
// Only the batch with the whole list of a vertex removes that vertex. Threads change words of sets
// by atomic operations, and read them past the first-level cache (LoadRelaxed). A thread changes a
// vertex's state before it adds the vertex to the next set. If the state changes after the vertex
// was removed, the vertex is therefore added again.
#pragma once

#include "engine/gpu/program/repeat.h"
#include "engine/gpu/program/vertex_kernels.cuh"

namespace edgemill {

namespace internal {

/// Calls `visit(word, bits)` for the words of the bits [first, last].
template <typename Visit>
__device__ inline void VisitBits(uint64_t first, uint64_t last, Visit visit) {
  for (uint64_t word = first / 32; word <= last / 32; ++word) {
    uint32_t bits = ~0u;
    if (word == first / 32) bits &= ~0u << (first % 32);
    if (word == last / 32) bits &= ~0u >> (31 - last % 32);
    visit(word, bits);
  }
}

/// Removes from word `word` of the next set the vertices in `range` that emit now, and returns
/// their bits. Their lists must not go beyond `end`.
template <typename P>
__device__ inline uint32_t ExtractActiveWord(P& program, const PassArgs& pass,
                                             const DeviceEdges& edges, const Repeat& repeat,
                                             HeldGroups held, EdgeIndex end, uint64_t word,
                                             uint32_t range) {
  const auto visit_each = [&](uint32_t bits, auto visit) {
    for (; bits != 0; bits &= bits - 1) {
      const VertexId vertex = static_cast<VertexId>(word * 32 + __ffs(bits) - 1);
      visit(vertex, bits & (~bits + 1), edges.index.first_edge(vertex),
            edges.index.first_edge(vertex + 1));
    }
  };
  uint32_t candidates = LoadRelaxed(pass.next + word) & range;
  // A vertex that emitted in this pass must not emit again yet: its kept message is still needed.
  if (kConsumes<P> && repeat.first) candidates &= ~LoadRelaxed(repeat.senders + word);
  uint32_t due = 0;
  visit_each(candidates, [&](VertexId vertex, uint32_t bit, EdgeIndex first, EdgeIndex last) {
    if (first == last || last > end) return;
    if constexpr (HasPriority<P>) {
      if (!(CallPriority(program, vertex) < repeat.bound)) return;
    }
    bool all = true;
    if (held == HeldGroups::kWanted) {
      VisitBits(first >> kGroupShift, (last - 1) >> kGroupShift, [&](uint64_t at, uint32_t bits) {
        all &= (LoadRelaxed(repeat.brought + at) & bits) == bits;
      });
    }
    if (all) due |= bit;
  });
  const uint32_t taken = due == 0 ? 0 : atomicAnd(pass.next + word, ~due) & due;
  if (!repeat.first) atomicAnd(repeat.senders + word, ~range);
  if (taken == 0) return 0;
  __threadfence();
  atomicOr(repeat.senders + word, taken);
  visit_each(taken, [&](VertexId vertex, uint32_t, EdgeIndex first, EdgeIndex last) {
    if constexpr (kConsumes<P>) {
      static_cast<MessageOfProgram<P>*>(pass.emitted)[vertex] = CallEmit(program, vertex);
    }
    VisitBits(first >> kGroupShift, (last - 1) >> kGroupShift,
              [&](uint64_t at, uint32_t bits) { atomicOr(repeat.groups + at, bits); });
  });
  return taken;
}

}  // namespace internal

/// Finds the vertices that emit in `repeat`, over the blocks of `places`. Each block of edges has a
/// thread block.
template <typename P>
__global__ void __launch_bounds__(kProgramThreads)
    ExtractActiveKernel(P program, PassArgs pass, DeviceEdges edges, const BlockPlace* places,
                        uint32_t num_places, Repeat repeat) {
  for (uint32_t i = blockIdx.x; i < num_places; i += gridDim.x) {
    const uint64_t block = places[i].block;
    const HeldGroups held = places[i].held;
    const uint64_t first_tile = block << edges.block_tiles_shift();
    uint64_t end_tile = first_tile + (uint64_t{1} << edges.block_tiles_shift());
    if (end_tile > edges.num_tiles()) end_tile = edges.num_tiles();
    const EdgeIndex begin = edges.tile_begin(first_tile);
    const EdgeIndex end = edges.tile_end(end_tile - 1);
    if (!repeat.first && threadIdx.x == 0) {
      internal::VisitBits(
          begin >> kGroupShift, (end - 1) >> kGroupShift,
          [&](uint64_t word, uint32_t bits) { atomicAnd(repeat.groups + word, ~bits); });
    }
    __syncthreads();
    // The vertices whose lists start in this block, except one whose list goes on in the next
    // block.
    VertexId from = edges.tile_source[first_tile];
    if (edges.index.first_edge(from) < begin) ++from;
    // Vertices after the last edge have empty lists.
    const VertexId to = end == edges.num_edges ? edges.index.LowerBound(edges.num_edges)
                                               : edges.tile_source[end_tile];
    uint32_t count = 0;
    for (uint64_t word = from / 32 + threadIdx.x; held != HeldGroups::kNone && word * 32 < to;
         word += blockDim.x) {
      uint32_t range = ~0u;
      if (word == from / 32) range &= ~0u << (from % 32);
      if (to - word * 32 < 32) range &= (1u << (to - word * 32)) - 1;
      count +=
          __popc(internal::ExtractActiveWord(program, pass, edges, repeat, held, end, word, range));
    }
    const uint32_t total = __reduce_add_sync(kAllLanes, count);
    if (total > 0 && threadIdx.x % kWarpSize == 0) {
      atomicAdd(&pass.counters->emitted_in_same_pass, static_cast<unsigned long long>(total));
    }
    if (__syncthreads_or(total > 0) && !repeat.first && threadIdx.x == 0) {
      atomicAdd(&pass.counters->blocks_repeated, 1ull);
    }
  }
  AddTallies(program, pass.tallies);
}

}  // namespace edgemill

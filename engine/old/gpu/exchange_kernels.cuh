// What crosses over when another processor helps with an iteration: kernels that write to, and read
// from, pinned memory of the host, in whole lines.
#pragma once

#include "engine/old/gpu/program_kernels.cuh"

namespace edgemill {

/// Writes to `ids` and `messages` what has become (Echo) of those vertices of [begin, end) that are
/// in `changed`; `*told`, 0 at first, counts them. `begin` is a multiple of 32.
template <VertexProgram P>
__global__ void TellKernel(P program, const uint32_t* changed, VertexId begin, VertexId end,
                           VertexId* ids, typename P::Message* messages, uint32_t* told) {
  const uint32_t lane = threadIdx.x % kWarpSize;
  const uint64_t rounded = (uint64_t{end} + kWarpSize - 1) / kWarpSize * kWarpSize;
  for (uint64_t i = begin + ThreadNumber(); i < rounded; i += NumThreads()) {
    const VertexId vertex = static_cast<VertexId>(i);
    const uint32_t members =
        changed[i / kWarpSize] &
        (i - lane + kWarpSize <= end ? kAllLanes : (1u << end % kWarpSize) - 1);
    if (members == 0) continue;
    uint32_t place = 0;
    if (lane == 0) place = atomicAdd(told, __popc(members));
    place = __shfl_sync(kAllLanes, place, 0) + __popc(members & ((1u << lane) - 1));
    if ((members >> lane & 1) == 0) continue;
    ids[place] = vertex;
    messages[place] = program.Echo(vertex);
  }
}

/// Has the first `count` of `ids` receive their messages; all of them are added to `next`, unless
/// it is null.
template <VertexProgram P>
__global__ void HearKernel(P program, Context context, const VertexId* ids,
                           const typename P::Message* messages, uint32_t count, uint64_t* next) {
  for (uint64_t i = ThreadNumber(); i < count; i += NumThreads()) {
    program.Receive(ids[i], messages[i], context);
    if (next != nullptr) AtomicSetBit(next, ids[i]);
  }
}

}  // namespace edgemill

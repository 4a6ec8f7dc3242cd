#include "test/gpu/atomic_operations.h"

namespace edgemill {
namespace {

constexpr uint32_t kThreads = 256;

template <typename T>
__global__ void AtomicsKernel(AtomicUse use, T* places, const AtomicStep<T>* steps, uint32_t count,
                              T* returned) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) returned[i] = DoAtomically(use, places, steps[i]);
}

__global__ void SetBitsKernel(uint64_t* words, const uint32_t* bits, uint32_t count,
                              uint8_t* were_clear) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) were_clear[i] = AtomicSetBit(words, bits[i]) ? 1 : 0;
}

}  // namespace

template <typename T>
void LaunchAtomically(AtomicUse use, T* places, const AtomicStep<T>* steps, uint32_t count,
                      T* returned, CUstream_st* stream) {
  AtomicsKernel<T><<<(count + kThreads - 1) / kThreads, kThreads, 0, stream>>>(use, places, steps,
                                                                               count, returned);
}

void LaunchSetBits(uint64_t* words, const uint32_t* bits, uint32_t count, uint8_t* were_clear,
                   CUstream_st* stream) {
  SetBitsKernel<<<(count + kThreads - 1) / kThreads, kThreads, 0, stream>>>(words, bits, count,
                                                                            were_clear);
}

template void LaunchAtomically(AtomicUse, int8_t*, const AtomicStep<int8_t>*, uint32_t, int8_t*,
                               CUstream_st*);
template void LaunchAtomically(AtomicUse, uint8_t*, const AtomicStep<uint8_t>*, uint32_t, uint8_t*,
                               CUstream_st*);
template void LaunchAtomically(AtomicUse, int16_t*, const AtomicStep<int16_t>*, uint32_t, int16_t*,
                               CUstream_st*);
template void LaunchAtomically(AtomicUse, uint16_t*, const AtomicStep<uint16_t>*, uint32_t,
                               uint16_t*, CUstream_st*);
template void LaunchAtomically(AtomicUse, int32_t*, const AtomicStep<int32_t>*, uint32_t, int32_t*,
                               CUstream_st*);
template void LaunchAtomically(AtomicUse, uint32_t*, const AtomicStep<uint32_t>*, uint32_t,
                               uint32_t*, CUstream_st*);
template void LaunchAtomically(AtomicUse, int64_t*, const AtomicStep<int64_t>*, uint32_t, int64_t*,
                               CUstream_st*);
template void LaunchAtomically(AtomicUse, uint64_t*, const AtomicStep<uint64_t>*, uint32_t,
                               uint64_t*, CUstream_st*);
template void LaunchAtomically(AtomicUse, float*, const AtomicStep<float>*, uint32_t, float*,
                               CUstream_st*);
template void LaunchAtomically(AtomicUse, double*, const AtomicStep<double>*, uint32_t, double*,
                               CUstream_st*);
template void LaunchAtomically(AtomicUse, SumAndMost*, const AtomicStep<SumAndMost>*, uint32_t,
                               SumAndMost*, CUstream_st*);

}  // namespace edgemill

// Launches of kernels whose thread blocks wait for each other.
#pragma once

#include <cstdint>

namespace edgemill {

/// Launches `kernel` so that all its `grid` thread blocks run at the same time.
template <typename... Parameters, typename... Arguments>
void LaunchTogether(void (*kernel)(Parameters...), uint32_t grid, uint32_t threads,
                    uint32_t shared_bytes, cudaStream_t stream, const Arguments&... arguments) {
  cudaLaunchAttribute together = {};
  together.id = cudaLaunchAttributeCooperative;
  together.val.cooperative = 1;
  cudaLaunchConfig_t launch = {};
  launch.gridDim = grid;
  launch.blockDim = threads;
  launch.dynamicSmemBytes = shared_bytes;
  launch.stream = stream;
  launch.attrs = &together;
  launch.numAttrs = 1;
  (void)cudaLaunchKernelEx(&launch, kernel, arguments...);
}

}  // namespace edgemill

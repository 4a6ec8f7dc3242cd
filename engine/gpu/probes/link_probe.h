// Measures the link between host and GPU: copies, kernels reading across it, pinning.
#pragma once

#include <cstdint>
#include <vector>

#include "common/os/memory_budget.h"
#include "common/status.h"
#include "engine/cost/link_points.h"
#include "engine/device/gpu.h"

namespace edgemill {

/// Options of ProbeLink.
struct LinkProbeOptions {
  /// Bytes of the host's memory to pin; more shows where the GPU's TLB coverage ends.
  uint64_t max_bytes = uint64_t{4} << 30;
  int threads = 1;
};

/// Measures all paths, which takes half a second for each GiB of max_bytes. Returns BudgetError
/// when `budget` or the GPU has too little memory, and errors of the device.
StatusOr<std::vector<LinkPoint>> ProbeLink(Gpu& gpu, const LinkProbeOptions& options,
                                           MemoryBudget& budget);

}  // namespace edgemill

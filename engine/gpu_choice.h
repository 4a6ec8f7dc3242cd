// Which processor a run uses, and what a GPU takes of the host's memory.
#pragma once

#include <memory>

#include "common/progress.h"
#include "common/status.h"
#include "engine/gpu/gpu_run.h"
#include "engine/run.h"
#include "storage/graph_store.h"

namespace edgemill {

/// Takes the GPU of `options` into use; GpuError when there is none that can be used, or this build
/// has no code for GPUs.
StatusOr<std::unique_ptr<Gpu>> OpenGpu(const RunOptions& options);

/// A GpuError with what helps against each of them: the CPU. Any other status as it is.
Status OrOnCpu(const Status& status);

/// The GPU that `options.device` calls for: null for cpu; for auto, null when there is none to use,
/// with why in `*fallback`, and a note where one might expect to use it: a driver is there. Errors
/// as OpenGpu.
StatusOr<std::unique_ptr<Gpu>> ChooseGpu(const RunOptions& options, Progress& progress,
                                         std::string* fallback);

/// The most bytes that a block of neighbours, and of weights with them, takes in memory.
uint64_t MostBlockBytes(const GraphInfo& info, bool with_weights);

/// Who pins the memory that blocks come to for `gpu`. Must not outlive the GPU.
std::unique_ptr<MemoryRegistrar> MakeRegistrar(Gpu& gpu, int threads);
/// Whether the page cache is to be pinned too: not where each block crosses the link once, as
/// `options` have it, or as all that is swept, `swept_bytes` and as much for the rest, fits on the
/// card.
bool PinsCache(const Gpu& gpu, const RunOptions& options, uint64_t swept_bytes);

/// Pinned memory for what an iteration counts: counters, then a word a block and a bit a group.
inline constexpr uint64_t kCountersBytes = 4096;
uint64_t ControlBytes(const GraphInfo& info);
/// Memory for what a feeder's sweep chooses, block by block.
inline constexpr uint64_t kChoiceBytesABlock = 40;
uint64_t ChoiceBytes(const GraphInfo& info);
/// Both: of what a GPU's run is given for staging, that which is no slot's.
uint64_t BookkeepingBytes(const GraphInfo& info);

/// Memory of the host that a GPU's feeder needs at least, and what it makes use of: pinned slots,
/// and BookkeepingBytes.
uint64_t LeastStagingBytes(const GraphStore& store, bool with_weights);
uint64_t AmpleStagingBytes(const GraphStore& store, bool with_weights,
                           const GpuRunOptions& options);

}  // namespace edgemill

// The memory of the host that a GPU uses.
#pragma once

#include <cstdint>

#include "engine/plan/gpu_run.h"
#include "storage/format/graph_info.h"
#include "storage/read/graph_store.h"

namespace edgemill {

/// The most bytes that a block takes in memory: its neighbours, and its weights if `with_weights`.
uint64_t MostBlockBytes(const GraphInfo& info, bool with_weights);

/// Pinned memory for the counts of an iteration: counters, a word for each block, and the bits that
/// host threads need. These are a bit for each group or, for SubCSRs, for each vertex.
inline constexpr uint64_t kCountersBytes = 4096;
uint64_t ControlBytes(const GraphInfo& info, Transfer transfer);
uint64_t ControlBitsBytes(const GraphInfo& info, Transfer transfer);
/// Memory for the choices that are planned for each block of an edge pass.
inline constexpr uint64_t kChoiceBytesABlock = 40;
uint64_t ChoiceBytes(const GraphInfo& info);
/// The sum of both: the part of a run's staging memory that is not in buffers.
uint64_t BookkeepingBytes(const GraphInfo& info, Transfer transfer);

/// The parts in which a run on the CPU takes SubCSRs: one is built while the one before is used.
inline constexpr uint64_t kSubCsrParts = 2;
/// The bytes of these parts. Each has space for a SubCSR that each of the threads builds.
uint64_t SubCsrPartsBytes(const GraphInfo& info, bool with_weights, int threads);

/// The least memory of the host that feeding a GPU needs, and the most that it uses: for staging
/// buffers, and BookkeepingBytes.
uint64_t MinStagingBytes(const GraphStore& store, bool with_weights, Transfer transfer);
uint64_t MaxStagingBytes(const GraphStore& store, bool with_weights, const GpuRunOptions& options);

}  // namespace edgemill

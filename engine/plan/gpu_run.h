// The GPU of a run, and the options for its use.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "common/types.h"
#include "engine/cost/calibration.h"
#include "engine/cost/cost_model.h"
#include "engine/device/gpu.h"
#include "engine/device/transfer.h"
#include "engine/plan/pull_kernel.h"
#include "engine/program/sets/vertex_range.h"

namespace edgemill {

/// The other GPUs of a run, which help the first one.
struct HelperOptions {
  std::vector<int> ordinals = {};  // by number; each has as much memory for the run as the first
  EdgeIndex least_edges = 0;       // a graph of fewer edges takes none; 0: all are wanted
  bool out_of_reach = false;       // for tests: as if GPUs could not use each other's memory
};

/// How a run uses its GPU.
struct GpuRunOptions {
  GpuOptions gpu;
  HelperOptions helpers = {};
  Transfer transfer = Transfer::kAuto;
  /// The model that chooses the transfer of each block, and the figures for the model.
  CostModelKind cost_model = CostModelKind::kCalibrated;
  Calibration calibration = BuiltInCalibration();
  /// Batches of blocks under way at the same time. Each batch has its own stream and buffer.
  uint32_t num_batches = 4;
  /// The bytes of each of these buffers, or fewer where the memory budgets are too small.
  uint64_t batch_bytes = uint64_t{16} << 20;
  /// In asynchronous pushes: the blocks that go first.
  BlockPriority priority = BlockPriority::kNone;
  /// Many blocks may be one batch. Otherwise each block is copied and visited by itself, as in
  /// HyTGraph without its task combining.
  bool combines = true;
  PullKernel kernel = PullKernel::kAuto;
  /// Several iterations of few vertices may be one launch. Callers that measure single passes turn
  /// this off.
  bool loops = true;
  /// With Device::kAuto: a note says why no GPU is used, also on machines without a GPU driver.
  bool expected = false;
};

/// A GPU in use by a run. `staging_bytes` of the host's budget are set aside for pinned buffers.
struct GpuRun {
  Gpu& gpu;
  const GpuRunOptions& options;
  uint64_t staging_bytes = 0;
  bool shared = false;                        // passes may be shared with the CPU or other GPUs
  uint32_t async_passes = 0;                  // see PassOptions
  std::optional<double> pull_threshold = {};  // see PassOptions
  bool pins_cache = false;                    // the block cache is in registered memory
  bool in_memory = false;                     // the block cache holds all scanned blocks
  /// Of a GPU that helps another one: the vertices whose lists it visits. Blocks without these
  /// never come to it. Nullopt: it may visit all lists.
  std::optional<VertexRange> lists = {};
  uint32_t num_gpus = 1;  // that share the edges of the run
};

}  // namespace edgemill

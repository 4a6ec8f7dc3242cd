// How an algorithm is to be run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/api/options.h"
#include "engine/plan/dispatcher.h"
#include "engine/plan/gpu_run.h"
#include "engine/program/mode.h"
#include "storage/read/block_reader.h"

namespace edgemill {

/// Where vertex programs run.
enum class Device {
  kAuto,  // on a GPU where there is one to use, else on the CPU
  kCpu,
  kGpu,
  kHybrid,  // on both, iteration by iteration as is fastest
};

/// Passes over a block in asynchronous runs.
inline constexpr uint32_t kAsyncPasses = 16;

/// How to run an algorithm. UsageError for options that the algorithm does not have.
struct RunOptions {
  std::string algorithm;
  /// The options that the algorithm declares. A source is in the input's ids; of vertices with
  /// names, their ranks.
  OptionValues values;
  Mode mode = Mode::kAuto;
  /// Asynchronous: vertices that become active send in the same iteration where their edges are in
  /// memory anyway. A block then has at most so many passes while it is in memory (kAsyncPasses is
  /// a good number). 0: they send in the next iteration. None: the plan decides (RunPlan).
  std::optional<uint32_t> async_passes = {};
  /// With Mode::kAuto: pull where active vertices have more than this share of all edges, as Garaph
  /// does; none: by predicted seconds.
  std::optional<double> pull_threshold = {};
  Device device = Device::kCpu;
  GpuRunOptions gpu;
  HybridOptions hybrid;  // Device::kHybrid
  int threads = 1;
  IoEngineKind io_engine = IoEngineKind::kAuto;
  uint32_t queue_depth = 32;
  /// Bytes of the budget that the caller takes for the answer, once the indexes and what passes
  /// need have been freed.
  uint64_t writing_bytes = 0;
  bool verify = false;  // check the answer by its definition, apart from the engine's passes
  /// Run once before, without timing and counting, so that the cache is as an earlier run leaves
  /// it.
  bool warm = false;
};

}  // namespace edgemill
